"""The literal game as an immutable state machine: who may do what, and what comes of it.

Goals are not part of a state: nobody at the table sees them all before a round is over. They come
in with `Reveal`, which ends a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from advisor.errors import ImpossibleStep, InvalidOption
from advisor.kingme.rules.castle import EMPTY, Castle, has_room, moved
from advisor.kingme.rules.data import (
    CHARACTERS,
    FLOORS,
    KING,
    NO_CARDS,
    OUT,
    PLACED,
    PLACING,
    PLAYERS,
    ROOM,
    ROUNDS,
    THRONE,
    TOP,
    UNPLACED,
    ZERO,
)
from advisor.kingme.rules.goals import Goal


class Phase(Enum):
    """What is due."""

    PLACE = "place"
    RAISE = "raise"
    VOTE = "vote"
    REVEAL = "reveal"
    OVER = "over"


@dataclass(frozen=True)
class Place:
    """A character goes onto a floor, before anybody climbs."""

    character: int
    floor: int


@dataclass(frozen=True)
class Raise:
    """A character goes up one floor, from the highest onto the throne."""

    character: int


@dataclass(frozen=True)
class Votes:
    """All votes on the character on the throne, by seat: True is No."""

    no: tuple[bool, ...]


@dataclass(frozen=True)
class Reveal:
    """All goals by seat, shown when a king is found."""

    goals: tuple[Goal, ...]


Move = Place | Raise | Votes | Reveal


def points(castle: Castle, goal: Goal) -> int:
    """Return what a goal brings at the end of a round: 10 for an own king, else the floors."""
    return sum(worth(castle[character]) for character in goal)


def worth(floor: int) -> int:
    """Return what a character on a floor, on the throne or out brings."""
    return KING if floor == THRONE else max(floor, 0)


def score(castle: Castle, goal: Goal, number: int) -> int:
    """Return the points of round `number`; in the last one exactly none count 33."""
    found = points(castle, goal)
    return ZERO if number == ROUNDS and found == 0 else found


def shares(totals: Sequence[int], present: Sequence[int]) -> tuple[float, ...]:
    """Return everybody's share of the victory.

    Most points win; among equals the most own characters in the castle (`present`), else shared.
    """
    ranks = list(zip(totals, present, strict=True))
    best = max(ranks)
    return tuple((rank == best) / ranks.count(best) for rank in ranks)


@dataclass(frozen=True)
class Game:
    """Where a game stands: the castle, whose turn it is, No cards left, points so far.

    `seat`: who places or moves, or who led the one on the throne there; seats count from 0.
    `gone`: the goals put away after earlier rounds. `result`: shares of the victory, at the end.
    """

    players: int
    no_left: tuple[int, ...]
    totals: tuple[int, ...]
    round: int = 1
    castle: Castle = EMPTY
    seat: int = 0
    candidate: int | None = None
    gone: tuple[Goal, ...] = ()
    result: tuple[float, ...] | None = None

    @property
    def phase(self) -> Phase:
        """What is due."""
        if self.result is not None:
            return Phase.OVER
        if self.candidate is not None:
            return Phase.VOTE
        if THRONE in self.castle:
            return Phase.REVEAL
        return Phase.PLACE if UNPLACED in self.castle else Phase.RAISE

    @property
    def is_over(self) -> bool:
        """Whether the last round has been scored."""
        return self.result is not None

    @property
    def is_chance(self) -> bool:
        """Whether no player decides: the goals are to be shown."""
        return self.phase is Phase.REVEAL

    def legal_moves(self) -> list[Move]:
        """Return what can be done: moves of the seat on turn, or all ways to vote together.

        None where goals are to be shown: which they are depends on the deck.
        """
        match self.phase:
            case Phase.PLACE:
                return [*self._places()]
            case Phase.RAISE:
                return [Raise(c) for c, floor in enumerate(self.castle) if self._can_rise(floor)]
            case Phase.VOTE:
                ways = [(False, True) if left else (False,) for left in self.no_left]
                return [Votes(no) for no in product(*ways)]
        return []

    def _places(self) -> Iterator[Place]:
        for character, floor in enumerate(self.castle):
            if floor == UNPLACED:
                yield from (Place(character, to) for to in PLACING if has_room(self.castle, to))

    def _can_rise(self, floor: int) -> bool:
        return 0 <= floor <= TOP and has_room(self.castle, floor + 1)

    def returns(self) -> tuple[float, ...]:
        """Return everybody's share of the victory; raises before the end."""
        if self.result is None:
            raise ImpossibleStep("the game is not over: nobody has won yet")
        return self.result

    def apply(self, move: Move) -> Game:
        """Return the game after a move; raises ImpossibleStep if the rules do not allow it."""
        match move:
            case Place(character, floor):
                return self._place(character, floor)
            case Raise(character):
                return self._raise(character)
            case Votes(no):
                return self._vote(no)
            case Reveal(goals):
                return self._reveal(goals)

    def _place(self, character: int, floor: int) -> Game:
        self._due(Phase.PLACE)
        name = CHARACTERS[character]
        if self.castle[character] != UNPLACED:
            raise ImpossibleStep(f"{name} stands on floor {self.castle[character]} already")
        if floor not in PLACING:
            raise ImpossibleStep(
                f"floor {floor}: characters are placed on the floors {PLACING[0]} to {PLACING[-1]}"
            )
        self._check_room(floor)
        castle = moved(self.castle, character, floor)
        placed = len(castle) - castle.count(UNPLACED)
        if placed == self.players * PLACED[self.players]:
            castle = tuple(0 if at == UNPLACED else at for at in castle)
        return replace(self, castle=castle, seat=self._next)

    def _raise(self, character: int) -> Game:
        self._due(Phase.RAISE)
        floor = self.castle[character]
        if floor == OUT:
            raise ImpossibleStep(f"{CHARACTERS[character]} is out of this round")
        self._check_room(floor + 1)
        castle = moved(self.castle, character, floor + 1)
        if floor == TOP:
            return replace(self, castle=castle, candidate=character)
        return replace(self, castle=castle, seat=self._next)

    def _check_room(self, floor: int) -> None:
        if not has_room(self.castle, floor):
            raise ImpossibleStep(
                f"floor {floor} ({FLOORS[floor]}) has {ROOM} characters already; choose another"
            )

    def _vote(self, no: tuple[bool, ...]) -> Game:
        self._due(Phase.VOTE)
        if len(no) != self.players:
            raise ImpossibleStep(f"{len(no)} votes of {self.players} players: give one for each")
        for seat, (refuses, left) in enumerate(zip(no, self.no_left, strict=True), 1):
            if refuses and not left:
                raise ImpossibleStep(f"seat {seat} votes No, but has no No card left")
        if not any(no):
            return replace(self, candidate=None)
        assert self.candidate is not None
        return replace(
            self,
            castle=moved(self.castle, self.candidate, OUT),
            candidate=None,
            no_left=tuple(left - refuses for left, refuses in zip(self.no_left, no, strict=True)),
            seat=self._next,
        )

    def _reveal(self, goals: tuple[Goal, ...]) -> Game:
        self._due(Phase.REVEAL)
        if len(goals) != self.players:
            raise ImpossibleStep(f"{len(goals)} goals of {self.players} players: give all of them")
        scores = (score(self.castle, goal, self.round) for goal in goals)
        totals = tuple(old + new for old, new in zip(self.totals, scores, strict=True))
        if self.round == ROUNDS:
            present = [sum(self.castle[c] >= 0 for c in goal) for goal in goals]
            return replace(self, totals=totals, result=shares(totals, present))
        return replace(
            new_game(self.players),
            round=self.round + 1,
            totals=totals,
            seat=self._next,
            gone=(*self.gone, *goals),
        )

    @property
    def _next(self) -> int:
        return (self.seat + 1) % self.players

    def _due(self, wanted: Phase) -> None:
        if self.phase is not wanted:
            raise ImpossibleStep(f"{_STEP[wanted]}, but {_DUE[self.phase]}")


_STEP = {
    Phase.PLACE: "a character is placed",
    Phase.RAISE: "a character rises",
    Phase.VOTE: "votes are given",
    Phase.REVEAL: "goals are shown",
}
_DUE = {
    Phase.PLACE: "characters are still being placed",
    Phase.RAISE: "a character has to go up one floor",
    Phase.VOTE: "the one on the throne has to be voted on",
    Phase.REVEAL: "there is a king and all goals have to be shown",
    Phase.OVER: "the game is over",
}


def new_game(players: int) -> Game:
    """Return a game before its first step; raises InvalidOption for a wrong number of players."""
    if players not in PLAYERS:
        raise InvalidOption(f"{players} players: the game is for {PLAYERS[0]} to {PLAYERS[-1]}")
    return Game(players, (NO_CARDS[players],) * players, (0,) * players)
