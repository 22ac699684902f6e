"""Players that a program can be: `best`, `greedy` and `random`, all behind one interface.

- `best` races: it values a result by the fewest turns to the King that the table of the race gives
  for the hand after the best purchase still on display, takes the King whenever it can, and plays
  every turn exactly for that; where that is all the same, it takes the King with the result that is
  hardest to beat. It does not look at what others are about to do. Once another has
  taken the King, it buys and plays for the chance to beat that result in one turn. In the final
  round it plays exactly for the chance to win, all others doing the same.
- `greedy` plays every turn exactly for the row of the card it can buy (Fools 0, the King 20), and
  in the final round for the chance to take the King over.
- `random` takes any legal step, each equally likely, but always the King.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from advisor.court.play.aims import Aims, can_take
from advisor.court.race.estimates import load
from advisor.court.rules import turn
from advisor.court.rules.cards import BY_KEY, KING
from advisor.court.rules.game import Buy, Game, Move, Pass
from advisor.court.rules.options import Hand, RuleSet
from advisor.court.turn.goals import rank_goal
from advisor.court.turn.payoffs import POINTS, Payoff, PurchasePayoff, undominated
from advisor.court.turn.playing import MEMORY, Kept, SolvedTurn
from advisor.errors import InvalidOption
from advisor.text import quoted

BOTS: Final = ("best", "greedy", "random")
KING_ROW: Final = 20.0
"""What the King is worth to the greedy player."""


class Bot(Protocol):
    """A player."""

    def moves(self, game: Game) -> tuple[Move, ...]:
        """Return the next moves of the seat on turn, where no dice are falling.

        They lead up to the next roll, use of a card or purchase, and are legal one after another.
        """


def make_bot(
    kind: str,
    rules: RuleSet,
    seed: int | Sequence[int] = 0,
    where: Path | None = None,
    kept: Kept | None = None,
) -> Bot:
    """Return a player; raises InvalidOption for a kind that does not exist.

    `seed` is for the random one, `where` is looked at for tables first, and solved turns go to
    `kept`, which players may share.
    """
    if kind == "best":
        return Best(rules, where, kept)
    if kind == "greedy":
        return Greedy(rules, kept)
    if kind == "random":
        return Random(np.random.default_rng(seed))
    raise InvalidOption(f"{quoted(kind)} is no bot: choose {', '.join(BOTS[:-1])} or {BOTS[-1]}")


class Random:
    """Takes any legal step; the King always, so that games end sooner."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def moves(self, game: Game) -> tuple[Move, ...]:
        """Return one legal move."""
        moves = game.legal_moves()
        if Buy(KING.key) in moves:
            return (Buy(KING.key),)
        return (moves[int(self.rng.integers(len(moves)))],)


class Solving(ABC):
    """A player who plays every turn exactly for some worth of its results."""

    def __init__(self, rules: RuleSet, kept: Kept | None = None) -> None:
        self.rules = rules
        self.kept = kept or Kept()
        self._now: tuple[Game, SolvedTurn] | None = None

    def moves(self, game: Game) -> tuple[Move, ...]:
        """Return the next moves of the seat on turn."""
        if game.result is not None:
            return (Buy(self.purchase(game)),)
        if game.turn and game.target and not can_take(game.hand, game.target, self.rules):
            moves = game.legal_moves()
            return (Pass(),) if Pass() in moves else (moves[0],)
        assert game.turn
        return self._current(game).steps(game.turn)

    def _current(self, game: Game) -> SolvedTurn:
        """Return the turn that is being played, solved."""
        turn_of = replace(game, turn=None)
        if self._now is None or self._now[0] != turn_of:
            self._now = turn_of, self.solved(game.hand, self.payoff(game))
        return self._now[1]

    def solved(self, hand: Hand, payoff: Payoff) -> SolvedTurn:
        """Return the turn of a hand solved for a payoff."""
        root = turn.start(hand, self.rules)
        return self.kept.get((root, payoff), lambda: SolvedTurn(root, payoff))

    @abstractmethod
    def payoff(self, game: Game) -> Payoff:
        """Return what results of the turn are worth."""

    @abstractmethod
    def purchase(self, game: Game) -> str | None:
        """Return what to buy with the result of the turn, None: nothing."""


class Greedy(Solving):
    """Goes for the highest row."""

    def payoff(self, game: Game) -> Payoff:
        """Return the row of the best card to buy, or the chance to take the King over."""
        if game.target:
            return rank_goal(*game.target)
        rows = [(key, _row(key)) for key in game.display if _row(key)]
        return PurchasePayoff(undominated(rows), unit=POINTS)

    def purchase(self, game: Game) -> str | None:
        """Return the first of the cards of the highest row; nothing only if nothing is paid for."""
        return max(game.purchases(), key=_row, default=None)


def _row(key: str) -> float:
    return KING_ROW if key == KING.key else float(BY_KEY[key].row)


class Best(Solving):
    """Goes for the King in the fewest turns, then for the chance to win the final round."""

    def __init__(self, rules: RuleSet, where: Path | None = None, kept: Kept | None = None) -> None:
        super().__init__(rules, kept)
        self.aims = Aims(rules, MEMORY, load(rules, where), ranked=True, quick=True)

    def payoff(self, game: Game) -> Payoff:
        """Return the turns left, the chance to beat the King's result, or the chance to win."""
        return self.aims.payoff(game)

    def purchase(self, game: Game) -> str | None:
        """Return the purchase after which least turns or the best chance are left."""
        return max((None, *game.purchases()), key=self.aims.worths(game).__getitem__)
