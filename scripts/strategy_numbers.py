"""What docs/strategy.md is made from: the shipped table, the play it holds, docs/strategy.json."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

import strategy_solved

from advisor.court.race import known as race_tables
from advisor.court.race.course import Pace
from advisor.court.race.search import Solitaire
from advisor.court.rules.cards import BY_KEY, KING, BringIn, StartDice, in_order
from advisor.court.rules.names import name_of
from advisor.court.rules.options import RULEBOOK, Hand
from advisor.court.rules.supply import full_supply, singles
from advisor.intervals import Interval
from advisor.storage import places
from advisor.units import default_limit

SURE: Final = 0.02
"""The widest interval, in turns, of a hand that is shown."""


class Numbers:
    """Turns to the King by hand, and how best play goes from no cards."""

    def __init__(self) -> None:
        self.known = race_tables.probe(places.shipped(), RULEBOOK)
        race = Solitaire(full_supply((), RULEBOOK), default_limit(), known=self.known)
        self.pace = Pace(race)
        found = strategy_solved.load()
        self.without = {key: Interval(*bounds) for key, bounds in found["without"].items()}
        self.soonest = Interval(*found["soonest"])

    # ------------------------------------------------------------ hands

    def sure(self, hand: Hand) -> bool:
        """Return whether a hand is known well enough to be shown."""
        node = self.known(hand)
        return node is not None and node.turns.width <= SURE

    def bounds(self, hand: Hand) -> Interval:
        """Return the interval of a hand that is known well enough."""
        node = self.known(hand)
        assert node is not None, hand
        assert node.turns.width <= SURE, node
        return node.turns

    def middle(self, hand: Hand) -> float:
        """Return the middle of the interval of a hand."""
        return self.bounds(hand).middle

    def doubt(self, hand: Hand) -> float:
        """Return half the width of the interval of a hand."""
        return self.bounds(hand).width / 2

    def lower(self, hand: Hand) -> float:
        """Return the lower bound of a hand, 0 if nothing is known of it."""
        node = self.known(hand)
        return node.turns.lower if node else 0.0

    def saved(self, hand: Hand, keys: Hand) -> Interval:
        """Return bounds of the turns that more cards save."""
        return self.bounds(hand) - self.bounds(in_order((*hand, *keys)))

    def best_of(self, hand: Hand, keys: Sequence[str], number: int) -> Hand | None:
        """Return which of the cards, so many of them, save most; None if that is not known."""
        able = list(combinations([key for key in keys if key not in hand], number))
        after = {keys: in_order((*hand, *keys)) for keys in able}
        known = [keys for keys in able if self.sure(after[keys])]
        if not known or not self.sure(hand):
            return None
        best = min(known, key=lambda keys: self.middle(after[keys]))
        least = self.bounds(after[best]).lower
        # What is not known well enough must be behind for certain.
        rivals = (keys for keys in able if keys not in known and self.lower(after[keys]) < least)
        return None if any(rivals) else best

    # ------------------------------------------------------------ how best play goes

    @cached_property
    def turns(self) -> list[float]:
        """The probability that the King is bought in turn 1, 2, ..., from no cards."""
        return self.pace.turns(())

    @cached_property
    def purchases(self) -> list[dict[str, float]]:
        """The probability of each purchase in turn 1, 2, ..., from no cards."""
        return self.pace.purchases(())

    def ever(self, key: str) -> float:
        """Return the expected number of purchases of a card on the way to the King."""
        return sum(chances.get(key, 0.0) for chances in self.purchases)

    def when(self, key: str) -> float:
        """Return in which turn a card is bought on average, if it is."""
        chances = enumerate((chances.get(key, 0.0) for chances in self.purchases), 1)
        return sum(number * chance for number, chance in chances) / self.ever(key)

    @cached_property
    def likeliest(self) -> list[Hand]:
        """The likeliest hand of no card, of one, two, ..., in the order of their number."""
        often: dict[Hand, float] = {}
        for now in self.pace.course(()):
            for hand, share in now.items():
                often[hand] = often.get(hand, 0.0) + share
        sizes = range(1 + max(len(hand) for hand in often))
        return [max((h for h in often if len(h) == n), key=often.__getitem__) for n in sizes]

    @cached_property
    def uncontrolled(self) -> float:
        """The probability that the King is bought with cards that give dice only."""
        return sum(
            share * self.pace.race.node(hand).play.get(KING.key, 0.0)
            for now in self.pace.course(())
            for hand, share in now.items()
            if all(gives_dice(key) for key in hand)
        )


def gives_dice(key: str) -> bool:
    """Return whether a card adds a die at the start or brings one in."""
    return isinstance(BY_KEY[key].ability, StartDice | BringIn)


def one_die_cards() -> list[str]:
    """Return the cards that are bought by themselves and give one die."""
    return [key for key in singles() if gives_dice(key) and BY_KEY[key].ability != StartDice(2)]


def control_cards() -> list[str]:
    """Return the cards that are bought by themselves and change or re-roll dice."""
    return [key for key in singles() if not gives_dice(key)]


def named(hand: Hand) -> str:
    """Return the names of the cards of a hand."""
    return ", ".join(map(name_of, hand)) or "no cards"


def shown(numbers: Numbers, hand: Hand) -> str:
    """Return the interval of a hand in words, rounded outward."""
    return numbers.bounds(hand).text(4)
