"""The whole game as immutable states: five days, and between them messages restored and drawn."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Final

from advisor.errors import ImpossibleStep
from advisor.giveit.rules import captain as gold
from advisor.giveit.rules.box import Box
from advisor.giveit.rules.corridor import MESSENGERS
from advisor.giveit.rules.day import Day, Name, Step, new_day
from advisor.giveit.rules.messages import Hand, Message, kinds, without

DAYS: Final = 5
PURSE: Final = 5
HAND: Final = 2
COIN: Final = 1
RESTORING: Final = 1
"""What it costs to turn a message face down again."""


@dataclass(frozen=True)
class Restore:
    """A face-up message is turned face down for a gold."""

    message: Message


@dataclass(frozen=True)
class Draw:
    """The seat restores no more and draws a message."""


@dataclass(frozen=True)
class Shuffle:
    """The delivered messages become the pile, in this order."""

    pile: Hand


GameStep = Step | Restore | Draw | Shuffle


@dataclass(frozen=True)
class Game:
    """A game between two steps; `day` None between days, `queue` then the seats still to draw."""

    box: Box
    number: int
    day: Day | None
    pile: Hand
    delivered: Hand
    purses: gold.Purses
    captain: int
    hands: tuple[Hand, ...]
    shown: tuple[Hand, ...]
    order: tuple[int, ...]
    queue: tuple[int, ...] = ()
    heirs: tuple[int, ...] = ()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.purses)

    @property
    def is_over(self) -> bool:
        """Whether the last day is over."""
        return self.day is None and self.number == DAYS

    @property
    def is_chance(self) -> bool:
        """Whether the die or the shuffling decides."""
        return self.day.is_chance if self.day else self._shuffles

    @property
    def _shuffles(self) -> bool:
        return not (self.pile or self.heirs or self.is_over) and bool(self.delivered)

    @property
    def actor(self) -> int:
        """The seat that decides."""
        if self.day:
            return self.day.actor
        return self.captain if self.heirs else self.queue[0]

    def legal_actions(self) -> list[GameStep]:
        """Return what the seat to act can do."""
        if self.day:
            return [*self.day.legal_actions()]
        if self.heirs:
            return [Name(seat) for seat in self.heirs]
        seat = self.queue[0]
        can = kinds(self.shown[seat]) if self.purses[seat] >= RESTORING else []
        return [Draw(), *map(Restore, can)]

    def apply(self, step: GameStep) -> Game:
        """Return the game after a step."""
        if self.day and not isinstance(step, Restore | Draw | Shuffle):
            day = self.day.apply(step)
            return self._evening(day) if day.is_over else replace(self, day=day)
        if isinstance(step, Shuffle) and self._shuffles:
            if sorted(map(repr, step.pile)) == sorted(map(repr, self.delivered)):
                return replace(self, pile=step.pile, delivered=())
        elif not self.is_over and not self.is_chance and step in self.legal_actions():
            match step:
                case Name(seat):
                    return replace(self, captain=seat, heirs=())
                case Restore(message):
                    return self._restored(message)
                case Draw():
                    return self._drawn()
        raise ImpossibleStep(f"{step} is not possible now")

    def _evening(self, day: Day) -> Game:
        assert day.purses is not None
        assert day.captain is not None
        before = self.day.hands if self.day else day.hands
        paid = () if day.reached is None or day.reached >= self.players else before[day.reached]
        seats = range(self.players)
        return replace(
            self, day=None, delivered=(*self.delivered, *paid), purses=day.purses,
            captain=day.captain, hands=day.hands, shown=day.shown,
            order=tuple(sorted(range(MESSENGERS), key=day.distances.__getitem__)),
            queue=tuple((day.captain + far) % self.players for far in seats),
        )  # fmt: skip

    def _restored(self, message: Message) -> Game:
        seat = self.queue[0]
        game = self._paid(seat, -RESTORING)
        return replace(
            game,
            shown=_changed(self.shown, seat, without(self.shown[seat], message)),
            hands=_changed(self.hands, seat, (*self.hands[seat], message)),
        )

    def _drawn(self) -> Game:
        seat = self.queue[0]
        hands = _changed(self.hands, seat, (*self.hands[seat], *self.pile[:1]))
        game = replace(self, hands=hands, pile=self.pile[1:], queue=self.queue[1:])
        return game if game.queue else game.morning()

    def _paid(self, seat: int, amount: int) -> Game:
        purses = tuple(purse + amount * (each == seat) for each, purse in enumerate(self.purses))
        found = gold.heirs(purses, self.captain)
        if len(found) == 1:
            return replace(self, purses=purses, captain=found[0])
        return replace(self, purses=purses, heirs=found)

    def morning(self) -> Game:
        """Return the game at the beginning of the next day: starting spots, the day's coin."""
        distances = [0] * MESSENGERS
        for messenger, start in zip(self.order, self.box.starts, strict=True):
            distances[messenger] = start
        first = next(each for each in reversed(self.order) if each < self.players)
        game = self._paid(first, COIN)
        day = new_day(
            self.players, tuple(distances), first, self.hands, self.shown, game.captain, game.purses
        )
        heirs, game = game.heirs, replace(game, heirs=())
        return replace(game, number=self.number + 1, day=replace(day, heirs=heirs))

    def shares(self) -> tuple[float, ...]:
        """Return everybody's share of the victory: 1 to who has most gold."""
        return shares(self.purses, self.captain)


def shares(purses: gold.Purses, captain: int) -> tuple[float, ...]:
    """Return everybody's share of the victory; in a tie the captain wins, else it is shared."""
    most = max(purses)
    first = [seat for seat, purse in enumerate(purses) if purse == most]
    winners = [captain] if captain in first else first
    return tuple((seat in winners) / len(winners) for seat in range(len(purses)))


def new_game(players: int, box: Box, rng: random.Random) -> Game:
    """Return a game on its first morning, dealt by a generator."""
    pile = list(box.messages)
    rng.shuffle(pile)
    order = list(range(MESSENGERS))
    rng.shuffle(order)
    hands = tuple(tuple(pile[HAND * seat : HAND * (seat + 1)]) for seat in range(players))
    none: tuple[Hand, ...] = ((),) * players
    return Game(
        box, 0, None, tuple(pile[HAND * players :]), (), (PURSE,) * players,
        rng.randrange(players), hands, none, tuple(order),
    ).morning()  # fmt: skip


def _changed(rows: tuple[Hand, ...], at: int, row: Hand) -> tuple[Hand, ...]:
    return (*rows[:at], row, *rows[at + 1 :])
