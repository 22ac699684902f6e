"""Multisets of dice as consecutive numbers: the arrays the kernel works on.

The id of a multiset counts all smaller multisets and, within its size, those whose digit string
comes first. With n_i the number of dice above face i,

    id = C(n_0 + 5, 6) + C(n_1 + 4, 5) + C(n_2 + 3, 4) + C(n_3 + 2, 3) + C(n_4 + 1, 2) + C(n_5, 1)

(the combinatorial number system), so ids of one size are consecutive and sorted.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int32]
_Kind = TypeVar("_Kind", bound=np.generic)

MAX_DICE: Final = 12
SIZES: Final = np.array([comb(n + 5, 6) for n in range(MAX_DICE + 2)], dtype=np.int32)
"""The id of the first multiset of each size."""

_CHOOSE: Final = np.array(
    [[comb(n + 5 - i, 6 - i) for n in range(MAX_DICE + 2)] for i in range(6)], dtype=np.int32
)


class Rows(NamedTuple):
    """Lists of numbers, one list a row, end to end: row i is `items[offsets[i]:offsets[i + 1]]`."""

    offsets: Ids
    items: Ids


def ids(counts: NDArray[np.int8]) -> Ids:
    """Return the id of each multiset; `counts` has the six counts on its last axis."""
    above = counts[..., 5].astype(np.int32)
    result: Ids = _CHOOSE[5][above]
    for i in range(4, -1, -1):
        above = above + counts[..., i]
        result = result + _CHOOSE[i][above]
    return result


@lru_cache(maxsize=MAX_DICE + 1)
def table(dice: int) -> NDArray[np.int8]:
    """Return the counts of all multisets of at most `dice` dice by id: (C(dice + 6, 6), 6)."""
    return _frozen(np.concatenate([of_size(number) for number in range(dice + 1)]))


@lru_cache(maxsize=MAX_DICE + 1)
def of_size(number: int) -> NDArray[np.int8]:
    """Return the counts of all multisets of exactly `number` dice, by rank."""
    if number == 0:
        return _frozen(np.zeros((1, 6), dtype=np.int8))
    return _frozen((_digits(number)[:, :, None] == range(1, 7)).sum(axis=1, dtype=np.int8))


def _digits(number: int) -> NDArray[np.int8]:
    """Return the values of all multisets of `number` dice, ascending, by rank."""
    listed = list(combinations_with_replacement(range(1, 7), number))
    return np.array(listed, dtype=np.int8).reshape(len(listed), number)


@lru_cache(maxsize=MAX_DICE + 1)
def dictionary_order(dice: int) -> NDArray[np.intp]:
    """Return the ids of all multisets of at most `dice` dice in the order of their digit strings.

    A string comes before all longer ones that begin with it.
    """
    place = 7 ** np.arange(MAX_DICE - 1, -1, -1, dtype=np.int64)
    keys = [_digits(number) @ place[:number] for number in range(dice + 1)]
    return np.argsort(np.concatenate(keys))


def _frozen(array: NDArray[_Kind]) -> NDArray[_Kind]:
    """Return the array, read-only: the kernel takes it as it is and copies others."""
    array.setflags(write=False)
    return array


@lru_cache(maxsize=4)
def successors(dice: int) -> Ids:
    """Return the id with one die of each face added: shape (multisets below `dice` dice, 6)."""
    smaller = table(dice)[: SIZES[dice]]
    return _frozen(ids(smaller[:, None, :] + np.eye(6, dtype=np.int8)))


@lru_cache(maxsize=4)
def predecessors(dice: int) -> Rows:
    """Return for each multiset of at most `dice` dice the ids with one of its dice taken away."""
    counts = table(dice)
    owner, face = np.nonzero(counts)
    smaller = counts[owner]
    smaller[np.arange(len(owner)), face] -= 1
    return rows(owner, ids(smaller), len(counts))


@lru_cache(maxsize=4)
def weights(dice: int) -> NDArray[np.float64]:
    """Return in how many ways each multiset of at most `dice` dice can fall (exact integers)."""
    factorials = np.array([factorial(n) for n in range(MAX_DICE + 1)], dtype=np.int64)
    counts = table(dice)
    ways = factorials[counts.sum(axis=1)] // np.prod(factorials[counts], axis=1)
    return _frozen(ways.astype(np.float64))


def rows(owner: NDArray[np.intp], items: Ids, count: int) -> Rows:
    """Group `items` by `owner` (row numbers below `count`), keeping their order in each row."""
    order = np.argsort(owner, kind="stable")
    offsets = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(np.bincount(owner, minlength=count), out=offsets[1:])
    return Rows(_frozen(offsets), _frozen(np.ascontiguousarray(items[order], dtype=np.int32)))


class Space(NamedTuple):
    """What the kernel needs to know about multisets of at most so many dice."""

    first: Ids
    successors: Ids
    predecessors: Rows
    weights: NDArray[np.float64]
    counts: NDArray[np.int8]


@lru_cache(maxsize=4)
def space(dice: int) -> Space:
    """Return the arrays for multisets of at most `dice` dice."""
    return Space(SIZES, successors(dice), predecessors(dice), weights(dice), table(dice))
