"""Chances of deals: a weight for each player and card, each card dealt once or freely.

With one of each card, a deal's chance is proportional to the product of the weights of its cards.
Sums over all deals go card by card: what matters of the cards before is which players have theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations, product
from math import perm

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Deals:
    """The deals of cards to players. `weights` by player and card; `single`: one of each card."""

    weights: Array
    single: bool

    @property
    def players(self) -> int:
        """How many players are dealt to."""
        return int(self.weights.shape[0])

    @cached_property
    def number(self) -> int:
        """How many deals are possible at all."""
        possible = int((self.weights > 0).any(axis=0).sum())
        if not self.single:
            return int(possible**self.players)
        return perm(possible, self.players)

    @cached_property
    def _later(self) -> Array:
        """Sums over the cards from each one on, by the players (bits) who still get one of them."""
        cards, full = self.weights.shape[1], 1 << self.players
        found = np.zeros((cards + 1, full))
        found[cards, 0] = 1
        for card in range(cards - 1, -1, -1):
            found[card] = found[card + 1]
            for player in range(self.players):
                who = _having(player, full)
                found[card, who] += self.weights[player, card] * found[card + 1, who ^ 1 << player]
        return found

    @cached_property
    def _before(self) -> Array:
        """Sums over the cards before each one, by the players who have got one of them."""
        return Deals(self.weights[:, ::-1], True)._later[::-1]

    @cached_property
    def total(self) -> float:
        """The sum of the products over all deals."""
        if not self.single:
            return float(np.prod(self.weights.sum(axis=1)))
        return float(self._later[0, -1])

    @cached_property
    def marginals(self) -> Array:
        """The chance of each card by player."""
        if not self.single:
            free: Array = self.weights / self.weights.sum(axis=1, keepdims=True)
            return free
        full = 1 << self.players
        found = np.empty_like(self.weights)
        for player in range(self.players):
            others = _having(player, full) ^ 1 << player
            rest = (full - 1) ^ (1 << player) ^ others
            ways = (self._before[:-1, others] * self._later[1:, rest]).sum(axis=1)
            found[player] = self.weights[player] * ways / self.total
        return found

    def times(self, factors: Array) -> Deals:
        """Return the deals with each weight multiplied."""
        return Deals(self.weights * factors, self.single)

    def sample(self, rng: np.random.Generator, size: int) -> NDArray[np.int64]:
        """Return cards drawn, by sample and player."""
        if not self.single:
            steps = self.marginals.cumsum(axis=1)
            drawn = [
                np.minimum(np.searchsorted(row, rng.random(size), side="right"), len(row) - 1)
                for row in steps / steps[:, -1:]
            ]
            return np.stack(drawn, axis=1)
        found = np.full((size, self.players), -1)
        left = np.full(size, (1 << self.players) - 1)
        for card in range(self.weights.shape[1]):
            point = rng.random(size) * self._later[card, left]
            for player in range(self.players):
                has = (left >> player & 1).astype(bool) & (found[:, player] < 0)
                chance = self.weights[player, card] * self._later[card + 1, left ^ 1 << player]
                gets = has & (point >= 0) & (point < chance)
                point = np.where(has, np.where(gets, -1.0, point - chance), point)
                found[gets, player] = card
                left = np.where(gets, left ^ 1 << player, left)
        return found

    def each(self) -> Iterator[tuple[tuple[int, ...], float]]:
        """Yield every possible deal with its chance."""
        cards = [np.flatnonzero(row) for row in self.weights]
        if self.single:
            # Whoever gets what, the cards are different ones.
            every = sorted(set().union(*(map(int, row) for row in cards)))
            deals: Iterator[tuple[int, ...]] = permutations(every, self.players)
        else:
            deals = product(*(map(int, row) for row in cards))
        for deal in deals:
            weight = 1.0
            for player, card in enumerate(deal):
                weight *= float(self.weights[player, card])
            if weight:
                yield deal, weight / self.total


def _having(player: int, full: int) -> NDArray[np.int64]:
    sets = np.arange(full)
    found: NDArray[np.int64] = sets[sets >> player & 1 == 1]
    return found
