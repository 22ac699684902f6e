"""What a player can do with a roll, valued: the literal day, its outcomes looked up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from advisor.giveit.rules.captain import Purses
from advisor.giveit.rules.corridor import FACES, MESSENGERS, Distances
from advisor.giveit.rules.day import Day, Move, Roll

TIE: Final = 1e-11

Row = tuple[float, ...]
"""Values of all four messengers."""


class Values(Protocol):
    """Where the values of a day without messages are looked up."""

    def rolling(
        self, distances: Distances, mover: int, money: tuple[Purses, int] | None
    ) -> Iterable[float]:
        """Return what everybody has to expect when the mover rolls."""


@dataclass(frozen=True)
class Option:
    """A movement: the messenger, where it lands, what everybody has to expect, the own loss."""

    messenger: int
    to: int
    values: Row
    value: float
    loss: float


def outcome(day: Day, values: Values) -> Row:
    """Return what everybody has to expect from a day in which the die is to be rolled or is over.

    Gold counts from the last step on, that step included; a day without gold counts the throne.
    """
    if day.heirs:
        named = [outcome(day.apply(step), values) for step in day.legal_actions()]
        found = mean_of_best(named, day.actor)
    elif day.is_over:
        won = day.reached if day.captain is None else None
        found = tuple(float(won == seat) for seat in range(MESSENGERS))
    else:
        money = None if day.purses is None or day.captain is None else (day.purses, day.captain)
        found = tuple(map(float, values.rolling(day.distances, day.turn, money)))
    if day.captain is None:
        return found
    return tuple(a + b for a, b in zip(found, (*day.gains, 0, 0, 0), strict=False))


def mean_of_best(rows: Sequence[Row], seat: int) -> Row:
    """Return the mean of the rows that are best for a seat."""
    best = max(row[seat] for row in rows)
    kept = [row for row in rows if row[seat] >= best - TIE]
    return tuple(sum(column) / len(kept) for column in zip(*kept, strict=True))


def options(day: Day, die: int, values: Values) -> list[Option]:
    """Return the movements that a roll allows, best first; none where nobody can move."""
    rolled = day.apply(Roll(die))
    moves = [step for step in rolled.legal_actions() if isinstance(step, Move)]
    steps = [step for step in moves if step.messenger is not None]
    after = [(step.messenger or 0, rolled.apply(step)) for step in steps]
    rows = [(messenger, later, outcome(later, values)) for messenger, later in after]
    best = max((row[day.turn] for _, _, row in rows), default=0.0)
    found = [
        Option(
            messenger, later.distances[messenger], row, row[day.turn],
            max(0.0, best - row[day.turn]),
        )
        for messenger, later, row in rows
    ]  # fmt: skip
    return sorted(found, key=lambda option: option.loss if option.loss > TIE else 0.0)


def rolled(day: Day, die: int, values: Values) -> tuple[list[Option], Row]:
    """Return the movements of a roll and what everybody has to expect after it."""
    found = options(day, die, values)
    if found:
        return found, mean_of_best([option.values for option in found], day.turn)
    return found, outcome(day.apply(Roll(die)).apply(Move(None)), values)


def value(day: Day, values: Values) -> Row:
    """Return what everybody has to expect at the beginning of a turn, worked out of all rolls."""
    if day.is_over:
        return outcome(day, values)
    rows = [rolled(day, die, values)[1] for die in FACES]
    return tuple(sum(column) / len(FACES) for column in zip(*rows, strict=True))
