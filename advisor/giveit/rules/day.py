"""A day as a literal state machine of immutable states.

Chance rolls the die; the active player may reveal a message, announces a movement, the others are
asked clockwise whether they reveal. `gains` of a state is the gold that the step to it brought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Self

from advisor.errors import ImpossibleStep
from advisor.giveit.rules import captain as gold
from advisor.giveit.rules.corridor import (
    AUDIENCE,
    CARPET,
    FACES,
    Distances,
    Movement,
    carpet_taken,
    moved,
    movements,
)
from advisor.giveit.rules.messages import (
    Add,
    Effect,
    Hand,
    Keep,
    Message,
    ReRoll,
    Stop,
    kinds,
    without,
    worth,
)


class Stage(Enum):
    """What comes next in a day."""

    ROLL = "roll"
    REVEAL = "reveal"
    MOVE = "move"
    ANSWER = "answer"
    OVER = "over"


@dataclass(frozen=True)
class Roll:
    """The die shows a value."""

    die: int


@dataclass(frozen=True)
class Reveal:
    """The seat to act reveals a message."""

    message: Message


@dataclass(frozen=True)
class Quiet:
    """The seat to act reveals nothing."""


@dataclass(frozen=True)
class Move:
    """The active player announces to move a messenger; None where nobody can move."""

    messenger: int | None


@dataclass(frozen=True)
class Name:
    """The old captain names the new one."""

    seat: int


Step = Roll | Reveal | Quiet | Move | Name


@dataclass(frozen=True)
class Day:
    """A day between two steps.

    `purses` None: every payment is counted in full, and the captain stays. `captain` None: gold
    does not matter. `deliver` is what a delivery is worth besides the face-down messages.
    """

    players: int
    distances: Distances
    turn: int
    hands: tuple[Hand, ...]
    shown: tuple[Hand, ...]
    deliver: tuple[int, ...] = (0, 0, 0, 0)
    captain: int | None = None
    purses: gold.Purses | None = None
    stage: Stage = Stage.ROLL
    die: int = 0
    effect: Effect | None = None
    closed: bool = False
    announced: Movement | None = None
    asked: int = -1
    heirs: tuple[int, ...] = ()
    begins: bool = False
    reached: int | None = None
    gains: tuple[int, ...] = ()

    # ------------------------------------------------------------ what can happen

    @property
    def is_over(self) -> bool:
        """Whether a messenger is in the throne room and the captain is settled."""
        return self.stage is Stage.OVER and not self.heirs

    @property
    def is_chance(self) -> bool:
        """Whether the die decides."""
        return self.stage is Stage.ROLL and not self.heirs

    @property
    def actor(self) -> int:
        """The seat that decides."""
        if self.heirs:
            assert self.captain is not None
            return self.captain
        return self.asked if self.stage is Stage.ANSWER else self.turn

    @property
    def steps(self) -> int:
        """The roll with what a message added."""
        return self.die + (self.effect.value if isinstance(self.effect, Add) else 0)

    def chance_outcomes(self) -> list[tuple[Step, Fraction]]:
        """Return what the die can show."""
        return [(Roll(die), Fraction(1, 6)) for die in FACES]

    def legal_actions(self) -> list[Step]:
        """Return what the seat to act can do."""
        if self.heirs:
            return [Name(seat) for seat in self.heirs]
        if self.stage in (Stage.REVEAL, Stage.ANSWER):
            return [Quiet(), *(Reveal(message) for message in kinds(self.hands[self.actor]))]
        possible = movements(self.distances, self.steps)
        return [Move(messenger) for messenger, _ in possible] or [Move(None)]

    # ------------------------------------------------------------ what happens

    def apply(self, step: Step) -> Day:
        """Return the day after a step."""
        day = replace(self, gains=(0,) * self.players)
        match step:
            case Roll(die) if self.is_chance and die in FACES:
                return day._rolled(die)
            case _ if self.is_chance or self.is_over or step not in self.legal_actions():
                raise ImpossibleStep(f"{step} is not possible now")
            case Name(seat):
                day = replace(day, captain=seat, heirs=())
                return day.begun() if day.begins else day
            case Reveal(message):
                return day._revealed(message)
            case Quiet() if self.stage is Stage.REVEAL:
                return replace(day, stage=Stage.MOVE)
            case Quiet():
                return day._ask(self.asked)
            case Move(messenger):
                chosen = dict(movements(self.distances, self.steps))
                announced = None if messenger is None else (messenger, chosen[messenger])
                return replace(day, announced=announced)._ask(self.turn)
        raise AssertionError(step)

    def _rolled(self, die: int) -> Day:
        may = self.hands[self.turn] and not self.closed
        effect = self.effect if self.closed else None
        return replace(self, die=die, effect=effect, stage=Stage.REVEAL if may else Stage.MOVE)

    def _revealed(self, message: Message) -> Day:
        seat = self.actor
        hands = _changed(self.hands, seat, without(self.hands[seat], message))
        shown = _changed(self.shown, seat, (*self.shown[seat], message))
        again = isinstance(message.effect, ReRoll)
        return replace(
            self, hands=hands, shown=shown, effect=message.effect, closed=True, announced=None,
            stage=Stage.ROLL if again else Stage.MOVE, asked=-1,
        )  # fmt: skip

    def _ask(self, after: int) -> Day:
        """Ask the next player with a message; carry the announcement out when all were asked."""
        for seat in self._others():
            later = (seat - self.turn) % self.players > (after - self.turn) % self.players
            if later and self.hands[seat] and not self.closed:
                return replace(self, stage=Stage.ANSWER, asked=seat)
        return self._carried_out()

    def _others(self) -> Iterator[int]:
        return ((self.turn + far) % self.players for far in range(1, self.players))

    def _carried_out(self) -> Day:
        if self.announced is None:
            blamed = self._paid(
                () if self.captain is None else gold.blame(self.captain, self.players)
            )
            return blamed._rolls_on() if isinstance(self.effect, Keep) else blamed._next()
        messenger, end = self.announced
        day = replace(self, distances=moved(self.distances, self.announced))
        if end == 0:
            return day._ended(messenger)
        if end in CARPET and not carpet_taken(self.distances) and self.captain is not None:
            day = day._paid(gold.carpet(messenger, self.turn, self.captain, self.players))
        ends = messenger == self.turn or isinstance(self.effect, Stop)
        return day._next() if ends and not isinstance(self.effect, Keep) else day._rolls_on()

    def _rolls_on(self) -> Day:
        return replace(
            self, stage=Stage.ROLL, die=0, effect=None, closed=False, announced=None, asked=-1
        )

    def _next(self) -> Day:
        day = replace(self._rolls_on(), turn=(self.turn + 1) % self.players, begins=True)
        return day if day.heirs else day.begun()

    def begun(self) -> Day:
        """Return the day at the beginning of a turn: who stands before the door walks in."""
        day = replace(self, begins=False)
        if day.distances[day.turn] == AUDIENCE:
            return replace(day, distances=moved(day.distances, (day.turn, 0)))._ended(day.turn)
        return day

    def _ended(self, messenger: int) -> Day:
        day = replace(self._rolls_on(), stage=Stage.OVER, reached=messenger)
        if messenger >= self.players:
            return day._paid(gold.trainee_led(self.turn, self.players))
        paid = worth(self.hands[messenger]) + self.deliver[messenger]
        day = day._paid(tuple(paid * int(seat == messenger) for seat in range(self.players)))
        return replace(day, hands=_changed(self.hands, messenger, ()))

    def _paid(self, gains: tuple[int, ...]) -> Day:
        """Count gold; where there are purses, nobody pays what he has not, and captains change."""
        if self.captain is None or not gains:
            return self
        if self.purses is None:
            return replace(self, gains=_sum(self.gains, gains))
        gains = gold.afforded(gains, self.purses)
        purses = _sum(self.purses, gains)
        day = replace(self, purses=purses, gains=_sum(self.gains, gains))
        found = gold.heirs(purses, self.captain)
        return replace(day, captain=found[0]) if len(found) == 1 else replace(day, heirs=found)

    def settled(self) -> Self:
        """Return the same day without the gains of the last step."""
        return replace(self, gains=())


def new_day(
    players: int,
    distances: Distances,
    turn: int,
    hands: tuple[Hand, ...] | None = None,
    shown: tuple[Hand, ...] | None = None,
    captain: int | None = None,
    purses: gold.Purses | None = None,
    deliver: tuple[int, ...] = (0, 0, 0, 0),
) -> Day:
    """Return a day in which a turn begins."""
    none: tuple[Hand, ...] = ((),) * players
    day = Day(
        players, tuple(distances), turn, hands or none, shown or none, deliver, captain, purses,
        gains=(0,) * players,
    )  # fmt: skip
    return day.begun()


def _changed(rows: tuple[Hand, ...], at: int, row: Hand) -> tuple[Hand, ...]:
    return (*rows[:at], row, *rows[at + 1 :])


def _sum(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(first, second, strict=True))
