"""A recorded game judged: ends of rounds against best play, goals open since they were shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from advisor.kingme.round.payoff import Payoff
from advisor.kingme.round.solve import TooMany, solve
from advisor.kingme.rules.data import ROUNDS
from advisor.kingme.rules.game import Game, Raise, Reveal
from advisor.kingme.rules.goals import Goal
from advisor.kingme.rules.record import Entry, Record

MOST: Final = 20_000
"""States up to which a position is judged."""


@dataclass(frozen=True)
class Judged:
    """A character raised: the step, the value of that and of the best, which that was."""

    entry: Entry
    value: float
    best: float
    best_move: Raise

    @property
    def loss(self) -> float:
        """What the move cost the mover against the best one."""
        return max(self.best - self.value, 0.0)


@dataclass(frozen=True)
class PlayedRound:
    """A round that is over: its goals, the castle at its end, what was judged and what was not.

    `before` and `after`: the game as the goals are shown and then.
    """

    goals: tuple[Goal, ...]
    before: Game
    after: Game
    judged: tuple[Judged, ...]
    left_out: int

    @property
    def payoff(self) -> Payoff:
        """What counted."""
        return payoff(self.before)


def payoff(game: Game) -> Payoff:
    """Return what counts in a round: points, in the last one the chance to win."""
    return Payoff(totals=game.totals if game.round == ROUNDS else None)


def rounds(record: Record) -> Iterator[PlayedRound]:
    """Yield the rounds of a record whose goals have been shown."""
    steps: list[Entry] = []
    for entry in record.entries:
        if not isinstance(entry.move, Reveal):
            steps.append(entry)
            continue
        raised = [step for step in steps if isinstance(step.move, Raise)]
        judged = tuple(_judged(raised, entry.move.goals))
        yield PlayedRound(
            entry.move.goals, entry.before, entry.after, judged, len(raised) - len(judged)
        )
        steps = []


def _judged(raised: list[Entry], goals: tuple[Goal, ...]) -> Iterator[Judged]:
    for entry in raised:
        game = entry.before
        try:
            found = solve(game.castle, game.seat, [goals], game.no_left, payoff(game), MOST)
        except TooMany:
            continue
        worth = {choice.character: float(choice.values[0, game.seat]) for choice in found.choices}
        best = max(sorted(worth), key=lambda character: round(worth[character], 9))
        assert isinstance(entry.move, Raise)
        yield Judged(entry, worth[entry.move.character], worth[best], Raise(best))
