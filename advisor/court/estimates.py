"""How many turns every hand has left to the King: from the table of the race, or estimated.

The table holds certified intervals. Where one is wide, or a hand is not in the table, a number is
fitted by least squares to the hands that the table knows well, and kept within what is certain.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property, lru_cache
from math import inf
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.court.cards import CARDS
from advisor.court.race_tables import Joined, find
from advisor.court.rules import RULEBOOK, RuleSet, dice_in_reach, start_dice
from advisor.court.supply import full_supply
from advisor.errors import MissingTable

Hand = tuple[str, ...]

KNOWN: Final = 0.1
"""Turns: an interval of at most this width is known well."""
RIDGE: Final = 0.3
"""Weight of small coefficients in the fit, so that rare cards do not run away."""

_FITTED: Final = tuple(card.key for card in CARDS if not card.comes_with and card.row < 5)
_DICE: Final = 13
_PAIRS: Final = np.triu_indices(len(_FITTED))


class Estimates:
    """Turns to the King by hand."""

    def __init__(self, table: Joined, rules: RuleSet) -> None:
        self.table, self.rules = table, rules
        self._found: dict[Hand, float] = {}

    def turns(self, hand: Hand) -> float:
        """Return the expected turns to the King from a hand, everything else on display."""
        if hand not in self._found:
            self._found[hand] = self._turns(hand)
        return self._found[hand]

    def _turns(self, hand: Hand) -> float:
        node = self.table(hand)
        if node and node.width <= KNOWN:
            return (node.lower + node.upper) / 2
        needed = 1.0 + full_supply(hand, self.rules).needed(hand)
        lower, upper = (node.lower, node.upper) if node else (needed, inf)
        return min(max(self.fitted(hand), lower), upper)

    def fitted(self, hand: Hand) -> float:
        """Return the number of turns that the fit gives, certain bounds or not."""
        return float(_features(hand, self.rules) @ self._fit)

    @cached_property
    def _fit(self) -> NDArray[np.float64]:
        known = [node for node in map(self.table, self.table.hands()) if node]
        known = [node for node in known if node.width <= KNOWN]
        rows = np.array([_features(node.cards, self.rules) for node in known])
        turns = np.array([(node.lower + node.upper) / 2 for node in known])
        square = rows.T @ rows + RIDGE * np.eye(rows.shape[1])
        found: NDArray[np.float64] = np.linalg.solve(square, rows.T @ turns)
        return found


def _features(hand: Hand, rules: RuleSet) -> NDArray[np.float64]:
    """Return what the fit knows of a hand: cards, pairs of cards, dice at the start and in all."""
    count = Counter(hand)
    cards = np.array([count[key] for key in _FITTED], dtype=np.float64)
    reach = dice_in_reach(hand, rules)
    dice = np.zeros((2, _DICE))
    dice[0, start_dice(hand, rules)] = dice[1, reach] = 1
    pairs = np.outer(cards, cards)[_PAIRS]
    return np.concatenate([[1.0], cards, reach * cards, dice.ravel(), pairs])


@lru_cache(maxsize=8)
def load(rules: RuleSet, where: Path | None = None) -> Estimates:
    """Return the estimates of a rule set from the tables in a folder and the shipped one.

    Where there is none, those of the rulebook. Raises MissingTable if no table can be used.
    """
    for wanted in dict.fromkeys((rules, RULEBOOK)):
        table = find(where, wanted)
        if table:
            return Estimates(table, wanted)
    raise MissingTable(
        "there is no table of the race, which the bot 'best' needs: 'advisor precompute --goal "
        "turns' makes it"
    )
