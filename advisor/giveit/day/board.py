"""All positions that can come from one, as arrays, in order of the sum of distances.

Positions before and after somebody landed on the carpet are apart: they differ in what money can
still do. Every movement lowers the sum, so the layers of one sum depend on lower ones only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.giveit.rules.corridor import CARPET, JUMP, MESSENGERS, Distances

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PARTS: Final = 2
OPEN, TAKEN = range(PARTS)
"""Nobody has landed on the carpet yet; somebody has."""


@dataclass(frozen=True)
class Landing:
    """Where a roll brings one messenger, from those positions of a layer where it can go.

    `moved` [legal, 4]: where all stand then; `place`: its row in the part, any if `ends`.
    """

    messenger: int
    legal: Bools
    """By position of the layer; what follows is by legal position."""
    moved: Ints
    place: Ints
    ends: Bools
    """Whether the throne is entered."""
    enters: Bools
    """Whether this is the first landing on the carpet."""


@dataclass(frozen=True)
class Layer:
    """The positions of one part and one sum: rows `first` to `last` of the part."""

    board: Board
    part: int
    first: int
    last: int
    distances: Ints

    @property
    def rows(self) -> slice:
        """The rows of the part."""
        return slice(self.first, self.last)

    def landings(self, steps: int) -> list[Landing]:
        """Return where a roll brings each messenger."""
        return [self._landing(messenger, steps) for messenger in range(MESSENGERS)]

    def _landing(self, messenger: int, steps: int) -> Landing:
        where = self.distances
        own = where[:, messenger]
        if steps == JUMP:
            end = where.min(axis=1) - 1
            legal = own == where.max(axis=1)
        else:
            end = own - steps
            between = (where > end[:, None]) & (where < own[:, None])
            empty = (where != end[:, None]).all(axis=1)
            legal = between.any(axis=1) & empty & (end >= 0)
        moved, end = where[legal], end[legal]
        moved[:, messenger] = end
        ends = end == 0
        entering = (end <= CARPET[-1]) & ~ends & (self.part == OPEN)
        place = np.where(ends, 0, self.board.places[moved @ self.board.strides])
        return Landing(messenger, legal, moved, place, ends, entering)


class Board:
    """The positions in which no messenger is farther than its limit."""

    def __init__(self, limits: Distances) -> None:
        self.limits = limits
        sizes = np.array(limits, dtype=np.int64) + 1
        self.strides: Ints = np.append(np.cumprod(sizes[::-1])[-2::-1], 1)
        every = np.indices(limits, dtype=np.int32).reshape(MESSENGERS, -1).T + 1
        apart = [
            every[:, one] != every[:, two]
            for one in range(MESSENGERS)
            for two in range(one + 1, MESSENGERS)
        ]
        every = every[np.logical_and.reduce(apart)]
        taken = every.min(axis=1) <= CARPET[-1]
        self.positions = [_by_sum(every[~taken]), _by_sum(every[taken])]
        self.places: NDArray[np.int32] = np.full(int(sizes.prod()), -1, dtype=np.int32)
        for part in self.positions:
            self.places[part @ self.strides] = np.arange(len(part))

    def __len__(self) -> int:
        return sum(map(len, self.positions))

    def find(self, distances: Distances) -> tuple[int, int]:
        """Return the part and the row of a position."""
        part = TAKEN if min(distances) in CARPET else OPEN
        return part, int(self.places[np.array(distances, dtype=np.int64) @ self.strides])

    @cached_property
    def layers(self) -> list[tuple[int, int, int, int]]:
        """(sum, part, first row, last row) of every layer, by rising sum."""
        found = []
        for part, positions in enumerate(self.positions):
            sums, firsts = np.unique(positions.sum(axis=1), return_index=True)
            ends = [*firsts[1:].tolist(), len(positions)] if len(positions) else []
            rows = zip(sums.tolist(), firsts.tolist(), ends, strict=True)
            found += [(total, part, first, last) for total, first, last in rows]
        return sorted(found)

    def __iter__(self) -> Iterator[Layer]:
        for _, part, first, last in self.layers:
            yield Layer(self, part, first, last, self.positions[part][first:last].astype(np.int64))


def _by_sum(positions: NDArray[np.int32]) -> NDArray[np.int32]:
    return positions[np.argsort(positions.sum(axis=1), kind="stable")]


def positions_within(limits: Distances) -> int:
    """Return how many positions a board with these limits has."""
    found = 1
    for before, limit in enumerate(sorted(limits)):
        found *= max(limit - before, 0)
    return found
