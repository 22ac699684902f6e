"""A game being played: bots and forced steps by themselves, the rest by what is typed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from advisor.errors import InvalidInput, InvalidOption
from advisor.giveit.day import advice, lookahead, tables
from advisor.giveit.play.bots import BOTS, Best, Bot, make_bot
from advisor.giveit.play.simulate import by_chance
from advisor.giveit.rules.corridor import PLAYERS
from advisor.giveit.rules.day import Day, Move, Name, Quiet, Reveal, Roll, Stage
from advisor.giveit.rules.game import Draw, Game, GameStep, Restore
from advisor.giveit.rules.messages import Hand, Message, kinds

HUMAN: Final = "human"


@dataclass(frozen=True)
class Seat:
    """A player: what kind, and the name it is shown by."""

    kind: str
    name: str


def read_seats(text: str) -> list[Seat]:
    """Return the seats of a comma-separated list; human:Anna has a name."""
    seats = []
    for number, part in enumerate(text.split(","), 1):
        kind, _, name = part.strip().partition(":")
        kind = kind.strip().casefold()
        if kind not in (HUMAN, *BOTS) or (name and kind != HUMAN):
            raise InvalidOption(
                f"--seats: {part.strip()!r} is no player; choose from {HUMAN}, {', '.join(BOTS)}; "
                "human:Anna has a name"
            )
        seats.append(Seat(kind, name.strip() or f"{kind} {number}"))
    if len(seats) not in PLAYERS:
        raise InvalidOption(f"--seats {text}: {len(seats)} seats; the game is for 2 to 4")
    return seats


@dataclass
class Session:
    """A game, who plays it, and whether the die is rolled here or typed."""

    game: Game
    seats: list[Seat]
    rng: random.Random
    table: tables.ReachTable
    typed: bool = False

    def __post_init__(self) -> None:
        self.bots: list[Bot | None] = [
            None if seat.kind == HUMAN
            else make_bot(seat.kind, random.Random(self.rng.random()), self.table)
            for seat in self.seats
        ]  # fmt: skip

    @property
    def waits_for_die(self) -> bool:
        """Whether the die is to be rolled and typed."""
        return self.typed and self.game.day is not None and self.game.is_chance

    def advance(self) -> Iterator[tuple[Game, GameStep]]:
        """Yield each game with the step taken in it, until something is to be typed."""
        while not self.game.is_over and not self.waits_for_die:
            step = self._by_itself()
            if step is None:
                return
            yield self._done(step)

    def _by_itself(self) -> GameStep | None:
        if self.game.is_chance:
            return by_chance(self.game, self.rng)
        possible, bot = self.game.legal_actions(), self.bots[self.game.actor]
        if len(possible) == 1:
            return possible[0]
        return None if bot is None else bot.step(self.game)

    def _done(self, step: GameStep) -> tuple[Game, GameStep]:
        before, self.game = self.game, self.game.apply(step)
        return before, step

    def hear(self, text: str) -> tuple[Game, GameStep]:
        """Return the game with the step that was typed, which is taken; raises InvalidInput."""
        step = read_die(text) if self.waits_for_die else read_step(self.game, text)
        return self._done(step)

    def hand(self) -> Hand:
        """Return the face-down messages of the seat to act."""
        hands = self.game.day.hands if self.game.day else self.game.hands
        return hands[self.game.actor]

    def moves(self) -> list[tuple[Move, advice.Row]]:
        """Return the movements possible now with the chances of a day without messages."""
        day = self.game.day
        if day is None or day.stage is not Stage.MOVE or day.heirs:
            return []
        found = lookahead.choices(_without_gold(day), self._chances)
        return [(step, row) for step, row in found if isinstance(step, Move)]

    def _chances(self, day: Day) -> advice.Row:
        return advice.outcome(day, self.table)

    def suggestion(self) -> GameStep:
        """Return what the bot `best` would do."""
        return Best(random.Random(0), self.table).step(self.game)


def _without_gold(day: Day) -> Day:
    return replace(day, hands=((),) * day.players, captain=None, purses=None)


# ---------------------------------------------------------------- what is typed


def read_die(text: str) -> Roll:
    """Return the roll that was typed."""
    if not re.fullmatch(r"[1-6]", text.strip()):
        raise InvalidInput(f"{text!r} is no roll: type what the die shows, 1 to 6")
    return Roll(int(text))


def read_step(game: Game, text: str) -> GameStep:
    """Return the step of the seat to act that was typed."""
    possible, word = game.legal_actions(), text.strip().casefold()
    if not word and isinstance(possible[0], Quiet | Draw):
        return possible[0]
    for step in possible:
        if typed_for(step) == word:
            return step
    choices = ", ".join(typed_for(step) for step in possible if typed_for(step))
    raise InvalidInput(f"{text!r} is not possible: type one of {choices}")


def typed_for(step: GameStep) -> str:
    """Return what is typed for a step; nothing for the one that Enter takes."""
    match step:
        case Reveal(message) | Restore(message):
            return message.key
        case Move(messenger) if messenger is not None:
            return str(messenger + 1)
        case Name(seat):
            return str(seat + 1)
    return ""


def listed(hand: Hand) -> list[tuple[Message, int]]:
    """Return the different messages of a hand with how many there are."""
    return [(message, hand.count(message)) for message in kinds(hand)]
