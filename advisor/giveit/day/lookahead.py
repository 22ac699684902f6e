"""The rest of a roll step by step: everybody decides for himself, leaves are valued by others."""

from __future__ import annotations

from collections.abc import Callable

from advisor.giveit.day.advice import Row, mean_of_best
from advisor.giveit.rules.corridor import FACES, MESSENGERS
from advisor.giveit.rules.day import Day, Roll, Step

Leaf = Callable[[Day], Row]
"""Values of a day in which the die is to be rolled or that is over, the last gains left out."""


def after(day: Day, step: Step, leaf: Leaf) -> Row:
    """Return what everybody has to expect from a step on.

    Its gains are added, unless the day has purses: those tell the leaves.
    """
    later = day.apply(step)
    found = value(later, leaf)
    if later.captain is None or later.purses is not None or not any(later.gains):
        return found
    gains = (*later.gains, 0, 0, 0)[:MESSENGERS]
    return tuple(a + b for a, b in zip(found, gains, strict=True))


def value(day: Day, leaf: Leaf) -> Row:
    """Return what everybody has to expect, up to the next roll of a free window."""
    if day.is_over or (day.is_chance and not day.closed):
        return leaf(day)
    if day.is_chance:
        return rolled(day, leaf)
    return mean_of_best([after(day, step, leaf) for step in day.legal_actions()], day.actor)


def rolled(day: Day, leaf: Leaf) -> Row:
    """Return the mean over the die."""
    rows = [after(day, Roll(die), leaf) for die in FACES]
    return tuple(sum(column) / len(FACES) for column in zip(*rows, strict=True))


def choices(day: Day, leaf: Leaf) -> list[tuple[Step, Row]]:
    """Return what the seat to act can do, with what everybody has to expect."""
    return [(step, after(day, step, leaf)) for step in day.legal_actions()]
