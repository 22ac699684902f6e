"""Positions, seats, hands and amounts as text; seats are written from 1 on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from advisor.errors import InvalidOption, InvalidPosition
from advisor.giveit.rules.box import Box
from advisor.giveit.rules.corridor import FACES, MESSENGERS, Distances
from advisor.giveit.rules.messages import Hand


def parse_distances(text: str) -> Distances:
    """Return the distances written by seat, for example 17,18,19,20."""
    parts = text.split(",")
    if len(parts) != MESSENGERS or not all(
        re.fullmatch(r"\s*-?\d{1,9}\s*", part) for part in parts
    ):
        raise InvalidPosition(
            f"{text!r} is no position: write four distances by seat, for example 17,18,19,20"
        )
    distances = tuple(map(int, parts))
    for space in distances:
        if space < 1:
            raise InvalidPosition(
                f"{text!r}: distance {space} is not in the corridor; the space next to the throne "
                "room is 1"
            )
        if distances.count(space) > 1:
            raise InvalidPosition(f"{text!r}: two messengers stand on space {space}; correct one")
    return distances


def format_distances(distances: Distances) -> str:
    """Return the distances as `parse_distances` reads them."""
    return ",".join(map(str, distances))


def seat_number(number: int, players: int, what: str) -> int:
    """Return a seat counted from 0; `what` names where it was written."""
    if not 1 <= number <= players:
        trainee = players < number <= MESSENGERS
        why = f"messenger {number} is a trainee; " if trainee else ""
        raise InvalidOption(f"{what} {number}: {why}the players' seats are 1 to {players}")
    return number - 1


def roll_number(number: int) -> int:
    """Return a roll, checked."""
    if number not in FACES:
        raise InvalidOption(f"--roll {number}: a die shows 1 to 6")
    return number


def parse_amounts(text: str, players: int, what: str) -> tuple[int, ...]:
    """Return gold by seat, as four amounts; those of trainees may be left out and are 0."""
    parts = text.split(",")
    if len(parts) not in (players, MESSENGERS) or not all(
        re.fullmatch(r"\s*\d{1,6}\s*", part) for part in parts
    ):
        raise InvalidOption(
            f"{what} {text!r}: write {players} amounts of gold by seat, for example "
            + ",".join(["4"] * players)
        )
    amounts = tuple(map(int, parts)) + (0,) * (MESSENGERS - len(parts))
    if any(amounts[players:]):
        raise InvalidOption(f"{what} {text!r}: trainees have no gold; leave out what follows")
    return amounts


def parse_hands(texts: Iterable[str], players: int, box: Box) -> tuple[Hand, ...]:
    """Return everybody's face-down messages, written for example 2:add1,keep."""
    hands: list[Hand] = [()] * players
    for text in texts:
        seat, colon, names = text.partition(":")
        if not colon or not seat.strip().isdecimal() or len(seat) > 9 or not names.strip():
            raise InvalidOption(
                f"--hand {text!r}: write seat and messages, for example 2:add1,keep"
            )
        at = seat_number(int(seat), players, f"--hand {text!r}: seat")
        hands[at] += tuple(box.find(name) for name in names.split(","))
    check_copies([message for hand in hands for message in hand], box)
    return tuple(hands)


def check_copies(messages: Sequence[object], box: Box) -> None:
    """Raise if more copies of a message are named than the box has."""
    for message in box.messages:
        named, there = messages.count(message), box.messages.count(message)
        if named > there:
            raise InvalidOption(f"{message.key} is named {named} times; the box has {there}")


def parse_counts(texts: Iterable[str], players: int) -> tuple[int, ...]:
    """Return how many unknown messages everybody holds, written for example 2:3."""
    counts = [0] * players
    for text in texts:
        found = re.fullmatch(r"\s*(\d{1,9})\s*:\s*(\d{1,2})\s*", text)
        if not found:
            raise InvalidOption(
                f"--hidden {text!r}: write seat and number of messages, for example 2:3"
            )
        counts[seat_number(int(found[1]), players, f"--hidden {text!r}: seat")] += int(found[2])
    return tuple(counts)
