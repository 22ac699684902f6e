"""How a race for the King goes: turns needed, routes of purchases, chances within so many turns."""

from __future__ import annotations

import heapq
import time
from collections.abc import Iterator
from math import inf
from typing import Final

from advisor.court.race.answers import Route
from advisor.court.race.hand import Turn
from advisor.court.race.search import Node, Solitaire
from advisor.court.rules.cards import KING
from advisor.court.rules.options import Hand, bought
from advisor.court.turn.payoffs import PurchasePayoff
from advisor.intervals import Interval

TURNS: Final = 20
"""The longest race whose chance is worked out."""
LONGEST: Final = 400
"""Turns after which a race that goes on is not followed."""
CLOSED: Final = 0.97
"""With so good a chance of the King in one turn going for it alone is good enough a bound."""
ALMOST: Final = 1e-6
"""What is missing to certainty where chances are no longer followed."""
ROUNDING: Final = 1e-11
"""More than the relative error of any chance of a turn."""
TAIL: Final = 1e-9
"""A chance that is not followed any further."""
NEVER: Final = Interval(0.0, 0.0)


class Pace:
    """What follows from the hands of a race that has been solved."""

    def __init__(self, race: Solitaire) -> None:
        self.race = race
        self.late = False
        """Whether chances are left unfinished because time ran out."""
        self._curves: dict[Hand, list[Interval]] = {}

    # ------------------------------------------------------------ under the play found

    def course(self, cards: Hand) -> Iterator[dict[Hand, float]]:
        """Yield for turn 1, 2, ... how likely each hand is when it begins, the King still unbought.

        A hand stands for all those that are played like it.
        """
        now = {self._seat(cards): 1.0}
        for _ in range(LONGEST):
            if sum(now.values()) <= TAIL:
                return
            yield now
            after: dict[Hand, float] = {}
            for hand, share in now.items():
                for key, part in self.race.node(hand).play.items():
                    if key != KING.key:
                        seat = self._seat(bought(hand, key)) if key else hand
                        after[seat] = after.get(seat, 0.0) + share * part
            now = after

    def turns(self, cards: Hand) -> list[float]:
        """Return the probability that the King is bought in turn 1, 2, ... under the play found."""
        return [
            sum(x * self.race.node(hand).play.get(KING.key, 0.0) for hand, x in now.items())
            for now in self.course(cards)
        ]

    def purchases(self, cards: Hand) -> list[dict[str, float]]:
        """Return for turn 1, 2, ... how likely each card is bought in it under the play found.

        Cards that are never made use of, and nothing, are left out.
        """
        found = []
        for now in self.course(cards):
            chances: dict[str, float] = {}
            for hand, share in now.items():
                for key, part in self._useful(hand).items():
                    chances[key] = chances.get(key, 0.0) + share * part
            found.append(chances)
        return found

    def routes(self, cards: Hand, number: int = 5) -> list[Route]:
        """Return the most likely ways to the King under the play found, likeliest first."""
        heap: list[tuple[float, tuple[str, ...], Hand]] = [(-1.0, (), self._seat(cards))]
        found: list[Route] = []
        while heap and len(found) < number:
            share, path, hand = heapq.heappop(heap)
            if path and path[-1] == KING.key:
                found.append(Route(cards=path, probability=-share))
                continue
            for key, part in self._leaving(hand).items():
                seat = hand if key == KING.key else self._seat(bought(hand, key))
                heapq.heappush(heap, (share * part, (*path, key), seat))
        return found

    def _leaving(self, hand: Hand) -> dict[str, float]:
        """Return how likely each purchase is to be the next one."""
        moves = self._useful(hand)
        total = sum(moves.values())
        return {key: part / total for key, part in moves.items()}

    def _useful(self, hand: Hand) -> dict[str, float]:
        """Return how likely each purchase is in a turn, without those that change nothing."""
        return {
            key: part
            for key, part in self.race.node(hand).play.items()
            if key and (key == KING.key or self._seat(bought(hand, key)) != hand)
        }

    def _seat(self, hand: Hand) -> Hand:
        """Return the hand as which this one is played."""
        as_if = self.race.node(hand).as_if
        return hand if as_if is None else self._seat(as_if)

    # ------------------------------------------------------------ the best chance within T turns

    def within(self, cards: Hand, deadline: float = inf) -> list[Interval]:
        """Return bounds of the greatest chance of the King within 1, 2, ... TURNS turns.

        Each number of turns is an aim of its own. Hands not reached before the deadline are
        bounded by going for the King alone and by certainty.
        """
        node, total = self.race.node(cards), 0.0
        found: list[Interval] = []
        played = self.turns(cards)
        for number in range(1, TURNS + 1):
            total += played[number - 1] if number <= len(played) else 0.0
            chance = self._chance(node, number, deadline)
            before = found[-1].lower if found else 0.0
            lower = max(chance.lower, min(total, chance.upper), before)
            found.append(Interval(lower, max(lower, chance.upper)))
        return found

    def _chance(self, node: Node, number: int, deadline: float) -> Interval:
        """Return bounds of the greatest chance within so many turns."""
        # Few turns first: hands many purchases away do not matter to them.
        curve = self._curves.setdefault(node.cards, [NEVER])
        while len(curve) <= number:
            found = self._next(node, curve[-1], len(curve), deadline)
            if found is None:
                return self._alone(node, number)
            curve.append(found)
        return curve[number]

    def _next(self, node: Node, before: Interval, number: int, deadline: float) -> Interval | None:
        """Return the bounds that follow from those for one turn less; None: no time left."""
        if number <= self.race.supply.needed(node.cards):
            return NEVER
        if before.lower >= 1 - ALMOST:
            return Interval(before.lower, 1.0)
        if (
            number == 1
            or node.barred
            or (node.king >= CLOSED and self.race.supply.purchases(node.cards))
        ):
            return self._alone(node, number)
        if time.monotonic() >= deadline:
            self.late = True
            return None
        # The likeliest purchases first, in case time runs out.
        hands = sorted(self.race.after(node).items(), key=lambda item: -node.play.get(item[0], 0.0))
        after = {key: self._chance(child, number - 1, deadline) for key, child in hands}
        return self._best(node, before, after)

    def _alone(self, node: Node, number: int) -> Interval:
        """Return cheap bounds: going for the King alone; certain as soon as it can be."""
        upper = float(number > self.race.supply.needed(node.cards))
        if number == 1 and not node.barred:
            upper = node.king
        chance = 1 - (1 - node.king) ** number
        return Interval.of(chance, upper, ROUNDING) & Interval(0.0, 1.0)

    def _best(self, node: Node, before: Interval, after: dict[str, Interval]) -> Interval:
        """Return the bounds of a turn's best play, given those of what it can lead to."""
        turn = Turn(node.cards, self.race.supply, self.race.memory)
        sides = []
        for bound in ("lower", "upper"):
            bought_then = ((key, getattr(chance, bound)) for key, chance in after.items())
            values = ((KING.key, 1.0), *bought_then)
            sides.append(PurchasePayoff(values, getattr(before, bound)))
        found = turn.values(sides[: 1 + (sides[0] != sides[1])])
        return Interval.of(found[0], found[-1], turn.error) & Interval(0.0, 1.0)


def mean(turns: list[float]) -> float:
    """Return the expected number of turns, as far as the distribution reaches."""
    return sum(number * share for number, share in enumerate(turns, 1))
