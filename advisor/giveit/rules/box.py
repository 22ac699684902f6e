"""The corridor and the messages in the box, from a TOML file that the user can replace."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from advisor.errors import InvalidComponents, InvalidOption
from advisor.giveit.rules.corridor import CARPET, MESSENGERS
from advisor.giveit.rules.messages import Hand, Message, key_of, parse_effect
from advisor.storage import toml

MESSAGES: Final = 20
LONGEST: Final = 60
_KEYS: Final = {"invented", "length", "starts", "messages"}


@dataclass(frozen=True)
class Box:
    """Length of the corridor, starting spaces (nearest to the throne first), all messages."""

    length: int
    starts: tuple[int, ...]
    messages: Hand
    invented: bool
    source: str

    def describe(self) -> str:
        """Return where the list comes from, in words."""
        return f"corridor and messages {self.source}{' (invented)' if self.invented else ''}"

    def find(self, text: str) -> Message:
        """Return the message with a name."""
        effect = parse_effect(text)
        for message in self.messages:
            if message.effect == effect:
                return message
        there = ", ".join(dict.fromkeys(message.key for message in self.messages))
        raise InvalidOption(f"{text!r}: the box has no such message; it has {there}")


def default() -> Box:
    """Return the box that comes with the program; it is invented."""
    text = resources.files("advisor.giveit.rules").joinpath("box.toml").read_text("utf-8")
    return parse_box(text, "of the program")


def load(path: str | Path | None) -> Box:
    """Return the box in a file, the program's without one."""
    if path is None:
        return default()
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidComponents(f"box {str(path)!r} cannot be read: {error}") from error
    return parse_box(text, Path(path).name)


def parse_box(text: str, source: str) -> Box:
    """Return the box written as TOML; `source` names it in answers and errors."""
    try:
        data = toml.parse(text)
    except ValueError as error:
        raise InvalidComponents(f"box {source} is no TOML: {error}") from error
    try:
        return _checked(data, source)
    except (InvalidComponents, InvalidOption) as error:
        raise InvalidComponents(f"box {source}: {error}") from error


def _checked(data: dict[str, Any], source: str) -> Box:
    unknown, missing = sorted(set(data) - _KEYS), sorted(_KEYS - set(data))
    if unknown or missing:
        raise InvalidComponents(
            f"{', '.join(unknown + missing)} {'is unknown' if unknown else 'is missing'}; "
            f"the keys are {', '.join(sorted(_KEYS))}"
        )
    if not isinstance(data["invented"], bool):
        raise InvalidComponents("invented is true or false")
    length = _number(data["length"], "length", CARPET[-1] + MESSENGERS, LONGEST)
    return Box(
        length, _starts(data["starts"], length), _messages(data["messages"]),
        data["invented"], source,
    )  # fmt: skip


def _number(value: object, what: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise InvalidComponents(f"{what} is {value!r}; write a whole number, {least} to {most}")
    return value


def _starts(value: object, length: int) -> tuple[int, ...]:
    if not isinstance(value, list) or len(value) != MESSENGERS:
        raise InvalidComponents(f"starts is {value!r}; write four spaces, for example [1, 2, 3, 4]")
    starts = tuple(sorted(_number(each, "a start", CARPET[-1] + 1, length) for each in value))
    if len(set(starts)) < MESSENGERS:
        raise InvalidComponents(f"starts is {value!r}; two messengers cannot share a space")
    return starts


def _messages(table: object) -> Hand:
    if not isinstance(table, dict):
        raise InvalidComponents("messages is no table; write [messages] and lines for add1, keep")
    found: list[Message] = []
    for name, entry in table.items():
        effect = parse_effect(name)
        if not isinstance(entry, dict) or set(entry) != {"copies", "gold"}:
            raise InvalidComponents(f"messages.{name}: write {{ copies = 3, gold = 2 }}")
        message = Message(effect, _number(entry["gold"], f"messages.{name}.gold", 0, 20))
        if any(key_of(effect) == other.key for other in found):
            raise InvalidComponents(f"messages.{name} is there twice; write it once")
        found += [message] * _number(entry["copies"], f"messages.{name}.copies", 0, MESSAGES)
    if len(found) != MESSAGES:
        raise InvalidComponents(f"messages: {len(found)} copies, but there are {MESSAGES}")
    return tuple(found)
