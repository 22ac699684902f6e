"""Games and single turns as text, one step a line, both ways; docs/records.md has the format.

A record is only ever added to: a step taken back stands in it, followed by `undo`. Reading one
plays it again under the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from advisor.court.play.header import Header, Line, parse_header, parse_line
from advisor.court.play.moves import Step, format_step, parse_step
from advisor.court.rules.game import Buy, Fall, Game
from advisor.dice import Counts, format_dice, thrown
from advisor.errors import AdvisorError, ImpossibleStep, InvalidRecord
from advisor.text import quoted

LONGEST: Final = 10_000
"""Letters of a line of a record."""
MOST: Final = 100_000
"""Lines of a record: a long game of five has some 10,000."""

Warn = Callable[[str], None]


def dice_of(seed: int, fall: int, number: int) -> Counts:
    """Return how `number` dice fall at the fall with this place, counted from 0.

    A fall depends on nothing but its place, so a step taken back does not change later dice.
    """
    import numpy as np

    return thrown(number, np.random.default_rng((seed, fall)))


@dataclass(frozen=True)
class Entry:
    """A step in force: its line in the record, its text, its moves, the game before and after.

    `falls`: how often dice have fallen, this step included.
    """

    line: int
    text: str
    moves: Step
    before: Game
    after: Game
    falls: int


@dataclass
class Record:
    """A game or a single turn as written so far; `entries` are the steps not taken back.

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
        """Whether no step can follow: the game is won, or the single turn is over."""
        bought = self.header.position is not None and any(
            isinstance(entry.moves[-1], Buy) for entry in self.entries[-1:]
        )
        return bought or self.game.is_over

    @property
    def falls(self) -> int:
        """How often dice have fallen, not counting what was taken back."""
        return self.entries[-1].falls if self.entries else 0

    def seeded(self) -> Counts:
        """Return how the dice fall here if they are rolled now; raises without a seed."""
        state = self.game.turn
        if self.header.seed is None:
            raise InvalidRecord("the record has no seed: the dice have to be typed in")
        if state is None:
            raise ImpossibleStep("the game is over: no dice fall")
        return dice_of(self.header.seed, self.falls, state.falling or sum(state.active))

    def add(self, step: str | Step, comment: str | None = None) -> Line:
        """Add a step, as a line or as moves, or `undo`; return the line as it is to be written.

        Raises without adding anything if the step is impossible.
        """
        if isinstance(step, str) and step.strip().casefold() == "undo":
            return self._undo(comment)
        if self.is_over:
            raise ImpossibleStep("the game or the turn is over: no step can follow")
        moves = parse_step(step, self.game) if isinstance(step, str) else step
        after = self.game
        for move in moves:
            after = after.apply(move)
        line = self._noted(format_step(moves), comment)
        falls = self.falls + isinstance(moves[-1], Fall)
        self.entries.append(Entry(self.length, line.text, moves, self.game, after, falls))
        return line

    def _undo(self, comment: str | None) -> Line:
        if not self.entries:
            raise ImpossibleStep("undo: no step is left to take back")
        self.entries.pop()
        return self._noted("undo", comment)

    def note(self, comment: str | None) -> Line:
        """Add a line with nothing but a comment, or an empty one."""
        return self._noted("", comment)

    def _noted(self, text: str, comment: str | None) -> Line:
        self.lines.append(Line(text, comment))
        return self.lines[-1]

    @property
    def length(self) -> int:
        """How many lines the record has, the header included."""
        return self.above + len(self.lines)


def format_record(record: Record) -> str:
    """Return the record as text; `parse_record` reads it back."""
    lines = [*record.header.lines(), *(line.written() for line in record.lines)]
    return "\n".join(lines) + "\n"


def parse_record(text: str, warn: Warn | None = None, check_dice: bool = False) -> Record:
    """Return the record that a text holds, played again; raises InvalidRecord with the line.

    A last line without its end was cut off while it was written: with `warn` it is left out, and
    `warn` hears of it. `check_dice`: also refuse dice that the seed does not give.
    """
    lines = _lines(text)
    last = lines.pop()
    if last and warn is None:
        lines.append(last)
    elif last and warn:
        warn(f"line {len(lines) + 1}: {quoted(last)} was cut off and is left out")
    parsed = [_line(number, line) for number, line in enumerate(lines, 1)]
    header, above = parse_header(parsed)
    try:
        record = Record(header, above=above)
    except AdvisorError as error:
        raise InvalidRecord(f"header: {error}") from error
    if check_dice and header.seed is None:
        raise InvalidRecord("the dice cannot be checked: the record has no line 'seed NUMBER'")
    for line in parsed[above:]:
        _add(record, line, check_dice)
    return record


def _lines(text: str) -> list[str]:
    number = text.count("\n")
    if number > MOST:
        raise InvalidRecord(f"{number} lines: no game is so long; write at most {MOST}")
    return text.split("\n")


def _line(number: int, text: str) -> Line:
    if len(text) > LONGEST:
        raise InvalidRecord(
            f"line {number}: {quoted(text)} has {len(text)} letters; write at most {LONGEST}"
        )
    return parse_line(text)


def _add(record: Record, line: Line, check_dice: bool) -> None:
    number = record.length + 1
    try:
        if not line.text:
            record.note(line.comment)
            return
        expected = record.seeded() if check_dice and not record.is_over else None
        record.add(line.text, line.comment)
        _check_dice(record, expected)
    except AdvisorError as error:
        raise InvalidRecord(f"line {number}: {quoted(line.text)}: {error}") from error


def _check_dice(record: Record, expected: Counts | None) -> None:
    if expected is None or record.lines[-1].text == "undo":
        return
    fall = record.entries[-1].moves[-1]
    if isinstance(fall, Fall) and fall.dice != expected:
        raise InvalidRecord(
            f"the seed {record.header.seed} gives {format_dice(expected)}; "
            "correct the dice or leave the seed out"
        )
