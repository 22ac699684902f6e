"""Days in which face-down messages are known to all: the state times what is still face down.

A state is a set of messages as bits. Revealing leads to smaller sets, movements to lower sums, so
only passes within one set come round; there somebody may reveal instead of letting a pass happen,
several equilibria can exist, and the values are by definition what iteration over the movers in
the order of seats reaches from the values without messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from advisor.giveit.day.board import Board, Bools, Layer
from advisor.giveit.day.solve import GOES_ON, STOPS, Moves, chosen, pass_through
from advisor.giveit.day.worth import Change, Floats, Ints, Worth
from advisor.giveit.rules.corridor import AUDIENCE, FACES, MESSENGERS, Distances
from advisor.giveit.rules.messages import Add, Hand, Keep, Message, ReRoll, Stop

CLOSE: Final = 1e-12
"""Iteration ends when no value of a position changes by more."""
SWEEPS: Final = 300


@dataclass(frozen=True)
class Held:
    """A face-down message and the seat that holds it."""

    seat: int
    message: Message


def held(hands: Sequence[Hand]) -> tuple[Held, ...]:
    """Return all messages of some hands, seat by seat."""
    return tuple(Held(seat, message) for seat, hand in enumerate(hands) for message in hand)


def with_messages(worth: Worth, messages: Sequence[Held], gold: bool) -> Worth:
    """Return a worth whose states are the sets of messages still face down, delivered for gold."""
    sets = 1 << len(messages)
    throne = np.repeat(worth.throne[0], sets, axis=0)
    for number, each in enumerate(messages):
        if gold:
            down = [place for place in range(sets) if place >> number & 1]
            throne[down, :, each.seat, each.seat] += each.message.gold
    here: Ints = np.arange(sets)

    def spread(change: Change) -> Change:
        return Change(np.repeat(change.gains, sets, axis=0), here[None], np.zeros_like(here))

    return replace(
        worth,
        throne=(throne, throne),
        carpet=tuple(tuple(map(spread, row)) for row in worth.carpet),
        blame=(spread(worth.blame[0]), spread(worth.blame[1])),
        # Only the state without messages has the closed form.
        order=((here[:1],), (here[:1],)),
    )


@dataclass
class Window:
    """The roll of a layer of positions: what everybody may reveal, and what comes of it.

    Arrays of rolls are [6, positions, 4], of announcements [4, 6, positions, 4].
    """

    layer: Layer
    worth: Worth
    values: tuple[Floats, Floats]
    messages: tuple[Held, ...]

    def __post_init__(self) -> None:
        self.moves = Moves(self.layer, self.worth, self.values)
        self.rows = self.layer.rows
        self.blame = self.worth.blame[0].gains[0]

    @cached_property
    def announcements(self) -> list[tuple[Floats, Floats]]:
        """By roll, the values of moving each messenger and the movers' own."""
        return [self.moves.options(self.layer.landings(die)) for die in FACES]

    @cached_property
    def plain(self) -> dict[int, tuple[Floats, Bools]]:
        """By steps, the best movement and where there is one."""
        adds = {each.message.effect.value for each in self.messages
                if isinstance(each.message.effect, Add)}  # fmt: skip
        steps = {die + more for die in FACES for more in (0, *adds)}
        return {each: self.moves.best(self.layer.landings(each)) for each in sorted(steps)}

    def _with_effect(self, next_roll: str) -> list[Floats]:
        return [self.moves.best(self.layer.landings(die), next_roll)[0] for die in FACES]

    @cached_property
    def kept(self) -> list[Floats]:
        """By roll, the best movement after Keep the Die."""
        return self._with_effect(GOES_ON)

    @cached_property
    def stopped(self) -> list[Floats]:
        """By roll, the best movement after Stop Rolling."""
        return self._with_effect(STOPS)

    @cached_property
    def stuck(self) -> Bools:
        """[6, positions]: whether nobody can move."""
        return ~np.stack([self.plain[die][1] for die in FACES])

    def passed(self, down: int, mover: int, places: Ints | slice = slice(None)) -> Floats:
        """Return the values when the die passes to the next player: [positions, 4]."""
        seat = (mover + 1) % self.worth.players
        walks = self.layer.distances[places, seat] == AUDIENCE
        entered = self.worth.throne[self.layer.part][down, seat, seat]
        rolling = self.values[self.layer.part][self.rows][places, down, seat]
        found: Floats = self.blame + np.where(walks[:, None], entered, rolling)
        return found

    def kinds(self, down: int, seat: int) -> Iterator[int]:
        """Yield the numbers of a seat's face-down messages, equal ones once."""
        seen = set()
        for number, each in enumerate(self.messages):
            if down >> number & 1 and each.seat == seat and each.message not in seen:
                seen.add(each.message)
                yield number

    def revealed(self, down: int, mover: int, number: int) -> Floats:
        """Return the values of the rolls when a message is revealed."""
        left = down & ~(1 << number)
        effect = self.messages[number].message.effect
        if isinstance(effect, ReRoll):
            again = [self._played(left, mover, die, self.plain[die][0]) for die in FACES]
            return np.repeat(np.mean(again, axis=0)[None], len(FACES), axis=0)
        rolls = []
        for die in FACES:
            if isinstance(effect, Add):
                steps = die + effect.value
                rolls.append(self._played(left, mover, steps, self.plain[steps][0]))
            elif isinstance(effect, Stop):
                rolls.append(self._played(left, mover, die, self.stopped[die - 1]))
            else:
                assert isinstance(effect, Keep)
                again = self.blame + self.values[self.layer.part][self.rows, left, mover]
                moved = self.kept[die - 1][:, left, mover]
                rolls.append(np.where(self.plain[die][1][:, None], moved, again))
        return np.stack(rolls)

    def _played(self, left: int, mover: int, steps: int, best: Floats) -> Floats:
        possible = self.plain[steps][1][:, None]
        found: Floats = np.where(possible, best[:, left, mover], self.passed(left, mover))
        return found

    def answered(
        self,
        values: Floats,
        down: int,
        mover: int,
        shown: dict[int, Floats],
        after: int = 0,
    ) -> Floats:
        """Return what announcements are worth once the others were asked, clockwise.

        Only those more than `after` seats from the mover.
        """
        for far in reversed(range(after + 1, self.worth.players)):
            seat = (mover + far) % self.worth.players
            values = self._may_reveal(values, down, seat, shown)
        return values

    def _may_reveal(self, values: Floats, down: int, seat: int, shown: dict[int, Floats]) -> Floats:
        numbers = [number for number in self.kinds(down, seat) if number in shown]
        own = [np.broadcast_to(shown[number], values.shape) for number in numbers]
        if not own:
            return values
        options = np.stack([values, *own])
        return chosen(options, options[..., seat])

    def shown(self, down: int, mover: int) -> dict[int, Floats]:
        """Return the values of the rolls by the message revealed."""
        numbers = [n for seat in range(self.worth.players) for n in self.kinds(down, seat)]
        return {number: self.revealed(down, mover, number) for number in numbers}

    def moving(self, down: int, mover: int, shown: dict[int, Floats]) -> Floats:
        """Return the values of the rolls that can move somebody; of the others any."""
        options, possible = self.announced(down, mover)
        answered = self.answered(options, down, mover, shown)
        best = chosen(answered, np.where(possible, answered[..., mover], -np.inf))
        return self._may_reveal(best, down, mover, shown)

    def announced(self, down: int, mover: int) -> tuple[Floats, Bools]:
        """Return what announcements are worth if nobody reveals, and which are possible."""
        options = np.stack([values[:, :, down, mover] for values, _ in self.announcements], axis=1)
        own = np.stack([own[:, :, down, mover] for _, own in self.announcements], axis=1)
        return options, np.isfinite(own)

    def rolled(self, down: int, mover: int, shown: dict[int, Floats]) -> Floats:
        """Return the values of all rolls."""
        passing = self.passing(self.passed(down, mover), down, mover, shown)
        return np.where(self.stuck[:, :, None], passing, self.moving(down, mover, shown))

    def passing(self, passed: Floats, down: int, mover: int, shown: dict[int, Floats]) -> Floats:
        """Return the values of rolls that can move nobody, from those of the pass."""
        values = np.repeat(passed[None], len(FACES), axis=0)
        answered = self.answered(values, down, mover, shown)
        return self._may_reveal(answered, down, mover, shown)


