"""What a record begins with, as text both ways: rule set, seats or a position, seed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from advisor.court.rules import game as games
from advisor.court.rules.game import MOST_PLAYERS, Game
from advisor.court.rules.notation import (
    Position,
    check_position,
    format_position,
    parse_position,
    to_state,
)
from advisor.court.rules.options import RULE_SETS, RULEBOOK, RuleSet
from advisor.dice import SEEDS
from advisor.errors import AdvisorError, InvalidRecord
from advisor.text import brief, cleaned, printable, quoted

FIRST: Final = "court-record"
VERSION: Final = 1
HEADS: Final = ("rules", "seat", "turn", "seed")
LONGEST_NAME: Final = 80
"""Letters of a seat's name."""


@dataclass(frozen=True)
class Seat:
    """Who sits there: the kind of player (`human`, or the name of a bot) and perhaps a name."""

    kind: str
    name: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", self.kind):
            raise InvalidRecord(
                f"seat {quoted(self.kind)}: the kind of a player is one word, say human"
            )
        shown = quoted(self.name)
        if self.name != printable(self.name) or "#" in self.name:
            raise InvalidRecord(
                f"seat name {shown}: single blanks between words and no '#'; change the name"
            )
        if max(len(self.name), len(self.kind)) > LONGEST_NAME:
            raise InvalidRecord(f"seat name {shown}: write at most {LONGEST_NAME} letters")

    @property
    def title(self) -> str:
        """The name, or the kind where there is none."""
        return self.name or self.kind


def titles(seats: Sequence[Seat]) -> tuple[str, ...]:
    """Return what each seat is called, numbered where several would be called the same."""
    count = Counter(seat.title for seat in seats)
    return tuple(
        f"{seat.title} {number}" if count[seat.title] > 1 else seat.title
        for number, seat in enumerate(seats, 1)
    )


@dataclass(frozen=True)
class Header:
    """What a record begins with: seats clockwise, the first one starting, or one turn's position.

    `seed`: the dice can be rolled again from it (see `record.dice_of`); None: they were typed in.
    """

    rules: RuleSet = RULEBOOK
    seats: tuple[Seat, ...] = ()
    seed: int | None = None
    position: Position | None = None
    notes: tuple[str, ...] = ()

    def first(self) -> Game:
        """Return the game before the first step; raises if there can be none."""
        if self.position is None:
            if not 1 <= len(self.seats) <= MOST_PLAYERS:
                raise InvalidRecord(
                    f"{len(self.seats)} seats: write one to {MOST_PLAYERS} lines 'seat KIND NAME', "
                    "or 'turn POSITION' for a single turn"
                )
            return games.new_game(len(self.seats), self.rules)
        if self.seats:
            raise InvalidRecord("'seat' and 'turn' in one record: leave one of them out")
        check_position(self.position, self.rules)
        return Game(self.rules, (self.position.cards,), to_state(self.position, self.rules))

    def lines(self) -> list[str]:
        """Return the lines of the header, the first one naming the format."""
        found = [f"{FIRST} {VERSION}", *(f"# {note}" for note in self.notes)]
        found.append(f"rules {self.rules.name}")
        found += [f"seat {seat.kind} {seat.name}".rstrip() for seat in self.seats]
        if self.position is not None:
            found.append(f"turn {format_position(self.position)}")
        if self.seed is not None:
            found.append(f"seed {self.seed}")
        return found


# ---------------------------------------------------------------- lines


@dataclass(frozen=True)
class Line:
    """A line of a record: what it says, and a comment or none."""

    text: str
    comment: str | None = None

    def written(self) -> str:
        """Return the line as it stands in the record."""
        shown = "" if self.comment is None else f"# {self.comment}".rstrip()
        return "  ".join(part for part in (self.text, shown) if part)


def parse_line(line: str) -> Line:
    """Return what a line says and its comment, `Line.written` the other way round."""
    text, mark, comment = line.partition("#")
    return Line(text.strip(), cleaned(comment).strip() if mark else None)


def parse_header(lines: Sequence[Line]) -> tuple[Header, int]:
    """Return the header that lines begin with, and how many lines it takes.

    Empty lines and comments behind its last line that says something belong to the steps.
    """
    first = _first(lines)
    end = first + 1
    heads: list[tuple[int, str, str]] = []
    stop = len(lines)
    for place, line in enumerate(islice(lines, end, None), end):
        kind, _, value = line.text.partition(" ")
        if kind.casefold() in HEADS:
            heads.append((place + 1, kind.casefold(), value.strip()))
            end = place + 1
        elif line.text:
            stop = place
            break
    end = end if heads else stop
    notes = tuple(line.comment for line in lines[:end] if line.comment)
    return _assembled(heads, notes), end


def _first(lines: Sequence[Line]) -> int:
    """Return which line is the first that says something; raises unless it names the format."""
    place = next((place for place, line in enumerate(lines) if line.text), None)
    if place is None:
        raise InvalidRecord(f"the record is empty: it begins with '{FIRST} {VERSION}'")
    text = lines[place].text
    name, _, version = text.partition(" ")
    if name.casefold() != FIRST:
        raise InvalidRecord(
            f"{quoted(text)} begins no record: the first line is '{FIRST} {VERSION}'"
        )
    if version.strip() != str(VERSION):
        raise InvalidRecord(
            f"{quoted(text)}: this program reads version {VERSION} of the format; use the program "
            "that wrote the record"
        )
    return place


def _assembled(heads: Sequence[tuple[int, str, str]], notes: tuple[str, ...]) -> Header:
    rules, seats, seed, position = RULEBOOK, [], None, None
    seen: set[str] = set()
    for number, kind, value in heads:
        try:
            if kind in seen:
                raise InvalidRecord("written twice; leave one out")
            if kind == "seat":
                seats.append(_seat(value))
                continue
            seen.add(kind)
            if kind == "rules":
                rules = _rules(value)
            elif kind == "seed":
                seed = _seed(value)
            else:
                position = parse_position(value)
        except AdvisorError as error:
            raise InvalidRecord(f"line {number}: {kind} {brief(value)}: {error}") from error
    return Header(rules, tuple(seats), seed, position, notes)


def _seat(text: str) -> Seat:
    kind, _, name = text.partition(" ")
    return Seat(kind.casefold(), printable(name))


def _rules(text: str) -> RuleSet:
    if text not in RULE_SETS:
        raise InvalidRecord(f"{quoted(text)} is no rule set: write {' or '.join(RULE_SETS)}")
    return RULE_SETS[text]


def _seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,99}", text) or int(text) >= SEEDS:
        raise InvalidRecord(f"{quoted(text)} is no seed: write a whole number of at most 18 digits")
    return int(text)
