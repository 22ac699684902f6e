"""A game that is played: what a player types becomes steps of a record, bots answer.

Nothing is read or written here but the record: a session hears lines of text and gives events,
which somebody shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from advisor.errors import AdvisorError, InvalidInput, InvalidOption, InvalidRecord
from advisor.kingme.belief import model
from advisor.kingme.belief.posterior import Evidence, this_round
from advisor.kingme.play.bots import BOTS, make_bot
from advisor.kingme.play.deal import dealt
from advisor.kingme.play.file import RecordFile
from advisor.kingme.play.options import Option, Vote
from advisor.kingme.rules.data import PLAYERS
from advisor.kingme.rules.game import Game, Move, Phase, Place, Raise, Reveal, Votes
from advisor.kingme.rules.goals import Deck, Goal
from advisor.kingme.rules.record import Entry, Seat, parse_character
from advisor.text import printable

HUMAN: Final = "human"

ADVICE: Final = ("?", "??")
FAVOURITES: Final = ("f", "favourites")
UNDO: Final = ("u", "undo")
HELP: Final = ("h", "help")
QUIT: Final = ("q", "quit")
COMMANDS: Final = (*ADVICE, *FAVOURITES, *UNDO, *HELP, *QUIT)


# ---------------------------------------------------------------- events


@dataclass(frozen=True)
class Stands:
    """A human's decision is due: the seat (from 0), its goal."""

    game: Game
    seat: int
    goal: Goal


@dataclass(frozen=True)
class Done:
    """A step was played."""

    entry: Entry


@dataclass(frozen=True)
class Asked:
    """Advice to a seat was asked for (every option if `every`), or the others' favourites."""

    seat: int
    goal: Goal
    favourites: bool = False
    every: bool = False


@dataclass(frozen=True)
class TakenBack:
    """So many steps were taken back."""

    steps: int


@dataclass(frozen=True)
class Problem:
    """What was typed cannot be done, and why."""

    text: str


@dataclass(frozen=True)
class Help:
    """Help was asked for."""


@dataclass(frozen=True)
class Left:
    """The player has left."""


@dataclass(frozen=True)
class Over:
    """The game is over."""

    game: Game


Event = Stands | Done | Asked | TakenBack | Problem | Help | Left | Over


def read_seats(text: str) -> tuple[Seat, ...]:
    """Return the seats of a list such as `human:Anna,best,greedy`."""
    parts = text.split(",")
    if len(parts) not in PLAYERS:
        raise InvalidOption(
            f"--seats: {len(parts)} players; the game is for {PLAYERS[0]} to {PLAYERS[-1]}"
        )
    return tuple(_seat(part.strip()) for part in parts)


def _seat(text: str) -> Seat:
    kind, _, name = text.partition(":")
    kind = kind.strip().casefold()
    if kind not in (HUMAN, *BOTS):
        raise InvalidOption(
            f"--seats: {text!r} is no player: choose from {HUMAN}, {', '.join(BOTS)}, a name "
            "behind a colon: human:Anna,best,greedy"
        )
    return Seat(kind, printable(name))


# ---------------------------------------------------------------- the session


