"""Who stands where in the castle, both ways as text: `5:CE 4:FG 3:D 1:P`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from advisor.errors import InvalidOption, InvalidPosition
from advisor.kingme.rules.data import (
    FLOORS,
    INITIALS,
    NO_CARDS,
    NUMBER,
    OUT,
    ROOM,
    THRONE,
    TOP,
    UNPLACED,
)

Castle = tuple[int, ...]
"""The floor of each character, or UNPLACED, OUT, THRONE."""

EMPTY: Final[Castle] = (UNPLACED,) * NUMBER
_EXAMPLE: Final = "for example '5:CE 4:FG 3:D 1:P'"


def has_room(castle: Castle, floor: int) -> bool:
    """Return whether one more character can come onto a floor or the throne."""
    return floor in (0, THRONE) or castle.count(floor) < ROOM


def moved(castle: Castle, character: int, floor: int) -> Castle:
    """Return the castle with a character elsewhere."""
    return (*castle[:character], floor, *castle[character + 1 :])


def inside(castle: Castle) -> tuple[int, ...]:
    """Return the characters in the castle, a king included."""
    return tuple(c for c, floor in enumerate(castle) if floor >= 0)


def parse_castle(text: str) -> Castle:
    """Return the castle of a text; who is not named is out. Raises InvalidPosition."""
    castle = [OUT] * NUMBER
    parts = re.split(r"[\s,]+", text.strip())
    for part in parts:
        found = re.fullmatch(rf"([0-{TOP}]):([A-Za-z]+)", part)
        if not found:
            raise InvalidPosition(
                f"castle {text!r}: {part!r} is no floor with characters; write {_EXAMPLE}"
            )
        for letter in found[2].upper():
            if letter not in INITIALS:
                raise InvalidPosition(
                    f"castle {text!r}: {letter!r} is no character; the initials are {INITIALS}"
                )
            if castle[INITIALS.index(letter)] != OUT:
                raise InvalidPosition(f"castle {text!r} names {letter} twice; name each once")
            castle[INITIALS.index(letter)] = int(found[1])
    for floor in range(1, TOP + 1):
        if castle.count(floor) > ROOM:
            raise InvalidPosition(
                f"castle {text!r}: {castle.count(floor)} characters on floor {floor} "
                f"({FLOORS[floor]}), which has room for {ROOM}"
            )
    return tuple(castle)


def format_castle(castle: Castle) -> str:
    """Return the castle as text, the highest floor first; a king stands behind `K:`."""
    floors = (*((THRONE, "K"),), *((floor, str(floor)) for floor in range(TOP, -1, -1)))
    parts = ((name, _on(castle, floor)) for floor, name in floors)
    return " ".join(f"{name}:{letters}" for name, letters in parts if letters)


def _on(castle: Castle, floor: int) -> str:
    return "".join(INITIALS[c] for c, at in enumerate(castle) if at == floor)


def parse_no(text: str, players: int) -> tuple[int, ...]:
    """Return how many No cards each player has left, `1,0,2`; raises InvalidOption."""
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"[0-9]{1,2}", part) for part in parts):
        raise InvalidOption(f"--no {text!r}: write a number for each player, for example 1,0,2")
    left = tuple(map(int, parts))
    if len(left) != players:
        raise InvalidOption(
            f"--no {text!r}: {len(left)} numbers for {players} players; write one for each"
        )
    most = NO_CARDS[players]
    for number in left:
        if number > most:
            raise InvalidOption(
                f"--no {text!r}: {number} No cards, but each of {players} players is dealt {most}"
            )
    return left


def check_no(castle: Castle, left: Sequence[int]) -> None:
    """Raise InvalidPosition if more No cards are left than those who are out leave possible."""
    gone, dealt = castle.count(OUT), NO_CARDS[len(left)] * len(left)
    if any(left) and sum(left) > dealt - gone:
        raise InvalidPosition(
            f"{sum(left)} No cards left and {gone} characters out: {dealt} cards were dealt and "
            "each of those cost at least one; correct --no or the castle"
        )
