"""Exact chances of one throw: a card, a castle against its owner, the throne, a defence."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from advisor.knights.rules.options import RULEBOOK, THRONE, THROWS, Combination, DieCards, RuleSet
from advisor.knights.throw import play
from advisor.knights.throw.play import Values, codes


def beat_worth(card: Combination, cards: DieCards, rules: RuleSet = RULEBOOK) -> Values:
    """Return 1 for each holding that, with the Die cards, ranks above the card, else 0."""
    worth: Values = (codes(cards, rules) > play.code(card.rank)).astype(float)
    return worth


def attack_worth(
    castle: Combination, cards: DieCards, defender: DieCards, rules: RuleSet = RULEBOOK
) -> Values:
    """Return for each holding the chance that it takes the castle from its owner.

    0 if it does not beat the castle, else the chance that the owner's best defence fails.
    """
    return beat_worth(castle, cards, rules) * survival(cards, defender, THROWS, rules)


@lru_cache(maxsize=4096)
def survival(cards: DieCards, other: DieCards, throws: int, rules: RuleSet = RULEBOOK) -> Values:
    """Return for each holding the chance that the other player does not rank strictly higher.

    The other player plays for nothing else.
    """
    levels, chances = _exceeding(other, throws, rules)
    own = codes(cards, rules)
    # Ranks between two levels of the other player are exceeded as often as the lower level.
    place = np.searchsorted(levels, own, side="right")
    found: Values = 1.0 - chances[place]
    found.setflags(write=False)
    return found


@lru_cache(maxsize=256)
def _exceeding(cards: DieCards, throws: int, rules: RuleSet) -> tuple[play.Numbers, Values]:
    """Return the ranks that the player can reach and the chance to exceed each, 1 before them."""
    own = codes(cards, rules)
    levels = np.unique(own)
    worth = (own[:, None] > levels[None, :]).astype(float)
    chances = play.start(worth, throws, rules.kept_locked)
    return levels, np.concatenate(([1.0], chances))


@lru_cache(maxsize=16384)
def beat(
    card: Combination, throws: int = THROWS, cards: DieCards = (), rules: RuleSet = RULEBOOK
) -> float:
    """Return the chance to beat a card within so many throws."""
    return _value(beat_worth(card, cards, rules), throws, rules)


@lru_cache(maxsize=65536)
def attack(
    castle: Combination,
    throws: int = THROWS,
    cards: DieCards = (),
    defender: DieCards = (),
    rules: RuleSet = RULEBOOK,
) -> float:
    """Return the chance to take a castle from an owner who defends it with three throws."""
    return _value(attack_worth(castle, cards, defender, rules), throws, rules)


def throne(cards: DieCards = (), rules: RuleSet = RULEBOOK) -> float:
    """Return the chance to capture the throne within three throws."""
    return beat(THRONE, THROWS, cards, rules)


def _value(worth: Values, throws: int, rules: RuleSet) -> float:
    # Rounding may leave a certain success a hair above 1.
    return min(1.0, float(play.solve(worth, throws, rules.kept_locked)[throws][0]))
