"""What the result of a turn is worth: by the best purchase it pays for, or by its rank.

A payoff is all that a turn has to be solved for. It cannot be changed, so that what was solved for
it can be kept by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from advisor import dice
from advisor.court.rules import cards as rule_card
from advisor.court.rules.cards import (
    BY_KEY,
    KING,
    ORDER,
    AllEven,
    AllOdd,
    AnyResult,
    Cost,
    SumAtLeast,
)
from advisor.dice import Counts, Rank

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PROBABILITY: Final = "probability"
POINTS: Final = "points"
TURNS: Final = "turns"
"""Of these fewer are better."""

Values = tuple[tuple[str, float], ...]
"""What each purchase leads to."""
Shares = dict[str | None, float]
"""Probability of each purchase in a turn, None for buying nothing."""

BY_RANK: Final = 1e-8
"""Turns by which a King is better that the others have to beat with one rank more.

All ranks together make less than 1e-6 turns, so only options differ by it that are as good.
"""


@dataclass(frozen=True)
class PurchasePayoff:
    """The worth of the best purchase that a result pays for.

    `values` by card and `stay` without a purchase, in `unit`. `by_rank`: what the King is worth
    more for each rank of the result that takes him.
    """

    values: Values
    stay: float = 0.0
    unit: str = PROBABILITY
    by_rank: float = 0.0

    @property
    def sign(self) -> int:
        """What a value is multiplied by to be a worth."""
        return sign_of(self.unit)

    def format(self) -> str:
        """Return the goal as `parse_goal` reads it, of turns as the command line has it."""
        if self.unit == TURNS:
            return self.unit
        if self.unit == POINTS:
            return "values:" + ",".join(f"{key}={_number(value)}" for key, value in self.values)
        return ",".join(key for key, _ in self.values)

    def literal_worth(self, result: Counts) -> Fraction:
        """Return the exact worth of one result."""
        paid = (v for key, v in self.values if rule_card.pays(BY_KEY[key].cost, result))
        worth = max(self.sign * Fraction(value) for value in (self.stay, *paid))
        if self.by_rank and rule_card.pays(KING.cost, result):
            worth += Fraction(self.by_rank) * dice.rank_number(dice.rank(result))
        return worth

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the worth of many results; `counts` has the six counts on its last axis."""
        paid = payer(counts)
        worth = self.sign * self._best(counts, paid)
        if self.by_rank:
            worth += self.by_rank * paid(KING.key) * rank_numbers(counts)
        return worth

    def shares(self, counts: NDArray[np.int8], outcome: NDArray[np.float64]) -> Shares:
        """Return how likely each purchase is, the best one of every result; ties: nothing first."""
        paid = payer(counts)
        best, free = self._best(counts, paid), outcome.copy()
        stay = best == self.stay
        found: Shares = {None: float(free[stay].sum())}
        free[stay] = 0.0
        for key, value in self.values:
            chosen = paid(key) & (best == value)
            share = float(free[chosen].sum())
            if share:
                found[key] = share
            free[chosen] = 0.0
        return found

    def _best(
        self, counts: NDArray[np.int8], paid: Callable[[str], NDArray[np.bool_]]
    ) -> NDArray[np.float64]:
        """Return the value of the best purchase that each result pays for."""
        import numpy as np

        best = np.full(counts.shape[:-1], self.stay)
        better = np.minimum if self.sign < 0 else np.maximum
        for key, value in self.values:
            better(best, value, out=best, where=paid(key))
        return best


