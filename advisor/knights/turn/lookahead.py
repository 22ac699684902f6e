"""The rest of the turn as arrays: the fast twin of `outlook` where both decks are deep enough.

All cards that were seen in the turn are a multiset: the two tops, the specials gained and the tops
put under their decks. So the value of a choice is an array over (top, other top, cards put under),
and what comes up next is the whole stock without the cards seen. Cards passed over in a forced
change count as unseen again.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from advisor.knights.turn.outlook import Outlook, Sight, Values


def fits(view: Outlook) -> bool:
    """Return whether the decks have tops and more unknown cards than a turn can turn up."""
    root = view.root
    turned_up = root.attempts + 2
    return all(deck.top >= 0 and deck.unknown >= turned_up for deck in root.decks)


class Lookahead:
    """Exact chances (low, high) of one aim in the rest of the turn, from a position."""

    def __init__(self, view: Outlook) -> None:
        self.view, self.root = view, view.root
        self.tops = [deck.top for deck in self.root.decks]
        self.stock = np.array(self.root.unseen, dtype=np.float64)
        for top in self.tops:
            self.stock[top] += 1
        self.revealed: Any = cache(self._revealed)

    def attempt(self, deck: int) -> Values:
        """Return the chances of an attempt at the special on top of a deck, best play after."""
        top, other = self.tops[deck], self.tops[1 - deck]
        chance = self.view.sight(()).special[top]
        if not self.view.reachable:
            return np.zeros(2)
        if self.root.attempts == 1:
            return np.array([0.0, chance])
        found: Values = chance * self.revealed((top,))[0][:, other]
        return found

    def change(self, deck: int) -> Values:
        """Return the chances of putting a top card under its deck, best play after."""
        if not self.view.reachable:
            return np.zeros(2)
        found: Values = self.revealed(())[1][:, self.tops[1 - deck], self.tops[deck]]
        return found

    def _revealed(self, gained: tuple[int, ...]) -> list[Values]:
        """Return by number of changes made the chances before a card comes up on a deck.

        Axes: (low, high), the other top, then each card put under its deck.
        """
        sight = self.view.sight(gained)
        most = max(0, sight.changes - self.root.changed)
        found: list[Values] = []
        for made in range(most, -1, -1):
            values = self._choice(sight, gained, made, found[0] if found else None)
            if not found and not sight.anything:
                values = self._forced(values, sight, gained, made)
            found.insert(0, self._mean(values, gained, made))
        return found

    def _choice(
        self, sight: Sight, gained: tuple[int, ...], made: int, changed: Values | None
    ) -> Values:
        """Return the chances of best play by both tops and the cards put under."""
        last = self.root.attempts - len(gained) == 1
        ends = np.stack(sight.tops if last else (sight.ends, sight.ends))[:, :-1]
        both = np.maximum(ends[:, :, None], ends[:, None, :])
        values = np.maximum(both, sight.elsewhere)
        if last and changed is None and sight.anything:
            return values
        values = np.tile(values[(..., *[None] * made)], (1, 1, 1, *[len(self.stock)] * made))
        if not last:
            for top in np.flatnonzero(sight.special):
                after = self.revealed(tuple(sorted((*gained, int(top)))))[made]
                goes_on = sight.special[top] * _with_axes(after, values.ndim - 1)
                np.maximum(values[:, top], goes_on, out=values[:, top])
                np.maximum(values[:, :, top], goes_on, out=values[:, :, top])
        if changed is not None:
            # The new card under a deck comes first among the cards put under.
            np.maximum(values, np.swapaxes(changed, 1, 2), out=values)
            np.maximum(values, changed, out=values)
        return values

    def _forced(self, values: Values, sight: Sight, gained: tuple[int, ...], made: int) -> Values:
        """Return the values; two illegal tops have those of the next legal card."""
        legal = sight.legal[:-1]
        weight = np.where(legal, self.stock, 0.0)
        counted = np.where(legal, 1.0, 0.0)
        shape = (1, len(weight), 1, *[1] * made)
        total = (weight.reshape(shape) * values).sum(axis=1)
        number = np.full(total.shape[1:], weight.sum())
        for card in gained:
            total -= counted[card] * values[:, card]
            number -= counted[card]
        for place in range(made):
            total -= _under(values * counted.reshape(shape), place, made)
            axis = [1] * (made + 1)
            axis[place + 1] = len(counted)
            number -= counted.reshape(axis)
        mean = np.where(number > 0, total / np.maximum(number, 1.0), 0.0)
        pair = np.maximum(mean[:, :, None], mean[:, None, :])
        blocked = ~(legal[:, None] | legal[None, :])
        found: Values = np.where(blocked[(None, ..., *[None] * made)], pair, values)
        return found

    def _mean(self, values: Values, gained: tuple[int, ...], made: int) -> Values:
        """Return the mean over the card that comes up beside each other top."""
        spread = values.ndim - 3
        total = np.tensordot(self.stock, values, axes=(0, 1))
        total = total - np.einsum("lbb...->lb...", values)
        for card in gained:
            total = total - values[:, card]
        if spread < made:
            # The values do not depend on the cards put under, but their number does.
            total = total[(..., *[None] * made)]
            for place in range(made):
                shape = [1] * made
                shape[place] = len(self.stock)
                under = np.swapaxes(values, 1, 2).reshape(2, len(self.stock), *shape)
                total = total - under
        else:
            for place in range(made):
                total = total - _under(values, place, made)
        mean: Values = total / (self.stock.sum() - 1 - len(gained) - made)
        return mean


def _under(values: Values, place: int, made: int) -> Values:
    """Return the values where the card that comes up is one of those put under."""
    cards = "de"[:made]
    found: Values = np.einsum(f"l{cards[place]}b{cards}->lb{cards}", values)
    return found


def _with_axes(values: Values, number: int) -> Values:
    return values[(..., *[None] * (number - values.ndim))]
