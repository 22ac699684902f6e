"""The messages, their effects as data."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from advisor.errors import InvalidOption


@dataclass(frozen=True)
class Add:
    """The value is added to the roll."""

    value: int


@dataclass(frozen=True)
class ReRoll:
    """The die is rolled again, without a second message."""


@dataclass(frozen=True)
class Keep:
    """The active player goes on, whatever was moved, even if nothing was."""


@dataclass(frozen=True)
class Stop:
    """The turn ends after this roll."""


Effect = Add | ReRoll | Keep | Stop
PLAIN: Final[dict[str, ReRoll | Keep | Stop]] = {"reroll": ReRoll(), "keep": Keep(), "stop": Stop()}


@dataclass(frozen=True)
class Message:
    """A message: what it does when revealed, and the gold that the King pays for it."""

    effect: Effect
    gold: int

    @property
    def key(self) -> str:
        """The name as it is written: add1, reroll, keep, stop."""
        return key_of(self.effect)

    def describe(self) -> str:
        """Return the message in words."""
        return describe(self.effect)


Hand = tuple[Message, ...]


def key_of(effect: Effect) -> str:
    """Return the name of an effect as `parse_effect` reads it."""
    if isinstance(effect, Add):
        return f"add{effect.value}"
    return next(key for key, other in PLAIN.items() if other == effect)


def parse_effect(text: str) -> Effect:
    """Return the effect with a name, for example add2."""
    key = text.strip().casefold()
    if key in PLAIN:
        return PLAIN[key]
    found = re.fullmatch(r"add([1-9])", key)
    if not found:
        raise InvalidOption(
            f"{text!r} is no message: write add1, add2 and so on, reroll, keep or stop"
        )
    return Add(int(found[1]))


def describe(effect: Effect) -> str:
    """Return an effect in words."""
    match effect:
        case Add(value):
            return f"Add +{value}"
        case ReRoll():
            return "Re-Roll"
        case Keep():
            return "Keep the Die"
        case Stop():
            return "Stop Rolling"


def kinds(hand: Iterable[Message]) -> list[Message]:
    """Return the different messages among some, each once, in their order."""
    return list(dict.fromkeys(hand))


def without(hand: Hand, message: Message) -> Hand:
    """Return a hand without one copy of a message."""
    at = hand.index(message)
    return hand[:at] + hand[at + 1 :]


def worth(hand: Iterable[Message]) -> int:
    """Return the gold that the King pays for all of some messages."""
    return sum(message.gold for message in hand)
