"""Multisets of dice as six counts, literally: parse, format, enumerate, weigh, rank."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import factorial
from typing import TYPE_CHECKING, Final

from advisor.errors import InvalidDice
from advisor.text import quoted

if TYPE_CHECKING:
    import numpy as np

Counts = tuple[int, ...]
"""How many dice show 1, 2, ... 6."""

Rank = tuple[int, int]
"""Number alike and value of the best group of a result; later in this order is higher."""

FACES: Final = range(1, 7)
MOST: Final = 12
"""Dice in the box."""
SEEDS: Final = 10**18
"""Seeds are whole numbers below this one."""
RANKS: Final = 6 * (MOST + 1)
"""Rank numbers in use: 0 to twelve 6s."""
NONE: Final[Counts] = (0, 0, 0, 0, 0, 0)


def parse_dice(text: str) -> Counts:
    """Return the counts of dice written as digits in any order, `6552` or `6,5,5,2`.

    Raises InvalidDice for what is no die value, and for more dice than the box has.
    """
    digits = text.replace(",", "").replace(" ", "")
    for digit in digits:
        if digit not in "123456":
            raise InvalidDice(
                f"{quoted(text)} is not a list of dice: {digit!r} is no die value; "
                "write the values 1 to 6, for example 6552"
            )
    if len(digits) > MOST:
        raise InvalidDice(
            f"{quoted(text)} are {len(digits)} dice, but the box has only {MOST}; leave some out"
        )
    return tuple(digits.count(str(face)) for face in FACES)


def format_dice(dice: Counts, separator: str = "") -> str:
    """Return the dice in ascending order as digits; `parse_dice` reads it back."""
    return separator.join(str(face) for face in faces(dice))


def of_faces(values: Iterator[int] | list[int] | tuple[int, ...]) -> Counts:
    """Return the counts of the given die values."""
    listed = list(values)
    return tuple(listed.count(face) for face in FACES)


def faces(dice: Counts) -> list[int]:
    """Return the die values in ascending order."""
    return [face for face in FACES for _ in range(dice[face - 1])]


def distinct(dice: Counts) -> list[int]:
    """Return the values that occur, ascending, each once."""
    return [face for face in FACES if dice[face - 1]]


def plus(dice: Counts, other: Counts) -> Counts:
    """Return both multisets together."""
    return tuple(a + b for a, b in zip(dice, other, strict=True))


def minus(dice: Counts, other: Counts) -> Counts:
    """Return the dice without `other`, which must be among them."""
    return tuple(a - b for a, b in zip(dice, other, strict=True))


def contains(dice: Counts, part: Counts) -> bool:
    """Return whether all dice of `part` are among them."""
    return all(have >= need for have, need in zip(dice, part, strict=True))


def single(face: int) -> Counts:
    """Return the multiset of one die."""
    return tuple(int(face == other) for other in FACES)


@lru_cache(maxsize=4096)
def parts(dice: Counts) -> tuple[Counts, ...]:
    """Return every sub-multiset, the empty one and the whole included."""
    found: list[Counts] = [()]
    for count in dice:
        found = [(*part, taken) for part in found for taken in range(count + 1)]
    return tuple(found)


@lru_cache(maxsize=16)
def rolls(number: int) -> tuple[tuple[Counts, int], ...]:
    """Return each distinct roll of `number` dice with its weight; the weights sum to 6^number."""
    return tuple((roll, _weight(roll)) for roll in _multisets(number, 6))


def _multisets(number: int, kinds: int) -> Iterator[Counts]:
    if kinds == 1:
        yield (number,)
        return
    for first in range(number, -1, -1):
        for rest in _multisets(number - first, kinds - 1):
            yield (first, *rest)


def _weight(roll: Counts) -> int:
    ways = factorial(sum(roll))
    for count in roll:
        ways //= factorial(count)
    return ways


def thrown(number: int, rng: np.random.Generator) -> Counts:
    """Return how so many dice fall."""
    return of_faces([int(face) for face in rng.integers(1, 7, number)])


def rank(dice: Counts) -> Rank:
    """Return (number alike, value) of the best group as the final round ranks it, or (0, 0)."""
    groups = ((count, face) for face, count in zip(FACES, dice, strict=True) if count)
    return max(groups, default=(0, 0))


def rank_number(rank: Rank) -> int:
    """Return the place of a rank among all, 0 for no dice; a higher rank has a higher number."""
    alike, face = rank
    return 6 * alike + max(face, 1) - 1


def numbered_rank(number: int) -> Rank:
    """Return the rank with a number, the inverse of `rank_number` for at least one die."""
    return number // 6, number % 6 + 1


def parse_rank(text: str) -> Rank:
    """Return the rank written as number x value, for example 8x3 for eight 3s."""
    found = re.fullmatch(r"\s*([0-9]{1,3})\s*[xX*]\s*([1-6])\s*", text)
    if not found or not int(found[1]):
        raise InvalidDice(f"{quoted(text)} is no rank: write number x value, for example 7x5")
    if int(found[1]) > MOST:
        raise InvalidDice(
            f"{quoted(text)}: the box has only {MOST} dice; write at most {MOST} alike, for "
            "example 8x3"
        )
    return int(found[1]), int(found[2])


def format_rank(rank: Rank) -> str:
    """Return the rank as `parse_rank` reads it."""
    return f"{rank[0]}x{rank[1]}"