class Session:
    """A game being played into a file, its goals dealt from the seed of the record."""

    def __init__(self, file: RecordFile, deck: Deck) -> None:
        self.file, self.record, self.deck = file, file.record, deck
        if self.record.header.seed is None:
            raise InvalidRecord(
                f"record {str(file.where)!r} has no seed, so no goals can be dealt: add a line "
                "'seed NUMBER' to its header"
            )
        for seat in self.record.header.seats:
            if seat.kind not in (HUMAN, *BOTS):
                raise InvalidRecord(
                    f"seat {seat.kind!r} is no player; choose from {HUMAN}, {', '.join(BOTS)}"
                )
        self.seed = self.record.header.seed
        self.titles = self.record.header.titles()
        self._voted: dict[int, bool] = {}

    @property
    def game(self) -> Game:
        """Where the game stands."""
        return self.record.game

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self.record.is_over

    @property
    def humans(self) -> list[int]:
        """The seats of humans."""
        seats = self.record.header.seats
        return [seat for seat, player in enumerate(seats) if player.kind == HUMAN]

    def goals(self) -> tuple[Goal, ...]:
        """Return the goals of the round that is on, by seat."""
        return dealt(self.deck, (self.seed,), self.game)

    def due(self) -> int | None:
        """Return the seat of the human who has to decide, None if nobody has to."""
        game = self.game
        if game.phase is Phase.VOTE:
            waiting = (seat for seat in self.humans if seat not in self._voted)
            return next((seat for seat in waiting if game.no_left[seat]), None)
        on_turn = game.phase in (Phase.PLACE, Phase.RAISE) and game.seat in self.humans
        return game.seat if on_turn else None

    def advance(self) -> Iterator[Event]:
        """Play until a human has to decide or all is over."""
        while not self.is_over:
            seat = self.due()
            if seat is not None:
                yield Stands(self.game, seat, self.goals()[seat])
                return
            yield self._play(self._next())
        yield Over(self.game)

    def _next(self) -> Move:
        game = self.game
        if game.is_chance:
            return Reveal(self.goals())
        if game.phase is Phase.VOTE:
            return Votes(tuple(self._vote(seat) for seat in range(game.players)))
        move = self._choice(game.seat)
        assert isinstance(move, Place | Raise)
        return move

    def _vote(self, seat: int) -> bool:
        if seat in self.humans:
            return self._voted.get(seat, False)
        option = self._choice(seat)
        return isinstance(option, Vote) and option.no

    def _choice(self, seat: int) -> Option:
        """Return what a bot does; it depends on the record only, so that it can be resumed."""
        kind = self.record.header.seats[seat].kind
        rng = np.random.default_rng((self.seed, 1, len(self.record.entries), seat))
        evidence = Evidence(self.deck, self.game.players, model.STRENGTH)
        if kind == "best":
            for entry in this_round(self.record):
                evidence.see(entry.before, entry.move)
        return make_bot(kind, rng, self.deck).choose(self.game, seat, self.goals()[seat], evidence)

    def _play(self, move: Move) -> Done:
        self.file.add(move)
        self._voted = {}
        return Done(self.record.entries[-1])

    # ------------------------------------------------------------ what is typed

    def prompt(self) -> str:
        """Return in a line what can be typed now."""
        match self.game.phase:
            case Phase.PLACE:
                what = "a character and a floor, A 3"
            case Phase.VOTE:
                what = "y or n"
            case _:
                what = "a character to go up one floor, A"
        return f"{what}; ? advice, f favourites, h help"

    def hear(self, text: str) -> Iterator[Event]:
        """Do what a player typed where a decision is due."""
        word = " ".join(text.split()).casefold()
        if word in COMMANDS:
            yield from self._command(word)
            return
        seat = self.due()
        assert seat is not None
        try:
            option = read_option(text, self.game)
            if isinstance(option, Vote):
                self._voted[seat] = option.no
            else:
                yield self._play(option)
        except AdvisorError as problem:
            yield Problem(str(problem))
        else:
            yield from self.advance()

    def _command(self, word: str) -> Iterator[Event]:
        seat = self.due()
        assert seat is not None
        if word in (*ADVICE, *FAVOURITES):
            yield Asked(seat, self.goals()[seat], word in FAVOURITES, word == ADVICE[-1])
        elif word in UNDO:
            yield from self._undo()
        elif word in HELP:
            yield Help()
        elif word in QUIT:
            yield Left()

    def _undo(self) -> Iterator[Event]:
        """Take back steps until a human has to decide again."""
        if self._voted:
            self._voted = {}
            yield TakenBack(0)
        else:
            number = self._back()
            if not number:
                yield Problem("nothing to take back")
                return
            for _ in range(number):
                self.file.add("undo")
            yield TakenBack(number)
        yield from self.advance()

    def _back(self) -> int:
        """Return how many steps go back to a human's last decision of the round, 0 for none."""
        for number, entry in enumerate(reversed(self.record.entries), 1):
            game, move = entry.before, entry.move
            if isinstance(move, Reveal):
                return 0
            if isinstance(move, Place | Raise) and game.seat in self.humans:
                return number
            if isinstance(move, Votes) and any(game.no_left[seat] for seat in self.humans):
                return number
        return 0


def read_option(text: str, game: Game) -> Option:
    """Return what a player typed as a decision; raises InvalidInput or InvalidRecord."""
    words = text.split()
    if words and words[0].casefold() in ("place", "raise"):
        words = words[1:]
    if game.phase is Phase.VOTE:
        word = "".join(words).casefold()
        if word in ("y", "yes", "n", "no"):
            return Vote(word.startswith("n"))
        raise InvalidInput(f"{printable(text)!r} is no vote: type y or n")
    found = re.fullmatch(r"([A-Za-z]+) ?(\d?)", " ".join(words))
    if not found or (game.phase is Phase.PLACE) != bool(found[2]):
        wanted = "type a character and a floor, A 3" if game.phase is Phase.PLACE else "type one, A"
        raise InvalidInput(f"{printable(text)!r} is no move: {wanted}")
    character = parse_character(found[1])
    return Place(character, int(found[2])) if found[2] else Raise(character)
