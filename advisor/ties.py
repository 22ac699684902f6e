"""Values that are as good: within 1e-12, far above rounding and far below what matters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

TIE: Final = 1e-12
"""The kernel has the same."""

Item = TypeVar("Item")


def ranked(items: Sequence[Item], *values: Callable[[Item], float]) -> list[Item]:
    """Return the items, the largest first; those within TIE of the best not yet listed are equal.

    Equal ones are ranked by the next of the `values`, and at last stay in their order.
    """
    if not values:
        return list(items)
    value, *others = values
    rest = sorted(items, key=lambda item: -value(item))
    result: list[Item] = []
    while rest:
        least = value(rest[0]) - TIE
        equal = {id(item) for item in rest if value(item) >= least}
        # In the order in which they were given, not in that of values that count as equal.
        result += ranked([item for item in items if id(item) in equal], *others)
        rest = rest[len(equal) :]
    return result
