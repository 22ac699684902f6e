"""What is at stake in a purchase: bounds of the turns to the King after it, known or solved.

A hand is looked up first, then bounded without any work, and solved only where that matters.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from advisor.court.race.search import Solitaire, Told
from advisor.court.rules.cards import has_use
from advisor.court.rules.options import Hand, bought
from advisor.court.rules.supply import Supply, full_supply
from advisor.errors import TooLarge
from advisor.intervals import Interval

ENOUGH: Final = 0.02
"""How narrow an interval in turns is narrow enough where nothing else is asked for."""
SMALL: Final = 1e-4
"""How narrow it has to be with few cards to buy."""
MANY: Final = 10
"""With more cards to buy than this, hands take too long to be solved to the last digit."""
OPEN: Final = 0.3
"""The share of an interval that may be left to the hands that are not narrowed next."""
WIDE: Final = 100.0
"""Intervals wider than this, in turns, count as so wide."""


@dataclass(frozen=True)
class Precision:
    """How narrow the intervals of options have to be: `width` turns each.

    With `slack` only what the best of them is worth has to be known so well; another one that
    cannot be better than that may be as wide as it is behind, and by so much wider.
    """

    width: float
    slack: float | None = None

    def vague(self, spans: Sequence[Interval]) -> list[int]:
        """Return the places of the options that are not known well enough."""
        best = min((span.upper for span in spans), default=inf)
        return [place for place, span in enumerate(spans) if not self._enough(span, best)]

    def _enough(self, span: Interval, best: float) -> bool:
        if self.slack is None or span.width <= self.width:
            return span.width <= self.width
        behind = span.lower - best
        return behind >= -self.width and span.width <= behind + self.slack


def precision(width: float | None, slack: float, supply: Supply, hand: Hand) -> Precision:
    """Return how narrow is narrow enough; `width` in turns if it was asked for, else `slack`."""
    if width is not None:
        return Precision(0.98 * width)
    if supply == full_supply(hand, supply.rules) or len(supply.purchases(hand)) > MANY:
        return Precision(ENOUGH, slack)
    return Precision(0.98 * SMALL)


class Stakes:
    """What is known of a hand and of the hands after each of its purchases."""

    def __init__(self, race: Solitaire, hand: Hand) -> None:
        self.race, self.hand = race, hand
        self.keys = race.supply.purchases(hand)
        if self._known(hand).upper == inf:
            # A line of purchases to the King gives an upper bound at least.
            race.solve(hand, WIDE, time.monotonic())
            if self._known(hand).upper == inf:
                raise TooLarge("hands on the way to the King are too large: raise --memory")

    def spans(self) -> dict[str | None, Interval]:
        """Return the bounds after buying nothing (None) and after each purchase but the King."""
        after = {key: self._known(bought(self.hand, key)) for key in self.keys}
        stay = self._known(self.hand)
        # A card that need not be used can be ignored for good.
        for key, span in after.items():
            if has_use(key):
                stay &= Interval(span.lower)
        at_most = Interval(-inf, stay.upper)
        return {None: stay} | {
            key: span & at_most if has_use(key) else span for key, span in after.items()
        }

    def _known(self, hand: Hand) -> Interval:
        """Return the bounds of a hand without solving anything."""
        race = self.race
        if hand in race.nodes or (race.known and race.known(hand)):
            return race.node(hand).turns
        more = race.floor(hand) if race.floor else None
        least = Interval(1.0 + race.supply.needed(hand))
        return least & Interval(more.turns.lower) if more else least

    def narrow(
        self, weights: Mapping[str | None, float], width: float, deadline: float, told: Told
    ) -> bool:
        """Narrow the bounds that most of an uncertainty comes from; return whether any moved.

        `weights`: how likely each purchase is.
        """
        before = self.spans()
        parts = {key: weights[key] * min(before[key].width, WIDE) for key in weights}
        left = sum(parts.values())
        allowed = OPEN * left
        for key in sorted(parts, key=parts.__getitem__, reverse=True):
            if left <= allowed or time.monotonic() >= deadline:
                break
            wanted = max(width / 2, min(before[key].width, WIDE) / 4)
            self.race.solve(bought(self.hand, key), wanted, deadline, told)
            left -= parts[key]
        return self.spans() != before


def settle(
    stakes: Stakes,
    keys: Sequence[str | None],
    wanted: Precision,
    deadline: float,
    told: Told,
) -> None:
    """Narrow the bounds after some purchases evenly until each is known well enough."""
    while time.monotonic() < deadline:
        spans = stakes.spans()
        vague = wanted.vague([spans[key] for key in keys])
        weights = dict.fromkeys((keys[place] for place in vague), 1.0)
        if not vague or not stakes.narrow(weights, wanted.width, deadline, told):
            return
