"""Games and single turns as text, one step a line, both ways; docs/records.md has the format.

A record is only ever added to: a step taken back stands in it, followed by `undo`. Reading one
plays it again under the rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

from advisor.court.rules import game as games
from advisor.court.rules.game import MOST_PLAYERS, Buy, Fall, Game, Move, Pass
from advisor.court.rules.names import parse_card
from advisor.court.rules.notation import (
    Position,
    check_position,
    format_position,
    parse_position,
    to_state,
)
from advisor.court.rules.options import RULE_SETS, RULEBOOK, RuleSet
from advisor.court.rules.turn import Effect, Roll, SetAside, Use
from advisor.dice import SEEDS, Counts, faces, format_dice, of_faces, parse_dice, thrown
from advisor.errors import AdvisorError, ImpossibleStep, InvalidRecord, UnknownCard
from advisor.text import printable

FIRST: Final = "court-record"
VERSION: Final = 1
NOTHING: Final = "nothing"
STEPS: Final = ("roll", "aside", "use", "buy", "pass", "undo")
HEADS: Final = ("rules", "seat", "turn", "seed")

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

    `seed`: the dice can be rolled again from it (see `dice_of`); None: they were typed in.
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


# ---------------------------------------------------------------- steps


def parse_step(text: str, game: Game) -> tuple[Move, ...]:
    """Return the moves that a line stands for where the game stands, not yet checked by it."""
    kind, _, rest = " ".join(text.split()).partition(" ")
    match kind.casefold():
        case "roll":
            return _roll(rest, game)
        case "aside":
            return tuple(SetAside(face) for face in faces(_dice("aside", rest)))
        case "use":
            return (_use(rest, game),)
        case "buy":
            if not rest:
                raise InvalidRecord(f"'buy' names no card: write buy CARD or buy {NOTHING}")
            return (Buy(None if rest.casefold() == NOTHING else parse_card(rest)),)
        case "pass" if not rest:
            return (Pass(),)
    raise InvalidRecord(f"{text!r} is no step: {_meant(kind, STEPS)}")


def format_step(moves: tuple[Move, ...]) -> str:
    """Return the line of the moves of one step, `parse_step` the other way round."""
    set_aside = [move.face for move in moves if isinstance(move, SetAside)]
    if moves and len(set_aside) == len(moves):
        return f"aside {format_dice(of_faces(set_aside))}"
    match moves:
        case (Fall(fallen),) | (Roll(), Fall(fallen)):
            return f"roll {format_dice(fallen)}"
        case (Use(card, effect),):
            return f"use {card} {effect.text}"
        case (Buy(key),):
            return f"buy {key or NOTHING}"
        case (Pass(),):
            return "pass"
    raise InvalidRecord(
        f"{moves} are not one step: a step is a roll with the dice that fell, dice set aside, one "
        "use of a card, a purchase or a pass"
    )


def _meant(word: str, words: tuple[str, ...]) -> str:
    close = get_close_matches(word.casefold(), words, n=1)
    return f"did you mean {close[0]!r}?" if close else f"a line begins with {', '.join(words)}"


def _dice(kind: str, text: str) -> Counts:
    dice = parse_dice(text)
    if not sum(dice):
        raise InvalidRecord(f"{kind!r} names no dice: write for example {kind} 552")
    return dice


def _roll(text: str, game: Game) -> tuple[Move, ...]:
    fallen = Fall(_dice("roll", text))
    return (fallen,) if game.is_chance else (Roll(), fallen)


def _use(text: str, game: Game) -> Use:
    """Return the use of a card; the name may have several words, the effect follows it."""
    words = text.split(" ")
    names = [(" ".join(words[:n]), " ".join(words[n:])) for n in (1, 2, 3) if n <= len(words)]
    for name, effect in reversed(names):
        try:
            return _effect(parse_card(name), effect, game)
        except UnknownCard as error:
            problem = error
    raise problem


def _effect(card: str, text: str, game: Game) -> Use:
    if game.turn is None:
        raise ImpossibleStep("the game is over: no move can follow")
    found = games.uses(card, game.turn)
    if len(found) == 1 and not text:
        return found[0]
    named = [use for use in found if text.casefold() in (use.effect.text, short(use.effect))]
    if named and text:
        return named[0]
    # The game itself says best what is wrong with it.
    games.check_step(Use(card, Effect(text or "no effect named")), game.turn)
    raise InvalidRecord(f"use {card} {text}: write what the card does")


def short(effect: Effect) -> str:
    """Return a use in digits: `4>2` turn a 4 into a 2, `2` bring in or re-roll a 2."""
    take, give = format_dice(effect.take), format_dice(effect.give)
    return f"{take}>{give}" if take and give else take + give


def dice_of(seed: int, fall: int, number: int) -> Counts:
    """Return how `number` dice fall at the fall with this place, counted from 0.

    A fall depends on nothing but its place, so a step taken back does not change later dice.
    """
    import numpy as np

    return thrown(number, np.random.default_rng((seed, fall)))


# ---------------------------------------------------------------- the record


@dataclass(frozen=True)
class Entry:
    """A step in force: its line in the record, its text, its moves, the game before and after."""

    line: int
    text: str
    moves: tuple[Move, ...]
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
        return sum(isinstance(entry.moves[-1], Fall) for entry in self.entries)

    def seeded(self) -> Counts:
        """Return how the dice fall here if they are rolled now; raises without a seed."""
        state = self.game.turn
        if self.header.seed is None:
            raise InvalidRecord("the record has no seed: the dice have to be typed in")
        if state is None:
            raise ImpossibleStep("the game is over: no dice fall")
        return dice_of(self.header.seed, self.falls, state.falling or sum(state.active))

    def add(self, step: str | tuple[Move, ...], comment: str | None = None) -> Line:
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
        self.entries.append(Entry(self.length, line.text, moves, self.game, after))
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
    lines = text.split("\n")
    last = lines.pop()
    if last and warn is None:
        lines.append(last)
    elif last and warn:
        warn(f"line {len(lines) + 1}: {last!r} was cut off and is left out")
    numbered = [(number, line) for number, line in enumerate(lines, 1)]
    header, rest = _header(numbered)
    try:
        record = Record(header, above=len(lines) - len(rest))
    except AdvisorError as error:
        raise InvalidRecord(f"header: {error}") from error
    if check_dice and header.seed is None:
        raise InvalidRecord("the dice cannot be checked: the record has no line 'seed NUMBER'")
    for number, line in rest:
        _add(record, number, line, check_dice)
    return record


def _add(record: Record, number: int, text: str, check_dice: bool) -> None:
    step, comment = _apart(text)
    try:
        if not step:
            record.note(comment)
            return
        expected = record.seeded() if check_dice and not record.is_over else None
        record.add(step, comment)
        _check_dice(record, expected)
    except AdvisorError as error:
        raise InvalidRecord(f"line {number}: {step!r}: {error}") from error


def _check_dice(record: Record, expected: Counts | None) -> None:
    if expected is None or record.lines[-1].text == "undo":
        return
    fall = record.entries[-1].moves[-1]
    if isinstance(fall, Fall) and fall.dice != expected:
        raise InvalidRecord(
            f"the seed {record.header.seed} gives {format_dice(expected)}; "
            "correct the dice or leave the seed out"
        )


def _apart(line: str) -> tuple[str, str | None]:
    """Return what a line says and its comment, None without one."""
    text, mark, comment = line.partition("#")
    return text.strip(), comment.strip() if mark else None


def _header(lines: list[tuple[int, str]]) -> tuple[Header, list[tuple[int, str]]]:
    """Return the header and the lines after it."""
    rest = list(lines)
    notes: list[str] = []
    _check_first(rest, notes)
    heads: list[tuple[int, str, str]] = []
    while rest:
        text, comment = _apart(rest[0][1])
        kind, _, value = text.partition(" ")
        if kind.casefold() not in HEADS and (text or (heads and _in_body(rest))):
            break
        notes += [comment] if comment else []
        heads += [(rest[0][0], kind.casefold(), value.strip())] if text else []
        rest.pop(0)
    return _assembled(heads, tuple(notes)), rest


def _in_body(rest: list[tuple[int, str]]) -> bool:
    """Return whether no line of the header follows any more."""
    words = (_apart(line)[0].partition(" ")[0].casefold() for _, line in rest)
    return next((word for word in words if word), None) not in HEADS


def _check_first(rest: list[tuple[int, str]], notes: list[str]) -> None:
    while rest:
        text, comment = _apart(rest.pop(0)[1])
        notes += [comment] if comment else []
        if text:
            break
    else:
        raise InvalidRecord(f"the record is empty: it begins with '{FIRST} {VERSION}'")
    name, _, version = text.partition(" ")
    if name.casefold() != FIRST:
        raise InvalidRecord(f"{text!r} begins no record: the first line is '{FIRST} {VERSION}'")
    if version.strip() != str(VERSION):
        raise InvalidRecord(
            f"{text!r}: this program reads version {VERSION} of the format; use the program that "
            "wrote the record"
        )


def _assembled(heads: list[tuple[int, str, str]], notes: tuple[str, ...]) -> Header:
    rules, seats, seed, position = RULEBOOK, [], None, None
    seen: set[str] = set()
    for number, kind, value in heads:
        try:
            if kind in seen:
                raise InvalidRecord("written twice; leave one out")
            if kind == "seat":
                word, _, name = value.partition(" ")
                seats.append(Seat(word.casefold(), " ".join(name.split())))
                continue
            seen.add(kind)
            if kind == "rules":
                rules = _rules(value)
            elif kind == "seed":
                seed = _seed(value)
            else:
                position = parse_position(value)
        except AdvisorError as error:
            raise InvalidRecord(f"line {number}: {kind} {value}: {error}") from error
    return Header(rules, tuple(seats), seed, position, notes)


def _rules(text: str) -> RuleSet:
    if text not in RULE_SETS:
        raise InvalidRecord(f"{text!r} is no rule set: write {' or '.join(RULE_SETS)}")
    return RULE_SETS[text]


def _seed(text: str) -> int:
    if not re.fullmatch(r"\d{1,99}", text) or int(text) >= SEEDS:
        raise InvalidRecord(f"{text!r} is no seed: write a whole number of at most 18 digits")
    return int(text)
