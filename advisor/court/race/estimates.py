"""How many turns every hand has left to the King: from the table of the race, or estimated.

The table holds certified intervals. Where one is wide, or a hand is not in the table, a number is
fitted by least squares to the hands that the table knows well, and kept within what is certain.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.court.race.known import Joined, counts_of, find, number_of
from advisor.court.rules.cards import CARDS
from advisor.court.rules.options import RULEBOOK, Hand, RuleSet, brings_in, start_dice
from advisor.court.rules.supply import full_supply
from advisor.errors import MissingTable
from advisor.intervals import Interval

KNOWN: Final = 0.1
"""Turns: an interval of at most this width is known well."""
RIDGE: Final = 0.3
"""Weight of small coefficients in the fit, so that rare cards do not run away."""

SAMPLE: Final = 1 << 14
"""Hands that the fit is made from; more of them make it slower and hardly better."""

_FITTED: Final = [i for i, card in enumerate(CARDS) if not card.comes_with and card.row < 5]
_BRINGING: Final = [i for i, card in enumerate(CARDS) if brings_in(card.key)]
_DICE: Final = 13
_PAIRS: Final = np.triu_indices(len(_FITTED))
_FEATURES: Final = 1 + 2 * len(_FITTED) + 2 * _DICE + len(_PAIRS[0])


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
        if node and node.turns.width <= KNOWN:
            return node.turns.middle
        needed = Interval(1.0 + full_supply(hand, self.rules).needed(hand))
        return (node.turns if node else needed).nearest(self.fitted(hand))

    def fitted(self, hand: Hand) -> float:
        """Return the number of turns that the fit gives, certain bounds or not."""
        (features,) = _features(counts_of(np.array([number_of(hand)])), self.rules)
        return float(features @ self._fit)

    @cached_property
    def _fit(self) -> NDArray[np.float64]:
        numbers, lower, upper = self.table.bounds()
        known = upper - lower <= KNOWN
        counts, turns = counts_of(numbers[known]), (lower + upper)[known] / 2
        if len(turns) > SAMPLE:
            # In order of their numbers hands alternate in the same cards: no regular steps.
            some = np.sort(np.random.default_rng(0).permutation(len(turns))[:SAMPLE])
            counts, turns = counts[some], turns[some]
        rows = _features(counts, self.rules)
        square = rows.T @ rows + RIDGE * np.eye(_FEATURES)
        return np.linalg.solve(square, rows.T @ turns).astype(np.float64)


def _features(counts: NDArray[np.int64], rules: RuleSet) -> NDArray[np.float64]:
    """Return what the fit knows of hands: cards, pairs of cards, dice at the start and in all.

    `counts` are those of all cards, a row a hand, as the rows returned are.
    """
    none = start_dice((), rules)
    more = [start_dice((card.key,), rules) - none for card in CARDS]
    start = np.minimum(none + counts @ more, rules.dice_limit)
    reach = np.minimum(start + counts[:, _BRINGING].sum(axis=1), rules.dice_limit)
    cards = counts[:, _FITTED].astype(np.float64)
    first, second = _PAIRS
    parts = [
        np.ones((len(counts), 1)),
        cards,
        reach[:, None] * cards,
        np.eye(_DICE)[start],
        np.eye(_DICE)[reach],
        cards[:, first] * cards[:, second],
    ]
    return np.concatenate(parts, axis=1)


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
