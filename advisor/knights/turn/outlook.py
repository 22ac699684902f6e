"""The rest of the turn, node by node: further attempts after specials, changes of top cards.

A card that comes up is uniform over the unseen ones, or the known one where no unknown is left.
At most so many attempts are looked ahead; what a longer turn could add is bounded: the `high`
value counts a special captured with the last attempt as success, the `low` value as nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.errors import TooLarge
from advisor.knights.rules.cards import Card, castles, changes, identical
from advisor.knights.rules.options import LOOK_AHEAD, RULEBOOK, RuleSet
from advisor.knights.turn.position import Position
from advisor.knights.turn.targets import (
    THRONE_CASTLES,
    Player,
    Table,
    Target,
    deck_target,
    goes_on,
    success,
    targets,
    wins,
)

MOST_NODES: Final = 60_000
"""Choices after which the node by node way gives up; it then took some seconds."""

Values = NDArray[np.float64]
"""Chances (low, high)."""

OWNED: Final = Card("*owned")
"""Stands for all cards that the player owns already at the start of the turn."""

USELESS: Final = Card("*useless")
"""Stands for all cards that may be tried but end the turn short of the aim."""

_NO_CARD: Final = -1
_NO_DECK: Final = -1


@dataclass(frozen=True)
class Aim:
    """What a turn is played for: which successes end it well."""

    name: str
    reached: Callable[[Table, Target], bool]


def _gains(table: Table, target: Target) -> bool:
    return target.card is None or not target.card.is_special


WIN: Final = Aim("win", wins)
GAIN: Final = Aim("gain", _gains)
"""A castle, a tournament or the throne."""


@dataclass(frozen=True)
class Stock:
    """One deck in the outlook: cards by number, the top may be missing."""

    top: int
    unknown: int
    bottom: tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """A choice within the turn: specials gained, decks, unseen cards by class, what is left.

    `forced` changes were made on the deck `forced_on` because nothing could be tried.
    """

    gained: tuple[int, ...]
    decks: tuple[Stock, Stock]
    unseen: tuple[int, ...]
    changed: int
    attempts: int
    forced: int = 0
    forced_on: int = _NO_DECK


@dataclass(frozen=True)
class Sight:
    """What holds for some gained specials: chances by card on top, the best elsewhere.

    `ends` is the chance that an attempt at the card reaches the aim, `special` the chance to take
    it and go on, `legal` whether it may be tried; the last entry stands for an empty deck.
    """

    ends: Values
    special: Values
    legal: NDArray[np.bool_]
    elsewhere: float
    anything: bool
    changes: int

    @property
    def tops(self) -> tuple[Values, Values]:
        """The value by card on top with the last attempt: low, high."""
        return self.ends, np.maximum(self.ends, self.special)


class Outlook:
    """Exact chances of one aim in the rest of the turn, from a position."""

    def __init__(
        self,
        position: Position,
        aim: Aim,
        rules: RuleSet = RULEBOOK,
        attempts: int = LOOK_AHEAD,
        throne: bool | None = None,
    ) -> None:
        self.position, self.aim, self.rules = position, aim, rules
        self.throne = may_try_throne(position.table) if throne is None else throne
        self.cards: list[Card] = []
        self.nodes = 0
        decks = position.decks
        stocks = [
            Stock(
                _NO_CARD if deck.top is None else self._number(deck.top),
                deck.unknown,
                tuple(self._number(card) for card in deck.bottom),
            )
            for deck in decks
        ]
        unseen = Counter(self._number(card) for card in position.unseen)
        self.root = Node(
            (),
            (stocks[0], stocks[1]),
            tuple(unseen[n] for n in range(len(self.cards))),
            position.changed,
            attempts,
        )
        self.sight: Callable[[tuple[int, ...]], Sight] = cache(self._sight)
        self.value: Callable[[Node], Values] = cache(self._value)

    # ------------------------------------------------------------ classes of cards

    def _number(self, card: Card) -> int:
        """Return the number of the card's class: cards that are alike for the rest of the turn."""
        same = self._alike(card)
        if same not in self.cards:
            self.cards.append(same)
        return self.cards.index(same)

    def _alike(self, card: Card) -> Card:
        table = self.position.table
        if identical(card, table.own.cards):
            return OWNED
        if card.is_special:
            return card
        if not self.aim.reached(table, deck_target(card, 0)):
            return USELESS
        # Castles with the same dice are as good, whatever their coats.
        same = [
            each
            for each in self.cards
            if each.is_castle and each.combination and each.combination == card.combination
        ]
        return same[0] if same else card

    # ------------------------------------------------------------ one attempt

    def table(self, gained: tuple[int, ...]) -> Table:
        """Return the table after some specials were captured; the tops are left out."""
        own = self.position.players[0]
        cards = (*own.cards, *(self.cards[number] for number in gained))
        players = (Player(own.name, cards, own.covered), *self.position.players[1:])
        return Table(players, 0, ())

    def _sight(self, gained: tuple[int, ...]) -> Sight:
        table = self.table(gained)
        elsewhere = targets(table, self.throne)
        reached = [
            success(table, each, self.rules) for each in elsewhere if self.aim.reached(table, each)
        ]
        size = len(self.cards) + 1
        ends, special, legal = np.zeros(size), np.zeros(size), np.zeros(size, dtype=bool)
        for number, card in enumerate(self.cards):
            if card is OWNED or identical(card, table.own.cards):
                continue
            legal[number] = True
            if card is not USELESS:
                target = deck_target(card, 0)
                chances = special if goes_on(target) else ends
                chances[number] = success(table, target, self.rules)
        return Sight(
            ends,
            special,
            legal,
            max(reached, default=0.0),
            bool(elsewhere),
            changes(table.own.cards),
        )

    # ------------------------------------------------------------ the rest of the turn

    @cached_property
    def reachable(self) -> bool:
        """Whether anything on the table or unseen can reach the aim at all."""
        in_decks = any(card not in (OWNED, USELESS) and not card.is_special for card in self.cards)
        table = self.table(())
        return in_decks or any(
            self.aim.reached(table, each) for each in targets(table, self.throne)
        )

    def _value(self, node: Node) -> Values:
        if not self.reachable:
            return np.zeros(2)
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise TooLarge(
                "the rest of the turn has too many ways to go: look ahead less far, for example "
                f"--attempts {max(1, self.root.attempts - 1)}"
            )
        sight = self.sight(node.gained)
        tops = [deck.top for deck in node.decks]
        found = [np.full(2, max(sight.elsewhere, *(sight.ends[top] for top in tops)))]
        # An attempt that goes on is worth at most its chance: skip it where that is too little.
        found += [
            self.attempt(node, deck)
            for deck, top in enumerate(tops)
            if sight.special[top] > found[0][0]
        ]
        found += [self.change(node, deck) for deck in range(2) if self.may_change(node, deck)]
        best: Values = np.maximum.reduce(found)
        return best

    def attempt(self, node: Node, deck: int) -> Values:
        """Return the chances of an attempt at the special on top of a deck, best play after."""
        top = node.decks[deck].top
        chance = self.sight(node.gained).special[top]
        if not self.reachable:
            return np.zeros(2)
        if node.attempts == 1:
            return np.array([0.0, chance])
        gained = tuple(sorted((*node.gained, top)))
        after: Values = self.reveal(
            replace(node, gained=gained, attempts=node.attempts - 1, forced=0, forced_on=_NO_DECK),
            deck,
        )
        found: Values = chance * after
        return found

    def may_change(self, node: Node, deck: int) -> bool:
        """Return whether the top may be put under its deck: changes left, or forced to."""
        if node.decks[deck].top == _NO_CARD:
            return False
        sight = self.sight(node.gained)
        if node.changed < sight.changes:
            return True
        nothing = not sight.anything and not any(sight.legal[each.top] for each in node.decks)
        going_on = node.forced_on in (_NO_DECK, deck)
        return nothing and going_on and node.forced < _cards_in(node.decks[deck])

    def change(self, node: Node, deck: int) -> Values:
        """Return the chances of putting a top card under its deck, best play after."""
        old = node.decks[deck]
        under = Stock(_NO_CARD, old.unknown, (*old.bottom, old.top))
        if node.changed < self.sight(node.gained).changes:
            after = replace(node, changed=node.changed + 1)
        else:
            after = replace(node, forced=node.forced + 1, forced_on=deck)
        return self.reveal(_with(after, deck, under), deck)

    def reveal(self, node: Node, deck: int) -> Values:
        """Return the mean of the chances over the card that comes up on a deck without top."""
        stock = node.decks[deck]
        if not stock.unknown:
            top, bottom = (stock.bottom[0], stock.bottom[1:]) if stock.bottom else (_NO_CARD, ())
            return self.value(_with(node, deck, Stock(top, 0, bottom)))
        if node.attempts == 1 and node.changed >= self.sight(node.gained).changes:
            return self._last(node, deck)
        total = np.zeros(2)
        for number, count in enumerate(node.unseen):
            if count:
                total += count * self.value(_drawn(node, deck, number))
        mean: Values = total / sum(node.unseen)
        return mean

    def _last(self, node: Node, deck: int) -> Values:
        """Return the mean over the card that comes up when only one attempt can follow."""
        sight, other = self.sight(node.gained), node.decks[1 - deck].top
        found = np.array(
            [np.maximum(top[:-1], max(sight.elsewhere, top[other])) for top in sight.tops]
        )
        if not sight.anything and not sight.legal[other]:
            for number, count in enumerate(node.unseen):
                if count and not sight.legal[number]:
                    found[:, number] = self.value(_drawn(node, deck, number))
        mean: Values = found @ np.array(node.unseen) / sum(node.unseen)
        return mean


def may_try_throne(table: Table) -> bool:
    """Return whether the player has the castles for the throne at the start of the turn."""
    return len(castles(table.own.cards)) >= THRONE_CASTLES


def _with(node: Node, deck: int, stock: Stock) -> Node:
    first, second = node.decks
    return replace(node, decks=(first, stock) if deck else (stock, second))


def _drawn(node: Node, deck: int, number: int) -> Node:
    """Return the node after an unseen card came up."""
    unseen = list(node.unseen)
    unseen[number] -= 1
    stock = node.decks[deck]
    after = Stock(number, stock.unknown - 1, stock.bottom)
    return _with(replace(node, unseen=tuple(unseen)), deck, after)


def _cards_in(stock: Stock) -> int:
    return (stock.top != _NO_CARD) + stock.unknown + len(stock.bottom)
