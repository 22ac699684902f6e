"""Days on fractions, straight from the literal state machine: the oracle of the tests.

A pass with nothing to pay, or with payments that nobody counts, comes round to the same position:
V(m) = A(m) + q (blame + V(m + 1)), solved as it stands. Equal choices are averaged.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from advisor.giveit.rules.corridor import MESSENGERS
from advisor.giveit.rules.day import Day, Move

Row = tuple[Fraction, ...]
ZERO: Row = (Fraction(0),) * MESSENGERS


@cache
def value(day: Day) -> Row:
    """Return what everybody has to expect: gold from now on, or without gold the throne."""
    if day.is_over:
        won = day.reached if day.captain is None else None
        return tuple(Fraction(won == seat) for seat in range(MESSENGERS))
    if not day.is_chance:
        return best([after(day, step) for step in day.legal_actions()], day.actor)
    return _round(day)


def after(day: Day, step: object) -> Row:
    """Return what a step gains and what is to be expected then."""
    later = day.apply(step)  # type: ignore[arg-type]
    return plus(gained(later), value(later.settled()))


def gained(day: Day) -> Row:
    """Return the gold of the last step."""
    gold = map(Fraction, day.gains) if day.captain is not None else ()
    return (*gold, *ZERO)[:MESSENGERS]


def _round(day: Day) -> Row:
    """Return the value of a day in which the die is to be rolled.

    Passes are followed as far as money changes; from the first position that comes round, the sum
    goes once round the table and is closed.
    """
    total, weight = ZERO, Fraction(1)
    here = day
    while True:
        moved, stuck, passed = _roll(here)
        total = plus(total, times(weight, moved))
        if not stuck:
            return total
        weight *= stuck
        assert passed is not None
        total = plus(total, times(weight, gained(passed)))
        here = passed.settled()
        if here == day:
            return times(1 / (1 - weight), total)
        if not _can_return(here, day):
            return plus(total, times(weight, value(here)))


def _can_return(here: Day, day: Day) -> bool:
    """Return whether passes may lead from here back to a day."""
    same = replace(here, turn=day.turn, gains=day.gains) == day
    return same and not here.is_over


def _roll(day: Day) -> tuple[Row, Fraction, Day | None]:
    """Return what rolls that move are worth, the chance of the others, and the day after these."""
    moved, stuck, passed = ZERO, Fraction(0), None
    for roll, chance in day.chance_outcomes():
        rolled = day.apply(roll)
        if rolled.legal_actions() == [Move(None)]:
            stuck, passed = stuck + chance, rolled.apply(Move(None))
        else:
            moved = plus(moved, times(chance, value(rolled.settled())))
    return moved, stuck, passed


def best(rows: list[Row], seat: int) -> Row:
    """Return the mean of the rows that are best for a seat."""
    most = max(row[seat] for row in rows)
    kept = [row for row in rows if row[seat] == most]
    return tuple(sum(column) / Fraction(len(kept)) for column in zip(*kept, strict=True))


def plus(one: Row, two: Row) -> Row:
    """Return the sum of two rows."""
    return tuple(a + b for a, b in zip(one, two, strict=True))


def times(factor: Fraction, row: Row) -> Row:
    """Return a row times a number."""
    return tuple(factor * each for each in row)


def reachable(day: Day) -> Iterator[Day]:
    """Yield every day that can follow, this one first, each once."""
    seen, new = {day}, [day]
    while new:
        here = new.pop()
        yield here
        if here.is_over:
            continue
        steps = (
            [step for step, _ in here.chance_outcomes()] if here.is_chance else here.legal_actions()
        )
        for step in steps:
            later = here.apply(step).settled()
            if later not in seen:
                seen.add(later)
                new.append(later)
