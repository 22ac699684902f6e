"""Ends of rounds with known goals, solved exactly: every player maximises the own value.

Equal choices are averaged. Every step raises one character by one floor (out counts as one above
the highest), so the castles form layers by the sum of floors, and the layer says whose turn it is.
Characters that are favourites of the same players in every deal are interchangeable: a castle is
stored with the floors of each such class ascending, three bits each, so that raising the last of
those on one floor keeps the order. Many deals are solved side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.errors import TooLarge
from advisor.kingme.round.payoff import GONE, Floors, Members, Payoff, Values
from advisor.kingme.rules.castle import Castle, inside
from advisor.kingme.rules.data import ROOM, TOP
from advisor.kingme.rules.goals import Goal

Codes = NDArray[np.int64]
Bools = NDArray[np.bool_]

TIE: Final = 1e-11
_BITS: Final = 3
_LARGEST: Final = 1 << 19
"""Numbers in an array that is worked on at a time."""


class TooMany(TooLarge):
    """More states than allowed."""


@dataclass(frozen=True)
class Choice:
    """A character that can rise: onto floor `to` (6 the throne), with the values by deal and seat.

    `by` (on the throne): the seat by deal whose No it meets, -1 for none.
    """

    character: int
    to: int
    values: Values
    by: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Solution:
    """Values of a position by deal and seat, those of each move, how many states it has."""

    values: Values
    choices: tuple[Choice, ...]
    states: int


def members_of(goals: Sequence[Sequence[Goal]], characters: Sequence[int]) -> Members:
    """Return which characters are favourites, by deal, seat and character."""
    return np.array(
        [[[float(c in goal) for c in characters] for goal in deal] for deal in goals], np.float64
    )


def solve(
    castle: Castle,
    turn: int,
    goals: Sequence[Sequence[Goal]],
    no_left: Sequence[int],
    payoff: Payoff = Payoff(),  # noqa: B008 - immutable
    most: int | None = None,
) -> Solution:
    """Return the values of a castle in which the seat `turn` moves, for each deal of goals.

    On a vote whoever gains by the candidate, or has no No left, says Yes; of the others the first
    from the mover's left plays one No (see docs/kingme.md). Raises TooMany beyond `most` states.
    """
    return _Solver(castle, turn, goals, tuple(no_left), payoff).solve(most)


class _Solver:
    def __init__(
        self,
        castle: Castle,
        turn: int,
        goals: Sequence[Sequence[Goal]],
        no_left: tuple[int, ...],
        payoff: Payoff,
    ) -> None:
        self.castle, self.turn, self.payoff = castle, turn, payoff
        self.players = len(no_left)
        members = members_of(goals, inside(castle))
        columns = [column.tobytes() for column in np.moveaxis(members, 2, 0).copy()]
        order = sorted(
            range(len(columns)), key=lambda at: (columns[at], castle[inside(castle)[at]])
        )
        self.characters = [inside(castle)[at] for at in order]
        self.members = np.ascontiguousarray(members[:, :, order])
        self.classes = [columns[at] for at in order]
        self.size = len(order)
        self.no_left = no_left
        bases = [left + 1 for left in no_left]
        self.strides = [
            int(np.prod(bases[:seat], dtype=np.int64)) << (_BITS * self.size)
            for seat in range(self.players)
        ]

    @cached_property
    def root(self) -> int:
        """The code of the position: floors, above them the No cards left."""
        floors = sum(self.castle[c] << (_BITS * at) for at, c in enumerate(self.characters))
        spare = zip(self.no_left, self.strides, strict=True)
        return floors + sum(left * stride for left, stride in spare)

    def floors(self, codes: Codes) -> Floors:
        """Return the floors by castle and character."""
        shifts = _BITS * np.arange(self.size, dtype=np.int64)
        return (codes[:, None] >> shifts) & 7

    def left(self, codes: Codes, seat: int) -> NDArray[np.int64]:
        """Return the No cards that a seat has left, by castle."""
        return (codes // self.strides[seat]) % (self.no_left[seat] + 1)

    def movable(self, floors: Floors) -> Bools:
        """Return which characters can rise, one for each class and floor."""
        full = np.stack(
            [(floors == floor).sum(axis=1) >= ROOM for floor in range(TOP + 1)]
            + [np.zeros(len(floors), bool)],
            axis=1,
        )
        full[:, 0] = False
        above = np.minimum(floors + 1, GONE)
        free = ~np.take_along_axis(full, above, axis=1) & (floors <= TOP)
        for at in range(self.size - 1):
            if self.classes[at] == self.classes[at + 1]:
                free[:, at] &= floors[:, at + 1] > floors[:, at]
        return free

    def alike(self, floors: Floors, at: int) -> Values:
        """Return for how many interchangeable characters of its floor one stands, by castle."""
        same = [other for other in range(self.size) if self.classes[other] == self.classes[at]]
        count: Values = (floors[:, same] == floors[:, [at]]).sum(axis=1).astype(float)
        return count

    # ------------------------------------------------------------ forward

    def layers(self, most: int | None) -> list[Codes]:
        """Return the castles that can come about, layer by layer, ascending in each."""
        found, states = [np.array([self.root], np.int64)], 1
        while len(found[-1]):
            following = [
                part for codes in _parts(found[-1], self.size) for part in self._next(codes)
            ]
            layer = np.unique(np.concatenate(following)) if following else np.empty(0, np.int64)
            states += len(layer)
            if most is not None and states > most:
                raise TooMany(f"more than {most} states")
            found.append(layer)
        return found[:-1]

    def _next(self, codes: Codes) -> Iterator[Codes]:
        floors = self.floors(codes)
        free = self.movable(floors)
        for at in range(self.size):
            step = 1 << (_BITS * at)
            yield codes[free[:, at] & (floors[:, at] < TOP)] + step
            crowning = codes[free[:, at] & (floors[:, at] == TOP)]
            for seat in range(self.players if any(self.no_left) else 0):
                yield crowning[self.left(crowning, seat) > 0] + step - self.strides[seat]

    # ------------------------------------------------------------ backward

    def solve(self, most: int | None) -> Solution:
        layers = self.layers(most)
        states = sum(map(len, layers))
        codes, values = np.empty(0, np.int64), np.empty((0, *self.members.shape[:2]))
        for number in range(len(layers) - 1, 0, -1):
            turn = (self.turn + number) % self.players
            width = self.size * self.members.shape[0] * self.players
            parts = [
                self._best(part, turn, codes, values) for part in _parts(layers[number], width)
            ]
            codes, values = layers[number], np.concatenate(parts)
        best = self._best(layers[0], self.turn, codes, values)[0]
        return Solution(best, tuple(self._choices(codes, values)), states)

    def _best(self, codes: Codes, turn: int, later: Codes, values: Values) -> Values:
        """Return the values of castles: the mover's best moves, equal ones averaged."""
        floors = self.floors(codes)
        free = self.movable(floors)
        options = []
        best = np.full((len(codes), self.members.shape[0]), -np.inf)
        for at in range(self.size):
            rows = np.flatnonzero(free[:, at])
            worth, _ = self._move(codes[rows], floors[rows], at, turn, later, values)
            options.append((rows, worth))
            best[rows] = np.maximum(best[rows], worth[:, :, turn])
        total = np.zeros((*best.shape, self.players))
        weight = np.zeros(best.shape)
        for at, (rows, worth) in enumerate(options):
            alike = self.alike(floors[rows], at)[:, None]
            share = np.where(worth[:, :, turn] >= best[rows] - TIE, alike, 0.0)
            total[rows] += share[:, :, None] * worth
            weight[rows] += share
        return total / weight[:, :, None]

    def _move(
        self, codes: Codes, floors: Floors, at: int, turn: int, later: Codes, values: Values
    ) -> tuple[Values, NDArray[np.int64]]:
        """Return the values after a character rises, and whose No it meets (-1: nobody's)."""
        step = 1 << (_BITS * at)
        throne = floors[:, at] == TOP
        worth = np.empty((len(codes), *self.members.shape[:2]))
        by = np.full(worth.shape[:2], -1, np.int64)
        worth[~throne] = values[np.searchsorted(later, codes[~throne] + step)]
        if throne.any():
            worth[throne], by[throne] = self._vote(
                codes[throne], floors[throne], at, turn, later, values
            )
        return worth, by

    def _vote(
        self, codes: Codes, floors: Floors, at: int, turn: int, later: Codes, values: Values
    ) -> tuple[Values, NDArray[np.int64]]:
        """Return the values of votes on a character, and whose No it meets."""
        crowned = self.payoff.crowned(floors, at, self.members)
        worth, by = crowned.copy(), np.full(crowned.shape[:2], -1, np.int64)
        if not any(self.no_left):
            return worth, by
        step = 1 << (_BITS * at)
        for distance in range(1, self.players + 1):
            seat = (turn + distance) % self.players
            rows = np.flatnonzero(self.left(codes, seat) > 0)
            refused = values[np.searchsorted(later, codes[rows] + step - self.strides[seat])]
            gains = refused[:, :, seat] > crowned[rows][:, :, seat] + TIE
            says = gains & (by[rows] < 0)
            worth[rows] = np.where(says[:, :, None], refused, worth[rows])
            by[rows] = np.where(says, seat, by[rows])
        return worth, by

    def _choices(self, later: Codes, values: Values) -> Iterator[Choice]:
        """Yield every character that can rise in the position itself."""
        code = np.array([self.root], np.int64)
        floors = self.floors(code)
        free = self.movable(floors)[0]
        for at, character in enumerate(self.characters):
            floor = int(floors[0, at])
            twins = (
                other
                for other in range(at, self.size)
                if free[other] and self.classes[other] == self.classes[at]
                and floors[0, other] == floor
            )  # fmt: skip
            chosen = next(twins, None)
            if chosen is not None:
                worth, by = self._move(code, floors, chosen, self.turn, later, values)
                yield Choice(character, floor + 1, worth[0], by[0] if floor == TOP else None)


