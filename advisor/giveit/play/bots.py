"""Players: each looks at its own hand, at what lies open, and at nothing else."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from advisor.giveit.day import advice, lookahead
from advisor.giveit.day.advice import Row
from advisor.giveit.day.tables import ReachTable
from advisor.giveit.rules.corridor import MESSENGERS
from advisor.giveit.rules.day import Day, Move, Name, Quiet
from advisor.giveit.rules.game import DAYS, RESTORING, Draw, Game, GameStep, Restore
from advisor.giveit.rules.messages import worth

SPREAD: Final = 1.0
"""Gold by which two purses at the end have to differ for odds of e to 1."""
USE: Final = 0.5
"""Gold that a message is worth for its effect on a later day."""


class Bot(Protocol):
    """A player."""

    def step(self, game: Game) -> GameStep:
        """Return what the seat to act does."""


@dataclass
class Random:
    """Any legal step."""

    rng: random.Random

    def step(self, game: Game) -> GameStep:
        """Return what the seat to act does."""
        return self.rng.choice(game.legal_actions())


@dataclass
class First:
    """Moves the own messenger when it can, else the first that can; reveals nothing."""

    rng: random.Random

    def step(self, game: Game) -> GameStep:
        """Return what the seat to act does."""
        possible = game.legal_actions()
        own = Move(game.actor)
        return own if own in possible else _without_messages(game)


def _without_messages(game: Game) -> GameStep:
    """Return the first legal step: nothing revealed, nothing restored."""
    return game.legal_actions()[0]


@dataclass
class Exact:
    """Best play of a day without messages for the throne; delivers all it has."""

    rng: random.Random
    table: ReachTable

    def step(self, game: Game) -> GameStep:
        """Return what the seat to act does."""
        possible, day = game.legal_actions(), game.day
        if day is None or not isinstance(possible[0], Move) or len(possible) == 1:
            return _without_messages(game)
        none = ((),) * game.players
        quiet = replace(day, hands=none, captain=None, purses=None)
        found = lookahead.choices(quiet, lambda later: advice.outcome(later, self.table))
        return _best([(step, row[game.actor]) for step, row in found], self.rng)


def _best(found: Sequence[tuple[GameStep, float]], rng: random.Random) -> GameStep:
    most = max(value for _, value in found)
    return rng.choice([step for step, value in found if value >= most - advice.TIE])


@dataclass
class Best:
    """Looks to the end of each roll with its own messages, then at the chances without any.

    Before the last day it plays for its gold ahead of the others' mean, on the last day for the
    chance to win the game. What others hold face down counts with the mean of the box.
    """

    rng: random.Random
    table: ReachTable

    def step(self, game: Game) -> GameStep:
        """Return what the seat to act does."""
        possible, seat = game.legal_actions(), game.actor
        if len(possible) == 1 or isinstance(possible[0], Name):
            return possible[0]
        if game.day is None:
            return self._between(game, seat)
        view = _Outlook(game, seat, self.table)
        found = lookahead.choices(view.seen(game.day), view.leaf)
        # Of equal choices the first: quiet rather than a message wasted.
        most = max(row[seat] for _, row in found)
        best: list[GameStep] = [step for step, row in found if row[seat] >= most - advice.TIE]
        return best[0] if isinstance(best[0], Quiet) else self.rng.choice(best)

    def _between(self, game: Game, seat: int) -> GameStep:
        later = 1 - (1 - 1 / MESSENGERS) ** (DAYS - game.number)
        for step in game.legal_actions():
            if isinstance(step, Restore) and step.message.gold * later + USE > RESTORING:
                return step
        return Draw()


class _Outlook:
    """What a seat expects of the rest of a game from a roll on."""

    def __init__(self, game: Game, seat: int, table: ReachTable) -> None:
        self.seat, self.table, self.players = seat, table, game.players
        self.last = game.number == DAYS
        self.mean = worth(game.box.messages) / len(game.box.messages)
        self.later = 1 - (1 - 1 / MESSENGERS) ** (DAYS - game.number)
        # What others hold is paid as a whole number in the literal day.
        self.deliver = [
            0 if other == seat else round(self.mean * len(hand))
            for other, hand in enumerate(game.day.hands if game.day else ())
        ] + [0] * (MESSENGERS - game.players)

    def seen(self, day: Day) -> Day:
        """Return the day with the own messages only."""
        hands = tuple(hand if at == self.seat else () for at, hand in enumerate(day.hands))
        return replace(day, hands=hands, deliver=tuple(self.deliver))

    def leaf(self, day: Day) -> Row:
        """Return everybody's worth of a day that is over or goes on without messages."""
        assert day.purses is not None
        assert day.captain is not None
        if day.is_over:
            if self.last:
                found = self._chances(day.purses)
            else:
                found = self._ahead(day.purses, self._kept(day))
            return (*found, 0.0, 0.0, 0.0)[:MESSENGERS]
        chances = self.table.rolling(day.distances, day.turn)
        rows = [self._entered(day, messenger) for messenger in range(MESSENGERS)]
        return tuple(
            sum(chance * row[at] for chance, row in zip(chances, rows, strict=True))
            for at in range(MESSENGERS)
        )

    def _entered(self, day: Day, messenger: int) -> Row:
        """Return everybody's worth if a messenger reaches the throne with what lies now."""
        assert day.purses is not None
        purses, kept = list(day.purses), self._kept(day)
        if messenger < self.players:
            purses[messenger] += worth(day.hands[messenger]) + self.deliver[messenger]
            if messenger == self.seat:
                kept -= self._future(day)
        found = self._chances(purses) if self.last else self._ahead(purses, kept)
        return (*found, 0.0, 0.0, 0.0)[:MESSENGERS]

    def _future(self, day: Day) -> float:
        return sum(each.gold * self.later + USE for each in day.hands[self.seat])

    def _kept(self, day: Day) -> float:
        """Return what the own messages are worth on later days, the revealed ones restored."""
        restored = (
            max(0.0, each.gold * self.later + USE - RESTORING) for each in day.shown[self.seat]
        )
        return self._future(day) + sum(restored)

    def _ahead(self, purses: Sequence[float], kept: float) -> list[float]:
        """Return by how much everybody is ahead of the mean of the others."""
        held = [gold + (kept if seat == self.seat else 0.0) for seat, gold in enumerate(purses)]
        others = len(held) - 1
        return [gold - (sum(held) - gold) / others for gold in held]

    def _chances(self, purses: Sequence[float]) -> list[float]:
        """Return everybody's chance to have most, what is still unknown as a spread."""
        most = max(purses)
        odds = [math.exp((gold - most) / SPREAD) for gold in purses]
        return [each / sum(odds) for each in odds]


BOTS: Final = ("random", "first", "exact", "best")


def make_bot(kind: str, rng: random.Random, table: ReachTable | None) -> Bot:
    """Return a bot; `exact` and `best` need the table of the chances to reach the throne."""
    if kind == "random":
        return Random(rng)
    if kind == "first":
        return First(rng)
    assert table is not None
    return Exact(rng, table) if kind == "exact" else Best(rng, table)
