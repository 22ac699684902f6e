"""Players: random, greedy, and best, who asks for advice."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np

from advisor.kingme.belief import model
from advisor.kingme.belief.posterior import Evidence
from advisor.kingme.play.estimate import sample
from advisor.kingme.play.exact import exact
from advisor.kingme.play.options import Option, View, Vote
from advisor.kingme.rules.data import NUMBER, TOP
from advisor.kingme.rules.game import Game, Phase, Place, Raise
from advisor.kingme.rules.goals import Deck, Goal

BOTS: Final = ("best", "greedy", "random")

FIRST_LOOK: Final = 12
"""Play-outs of each option that `best` begins with, the same for all."""
CLOSER_LOOK: Final = 48
"""Play-outs of the options that are left after that."""
KEPT: Final = 4
"""Options that are left."""
QUICK: Final = 400_000
"""What `best` solves exactly, see `exact.WORK`."""


class Bot(Protocol):
    """Decides for a seat that knows its own goal and what has been done in the round."""

    def choose(self, game: Game, seat: int, goal: Goal, evidence: Evidence) -> Option:
        """Return a move of the seat on turn, or the vote of any seat."""


@dataclass
class Random:
    """Takes any option, each as likely."""

    rng: np.random.Generator

    def choose(self, game: Game, seat: int, goal: Goal, evidence: Evidence) -> Option:
        """Return any option."""
        options = possible(game, seat)
        return options[int(self.rng.integers(len(options)))]


@dataclass
class Greedy:
    """Brings own characters up and says No to others' kings while cards last."""

    rng: np.random.Generator

    def choose(self, game: Game, seat: int, goal: Goal, evidence: Evidence) -> Option:
        """Return what brings most at once; equal ones by chance."""
        options = possible(game, seat)
        worth = [_greed(option, game, seat, goal) for option in options]
        best = [o for o, value in zip(options, worth, strict=True) if value == max(worth)]
        return best[int(self.rng.integers(len(best)))]


def _greed(option: Option, game: Game, seat: int, goal: Goal) -> float:
    match option:
        case Place(character, floor):
            return floor if character in goal else -floor
        case Vote(no):
            return float(no == (game.candidate not in goal))
        case Raise(character) if character in goal:
            # Onto the throne while others can say No only if nobody else can rise.
            risky = game.castle[character] == TOP and model.others_with_no(game, seat) > 0
            return 0.5 if risky else 1 + game.castle[character]
        case Raise(character):
            return -1.0 - game.castle[character]


@dataclass
class Follower:
    """Chooses just as the model of play says."""

    rng: np.random.Generator
    strength: float = model.STRENGTH

    def choose(self, game: Game, seat: int, goal: Goal, evidence: Evidence) -> Option:
        """Return an option drawn by its chance."""
        options = possible(game, seat)
        if len(options) == 1:
            return options[0]
        due = model.vote(game, seat) if game.phase is Phase.VOTE else model.decision(game)
        members = np.isin(np.arange(NUMBER), list(goal)).astype(float)[None]
        chances = np.exp(model.log_chances(due, members, self.strength)[0])
        return options[int(self.rng.choice(len(options), p=chances / chances.sum()))]


@dataclass
class Best:
    """Takes the option with the best advice: exact where that is quick, else by play-outs."""

    rng: np.random.Generator
    deck: Deck
    strength: float = model.STRENGTH
    looks: tuple[int, int] = field(default=(FIRST_LOOK, CLOSER_LOOK))

    def choose(self, game: Game, seat: int, goal: Goal, evidence: Evidence) -> Option:
        """Return the best option, the first of equal ones."""
        options = possible(game, seat)
        if len(options) == 1:
            return options[0]
        found = evidence.posterior(game, seat, goal)
        view = View(game, seat, goal, found, self.strength)
        solved = exact(view, QUICK)
        if solved is not None:
            return max(options, key=lambda option: round(solved.values[option], 9))
        return self._by_playouts(view, options)

    def _by_playouts(self, view: View, options: list[Option]) -> Option:
        seed = int(self.rng.integers(1 << 62))
        for number in self.looks:
            values = sample(view, options, seed, range(number)).mean(axis=1)
            order = np.argsort(-values, kind="stable")
            options = [options[at] for at in order[:KEPT]]
            seed += 1
        return options[0]


def possible(game: Game, seat: int) -> list[Option]:
    """Return what the seat on turn, or any seat that votes, can do."""
    if game.phase is Phase.VOTE:
        return [Vote(False), Vote(True)] if game.no_left[seat] else [Vote(False)]
    return [move for move in game.legal_moves() if isinstance(move, Place | Raise)]


def make_bot(kind: str, rng: np.random.Generator, deck: Deck) -> Bot:
    """Return a player of a kind in BOTS."""
    match kind:
        case "best":
            return Best(rng, deck)
        case "greedy":
            return Greedy(rng)
        case "random":
            return Random(rng)
    raise ValueError(kind)
