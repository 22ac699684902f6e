"""What a seat can do where a game stands, and what it knows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from advisor.errors import ImpossibleStep
from advisor.kingme.belief.posterior import Posterior
from advisor.kingme.round.payoff import Payoff
from advisor.kingme.rules.data import CHARACTERS, ROUNDS, TOP
from advisor.kingme.rules.game import Game, Phase, Place, Raise
from advisor.kingme.rules.goals import Goal


@dataclass(frozen=True)
class Vote:
    """The own vote on the one on the throne."""

    no: bool


Option = Place | Raise | Vote


@dataclass(frozen=True)
class View:
    """A game as the seat `me` sees it: its goal, what it believes of the others' (`found`)."""

    game: Game
    me: int
    goal: Goal
    found: Posterior
    strength: float

    @property
    def payoff(self) -> Payoff:
        """What counts: points of the round, in the last one the chance to win."""
        return Payoff(totals=self.game.totals if self.game.round == ROUNDS else None)

    @cached_property
    def own(self) -> NDArray[np.float64]:
        """The own goal by character, 1 for a favourite."""
        return np.isin(np.arange(len(CHARACTERS)), list(self.goal)).astype(float)

    def options(self) -> list[Option]:
        """Return what the seat can do; raises ImpossibleStep if another seat is on turn."""
        game = self.game
        if game.phase is Phase.VOTE:
            return [Vote(False), Vote(True)] if game.no_left[self.me] else [Vote(False)]
        if game.phase not in (Phase.PLACE, Phase.RAISE):
            raise ImpossibleStep("no decision is due: goals have to be shown")
        if game.seat != self.me:
            raise ImpossibleStep(
                f"seat {game.seat + 1} is on turn, not seat {self.me + 1}: ask for that seat, or "
                "when your turn has come"
            )
        return [move for move in game.legal_moves() if isinstance(move, Place | Raise)]


def text_of(option: Option, game: Game) -> str:
    """Return an option in words."""
    match option:
        case Place(character, floor):
            return f"{CHARACTERS[character]} on floor {floor}"
        case Raise(character):
            floor = game.castle[character]
            to = "the throne" if floor == TOP else f"floor {floor + 1}"
            return f"{CHARACTERS[character]} to {to}"
        case Vote(no):
            return "No" if no else "Yes"