@dataclass(frozen=True)
class Left:
    """What iteration left over: the largest last change, and how many values did not settle.

    A value here is a position with a set of messages.
    """

    residual: float = 0.0
    unsettled: int = 0

    def __add__(self, other: Left) -> Left:
        return Left(max(self.residual, other.residual), self.unsettled + other.unsettled)


@dataclass
class OpenSolution:
    """The values of a board by set of face-down messages, and what iteration left over."""

    board: Board
    worth: Worth
    values: tuple[Floats, Floats]
    messages: tuple[Held, ...]
    left: Left = Left()

    def window(self, distances: Distances) -> Window:
        """Return the roll at a position."""
        part, row = self.board.find(distances)
        where = np.array([distances], dtype=np.int64)
        layer = Layer(self.board, part, row, row + 1, where)
        return Window(layer, self.worth, self.values, self.messages)

    def rolling(self, distances: Distances, mover: int, down: int) -> Floats:
        """Return the values when the mover rolls and some messages are face down."""
        part, row = self.board.find(distances)
        found: Floats = self.values[part][row, down, mover]
        return found


def solve_open(board: Board, worth: Worth, messages: tuple[Held, ...], gold: bool) -> OpenSolution:
    """Return the values of a board with known hands."""
    spread = with_messages(worth, messages, gold)
    values = tuple(
        np.full((len(positions), 1 << len(messages), worth.players, MESSENGERS), np.nan)
        for positions in board.positions
    )
    solution = OpenSolution(board, spread, (values[0], values[1]), messages)
    for layer in board:
        window = Window(layer, spread, solution.values, messages)
        solution.left += _solve_layer(window)
    return solution


