"""Games as text, one step a line, both ways; docs/kingme.md has the format.

A record is only ever added to: a step taken back stands in it, followed by `undo`. Reading one
plays it again under the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from advisor.errors import AdvisorError, ImpossibleStep, InvalidRecord
from advisor.kingme.rules.data import CHARACTERS, INITIALS, PLAYERS
from advisor.kingme.rules.game import Game, Move, Place, Raise, Reveal, Votes, new_game
from advisor.kingme.rules.goals import format_goals, parse_goals
from advisor.text import printable

FIRST: Final = "kingme-record"
VERSION: Final = 1
STEPS: Final = ("place", "raise", "votes", "reveal", "undo")
HEADS: Final = ("seat", "goals", "seed")
SEEDS: Final = 10**18
"""Seeds are below."""

Warn = Callable[[str], None]


# ---------------------------------------------------------------- header


@dataclass(frozen=True)
class Seat:
    """Who sits there: the kind of player (`human`, or the name of a bot) and perhaps a name."""

    kind: str
    name: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", self.kind):
            raise InvalidRecord(f"seat {self.kind!r}: the kind of a player is one word, say human")
        if self.name != " ".join(self.name.split()) or "#" in self.name:
            raise InvalidRecord(
                f"seat name {self.name!r}: single blanks between words and no '#'; change the name"
            )

    @property
    def title(self) -> str:
        """The name, or the kind where there is none, as it can be printed."""
        return printable(self.name) or self.kind


@dataclass(frozen=True)
class Header:
    """What a record begins with: seats clockwise, the first one starting.

    `goals`: the deck as `--goals` names it, None for the one that comes along; `seed`: goals are
    dealt from it.
    """

    seats: tuple[Seat, ...]
    goals: str | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()

    def first(self) -> Game:
        """Return the game before the first step; raises if there can be none."""
        if len(self.seats) not in PLAYERS:
            raise InvalidRecord(
                f"{len(self.seats)} seats: write {PLAYERS[0]} to {PLAYERS[-1]} lines "
                "'seat KIND NAME'"
            )
        return new_game(len(self.seats))

    def titles(self) -> tuple[str, ...]:
        """Return what each seat is called, numbered where several would be called the same."""
        names = [seat.title for seat in self.seats]
        return tuple(
            f"{name} {number}" if names.count(name) > 1 else name
            for number, name in enumerate(names, 1)
        )

    def lines(self) -> list[str]:
        """Return the lines of the header, the first one naming the format."""
        found = [f"{FIRST} {VERSION}", *(f"# {note}".rstrip() for note in self.notes)]
        found += [f"seat {seat.kind} {seat.name}".rstrip() for seat in self.seats]
        found += [] if self.goals is None else [f"goals {self.goals}"]
        found += [] if self.seed is None else [f"seed {self.seed}"]
        return found


# ---------------------------------------------------------------- steps


def parse_step(text: str) -> Move:
    """Return the move that a line stands for, not yet checked by a game."""
    kind, *rest = text.split()
    match kind.casefold(), rest:
        case "place", [character, floor]:
            return Place(parse_character(character), _floor(floor))
        case "raise", [character]:
            return Raise(parse_character(character))
        case "votes", [votes]:
            return Votes(_votes(votes))
        case "reveal", [_, *_]:
            return Reveal(parse_goals("".join(rest)))
    for known, example in _EXAMPLES.items():
        if kind.casefold() == known:
            raise InvalidRecord(f"{text!r} is no {known}: write for example {example!r}")
    close = get_close_matches(kind.casefold(), STEPS, n=1)
    mend = f"did you mean {close[0]!r}?" if close else f"a line begins with {', '.join(STEPS)}"
    raise InvalidRecord(f"{text!r} is no step: {mend}")


_EXAMPLES: Final = {
    "place": "place A 3",
    "raise": "raise A",
    "votes": "votes YNY",
    "reveal": "reveal ACDGLO,BDEGIL,CEGILM",
    "undo": "undo",
}


def format_step(move: Move) -> str:
    """Return the line of a move, `parse_step` the other way round."""
    match move:
        case Place(character, floor):
            return f"place {INITIALS[character]} {floor}"
        case Raise(character):
            return f"raise {INITIALS[character]}"
        case Votes(no):
            return f"votes {''.join('N' if refuses else 'Y' for refuses in no)}"
        case Reveal(goals):
            return f"reveal {format_goals(goals)}"


def parse_character(text: str) -> int:
    """Return the number of a character: its initial or an unambiguous beginning of its name."""
    word = text.casefold()
    found = [c for c, name in enumerate(CHARACTERS) if word and name.casefold().startswith(word)]
    if len(found) != 1:
        raise InvalidRecord(f"{text!r} is no character; the initials are {INITIALS}")
    return found[0]


def _floor(text: str) -> int:
    if not re.fullmatch("[0-9]", text):
        raise InvalidRecord(f"{text!r} is no floor: write a digit from 1 to 4")
    return int(text)


def _votes(text: str) -> tuple[bool, ...]:
    if not re.fullmatch("[YNyn]+", text):
        raise InvalidRecord(f"votes {text!r}: write Y or N for each seat from the first, YNY")
    return tuple(letter in "Nn" for letter in text)


# ---------------------------------------------------------------- the record


@dataclass(frozen=True)
class Entry:
    """A step in force: its line in the record, the move, the game before and after."""

    line: int
    move: Move
    before: Game
    after: Game


@dataclass(frozen=True)
class Line:
    """A line after the header: a step, `undo` or nothing, and a comment or none."""

    text: str
    comment: str | None = None

    def written(self) -> str:
        """Return the line as it stands in the record."""
        shown = "" if self.comment is None else f"# {self.comment}".rstrip()
        return "  ".join(part for part in (self.text, shown) if part)


@dataclass
class Record:
    """A game as written so far; `entries` are the steps not taken back.

    `above` lines stand before the first of `lines`.
    """

    header: Header
    lines: list[Line] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    above: int = 0

    def __post_init__(self) -> None:
        self._first = self.header.first()
        self.above = self.above or len(self.header.lines())

    @property
    def game(self) -> Game:
        """Where the game stands."""
        return self.entries[-1].after if self.entries else self._first

    @property
    def is_over(self) -> bool:
        """Whether no step can follow."""
        return self.game.is_over

    def add(self, step: str | Move, comment: str | None = None) -> Line:
        """Add a step, as a line or as a move, or `undo`; return the line as it is to be written.

        Raises without adding anything if the step is impossible.
        """
        if isinstance(step, str) and step.strip().casefold() == "undo":
            return self._undo(comment)
        move = parse_step(step) if isinstance(step, str) else step
        before = self.game
        after = before.apply(move)
        line = self.note(comment, format_step(move))
        self.entries.append(Entry(self.above + len(self.lines), move, before, after))
        return line

    def _undo(self, comment: str | None) -> Line:
        if not self.entries:
            raise ImpossibleStep("undo: no step is left to take back")
        self.entries.pop()
        return self.note(comment, "undo")

    def note(self, comment: str | None, text: str = "") -> Line:
        """Add a line that is no step: a comment, or an empty one."""
        self.lines.append(Line(text, comment))
        return self.lines[-1]


def format_record(record: Record) -> str:
    """Return the record as text; `parse_record` reads it back."""
    lines = [*record.header.lines(), *(line.written() for line in record.lines)]
    return "\n".join(lines) + "\n"


def parse_record(text: str, warn: Warn | None = None) -> Record:
    """Return the record that a text holds, played again; raises InvalidRecord with the line.

    A last line without its end was cut off while it was written: with `warn` it is left out, and
    `warn` hears of it.
    """
    *lines, last = text.split("\n")
    if last and warn:
        warn(f"line {len(lines) + 1}: {printable(last)!r} was cut off and is left out")
    elif last:
        lines.append(last)
    header, above = _header(lines)
    try:
        record = Record(header, above=above)
    except AdvisorError as error:
        raise InvalidRecord(f"header: {error}") from error
    for number, line in enumerate(lines[above:], above + 1):
        step, comment = _apart(line)
        try:
            if step:
                record.add(step, comment)
            else:
                record.note(comment)
        except AdvisorError as error:
            raise InvalidRecord(f"line {number}: {printable(step)!r}: {error}") from error
    return record


def _apart(line: str) -> tuple[str, str | None]:
    """Return what a line says and its comment, None without one."""
    text, mark, comment = line.partition("#")
    return text.strip(), comment.strip() if mark else None


def _header(lines: list[str]) -> tuple[Header, int]:
    """Return the header and how many lines it has, from its first to its last word."""
    heads: list[tuple[int, str, str]] = []
    notes: list[str] = []
    above, waiting = 0, []
    for number, line in enumerate(lines, 1):
        text, comment = _apart(line)
        kind, _, value = text.partition(" ")
        if text and above and kind.casefold() not in HEADS:
            break
        # Comments below the last line of the header belong to the steps.
        waiting += [] if comment is None else [comment]
        if not text:
            continue
        if above:
            heads.append((number, kind.casefold(), " ".join(value.split())))
        else:
            _check_first(text)
        above, notes, waiting = number, notes + waiting, []
    if not above:
        raise InvalidRecord(f"the record is empty: it begins with '{FIRST} {VERSION}'")
    return _assembled(heads, tuple(notes)), above


def _check_first(text: str) -> None:
    name, _, version = text.partition(" ")
    if name.casefold() != FIRST:
        raise InvalidRecord(
            f"{printable(text)!r} begins no record: the first line is '{FIRST} {VERSION}'"
        )
    if version.strip() != str(VERSION):
        raise InvalidRecord(
            f"{printable(text)!r}: this program reads version {VERSION} of the format; use the "
            "program that wrote the record"
        )


def _assembled(heads: list[tuple[int, str, str]], notes: tuple[str, ...]) -> Header:
    seats: list[Seat] = []
    found: dict[str, str] = {}
    for number, kind, value in heads:
        try:
            if kind == "seat":
                word, _, name = value.partition(" ")
                seats.append(Seat(word.casefold(), name))
            elif kind in found:
                raise InvalidRecord("written twice; leave one out")
            else:
                found[kind] = _checked(kind, value)
        except AdvisorError as error:
            raise InvalidRecord(f"line {number}: {kind} {printable(value)}: {error}") from error
    seed = found.get("seed")
    return Header(tuple(seats), found.get("goals"), None if seed is None else int(seed), notes)


def _checked(kind: str, value: str) -> str:
    if kind == "seed" and not (re.fullmatch(r"[0-9]{1,99}", value) and int(value) < SEEDS):
        raise InvalidRecord(f"{value!r} is no seed: write a whole number of at most 18 digits")
    if not value:
        raise InvalidRecord("nothing is named; write 'any' or a file, or leave the line out")
    return value