@dataclass(frozen=True)
class RankPayoff:
    """The worth of the rank of a result in the order of the final round.

    `chances` by rank number (`dice.rank_number`). `least`: the lowest rank that is aimed for.
    `wins`: whether the worth is the chance to win the final round.
    """

    chances: tuple[float, ...]
    least: Rank
    wins: bool = False
    unit = PROBABILITY

    def format(self) -> str:
        """Return the goal as `parse_goal` reads it, to win as `advisor final` names it."""
        return "final" if self.wins else f"rank:{dice.format_rank(self.least)}"

    def literal_worth(self, result: Counts) -> Fraction:
        """Return the exact worth of one result."""
        return Fraction(self.chances[dice.rank_number(dice.rank(result))])

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the worth of many results; `counts` has the six counts on its last axis."""
        import numpy as np

        return np.array(self.chances)[rank_numbers(counts)]


Payoff = PurchasePayoff | RankPayoff


def sign_of(unit: str) -> int:
    """Return what a number of a unit is multiplied by so that the larger one is the better."""
    return -1 if unit == TURNS else 1


def _number(worth: float) -> str:
    """Return the shortest text that reads back as exactly this number."""
    return f"{worth:g}" if float(f"{worth:g}") == worth else repr(worth)


# ---------------------------------------------------------------- many results at once


def rank_numbers(counts: NDArray[np.int8]) -> NDArray[np.intp]:
    """Return the rank number of many results, the fast twin of `dice.rank_number`."""
    import numpy as np

    most = counts.max(axis=-1).astype(np.intp)
    value = 5 - (counts[..., ::-1] == most[..., None]).argmax(axis=-1)
    return np.where(most > 0, 6 * most + value, 0)


def pay(cost: Cost, counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which results pay the cost, the fast twin of `cards.pays`."""
    import numpy as np

    match cost:
        case AnyResult():
            return np.ones(counts.shape[:-1], dtype=bool)
        case AllOdd():
            return np.logical_not(counts[..., 1::2].any(axis=-1))
        case AllEven():
            return np.logical_not(counts[..., 0::2].any(axis=-1))
        case SumAtLeast(pips):
            return counts.astype(np.int16) @ np.arange(1, 7, dtype=np.int16) >= pips
        case _:
            found = np.zeros(counts.shape[:-1], dtype=bool)
            for pattern in rule_card.patterns(cost):
                found |= (counts >= np.array(pattern, dtype=np.int8)).all(axis=-1)
            return found


def payer(counts: NDArray[np.int8]) -> Callable[[str], NDArray[np.bool_]]:
    """Return what says which of many results pay for a card; once known where they are a turn's."""
    import numpy as np

    if counts.ndim == 2 and len(counts):
        aside = tuple(counts[0].tolist())
        number = int(counts[-1].sum()) - sum(aside)
        if 0 <= number <= dice.MOST and np.array_equal(counts, results_of(aside, number)):
            return lambda key: _paid(key, aside, number)
    return lambda key: pay(BY_KEY[key].cost, counts)


def results_of(aside: Counts, number: int) -> NDArray[np.int8]:
    """Return the results that a turn can have, by id: what lies aside and at most so many dice."""
    import numpy as np

    from advisor.multisets import table

    return table(number) + np.array(aside, dtype=np.int8)


@lru_cache(maxsize=256)
def _paid(key: str, aside: Counts, number: int) -> NDArray[np.bool_]:
    return pay(BY_KEY[key].cost, results_of(aside, number))


def undominated(values: Iterable[tuple[str, float]], sign: int = 1) -> Values:
    """Return the cards without those never bought, as a cheaper one is worth as much.

    `sign` -1: smaller is better. Turns that differ in such cards only need not be solved twice.
    """
    kept: list[tuple[str, float]] = []
    for key, value in sorted(values, key=lambda item: -sign * item[1]):
        if not any(_pays_too(key, other) for other, _ in kept):
            kept.append((key, value))
    return tuple(sorted(kept, key=lambda item: ORDER[item[0]]))


@lru_cache(maxsize=512)
def _pays_too(key: str, other: str) -> bool:
    """Return whether every result that pays for one card pays for another."""
    nothing = dice.NONE
    return bool((_paid(other, nothing, dice.MOST) >= _paid(key, nothing, dice.MOST)).all())