def _solve_layer(window: Window) -> Left:
    """Write the values of a layer."""
    moving = sum(np.where(p[:, None, None, None], best, 0) for best, p in
                 (window.plain[die] for die in FACES)) / len(FACES)  # fmt: skip
    pass_through(window.moves, np.asarray(moving), window.stuck.mean(axis=0))
    sets = sorted(range(1, 1 << len(window.messages)), key=int.bit_count)
    return sum((_iterate(window, down) for down in sets), Left())


def _iterate(window: Window, down: int) -> Left:
    values = window.values[window.layer.part][window.rows]
    values[:, down] = values[:, 0]
    movers = range(window.worth.players)
    shown = [window.shown(down, mover) for mover in movers]
    stuck = window.stuck[:, :, None]
    fixed = [
        np.where(stuck, 0.0, window.moving(down, mover, shown[mover])).mean(axis=0)
        for mover in movers
    ]
    places: Ints = np.arange(len(values))
    for _ in range(SWEEPS):
        before = values[places, down]
        for mover in movers:
            passed = window.passed(down, mover, places)
            passing = window.passing(passed, down, mover, shown[mover])
            through = np.where(stuck, passing, 0.0).mean(axis=0)
            values[places, down, mover] = fixed[mover] + through
        change = np.abs(values[places, down] - before).max(axis=(1, 2))
        going = change > CLOSE
        if not going.all():
            # What has settled stays: positions of one sum do not depend on each other.
            places, stuck, fixed = places[going], stuck[:, going], [row[going] for row in fixed]
            shown = [{n: rows[:, going] for n, rows in each.items()} for each in shown]
        if not len(places):
            break
    return Left(float(change.max()), len(places))