def _parts(codes: Codes, width: int) -> Iterator[Codes]:
    """Yield a layer in parts that are worked on at a time."""
    size = max(1, _LARGEST // max(width, 1))
    for start in range(0, len(codes), size):
        yield codes[start : start + size]


# ---------------------------------------------------------------- how many states


def states_at_most(castle: Castle, goals: Sequence[Goal], no_left: Sequence[int]) -> int:
    """Return a bound of the states that a solution visits, close where floors have room.

    Counted are all castles in which everybody stands at least as high, with at most four on a
    floor, times the ways in which as many No cards can be spent as characters are out.
    """
    groups: dict[tuple[bool, ...], list[int]] = {}
    for character in inside(castle):
        groups.setdefault(tuple(character in goal for goal in goals), []).append(castle[character])
    outs = min(sum(no_left), len(inside(castle)))
    shape = (*(ROOM + 1,) * TOP, outs + 1)
    ways = np.zeros(shape)
    ways[(0,) * (TOP + 1)] = 1
    for floors in groups.values():
        more = np.zeros(shape)
        for counts in _counts(sorted(floors), outs > 0):
            if counts[-1] <= outs and max(counts[:-1]) <= ROOM:
                to = tuple(slice(count, None) for count in counts)
                source = tuple(
                    slice(None, size - count) for size, count in zip(shape, counts, strict=True)
                )
                more[to] += ways[source]
        ways = more
    spent = np.zeros(outs + 1)
    for cards in product(*(range(left + 1) for left in no_left)):
        if sum(cards) <= outs:
            spent[sum(cards)] += 1
    return int(ways.sum(axis=tuple(range(TOP))) @ spent)


def _counts(floors: list[int], may_go: bool) -> Iterator[tuple[int, ...]]:
    """Yield how many of a class can stand on the floors 1 to 5 and be out, each way once."""
    highest = GONE if may_go else TOP

    def ways(at: int, lowest: int) -> Iterator[list[int]]:
        if at == len(floors):
            yield []
            return
        for floor in range(max(floors[at], lowest), highest + 1):
            for rest in ways(at + 1, floor):
                yield [floor, *rest]

    for way in ways(0, 0):
        yield tuple(way.count(floor) for floor in range(1, GONE + 1))


def bytes_needed(states: int, deals: int = 1, players: int = 6) -> int:
    """Return about how much memory the solution of so many states takes."""
    return states * (40 + 8 * deals * players) + 64 * _LARGEST
