"""Values that are as good: within 1e-12, far above rounding and far below what matters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

TIE: Final = 1e-12
"""The kernel has the same."""
EQUAL: Final = TIE / 2
"""Differences up to this are shown as none."""

Item = TypeVar("Item")


def ranked(items: Sequence[Item], *values: Callable[[Item], float]) -> list[Item]:
    """Return the items, the largest first; those within TIE of the best not yet listed are equal.

    Equal ones are ranked by the next of the `values`, and at last stay in their order.
    """
    if not values:
        return list(items)
    value, *others = values
    placed = ((value(item), place) for place, item in enumerate(items))
    rest = sorted(placed, key=lambda each: -each[0])
    result: list[Item] = []
    while rest:
        least = rest[0][0] - TIE
        number = next((n for n, (worth, _) in enumerate(rest) if worth < least), len(rest))
        # In the order in which they were given, not in that of values that count as equal.
        equal = sorted(place for _, place in rest[:number])
        result += ranked([items[place] for place in equal], *others)
        rest = rest[number:]
    return result
