"""What a final result is worth: pay for a card, the best of several, reach a rank, win."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from advisor import dice
from advisor.court.rules import cards as rule_card
from advisor.court.rules.cards import BY_KEY, ORDER, AllEven, AllOdd, AnyResult, Cost, SumAtLeast
from advisor.court.rules.names import name_of, parse_card
from advisor.court.rules.options import RuleSet
from advisor.court.rules.supply import purchasable
from advisor.dice import Counts
from advisor.errors import InvalidGoal
from advisor.text import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class CardGoal:
    """The worth of the best card that the result pays for, 0 if none.

    `values` are (card, worth) pairs in rule order; a goal given by cards alone is worth 1 for
    each, so its value is a probability.
    """

    values: tuple[tuple[str, float], ...]
    weighted: bool = False

    @property
    def unit(self) -> str:
        """The unit of the value."""
        return "points" if self.weighted else "probability"

    def format(self) -> str:
        """Return the goal as `parse_goal` reads it."""
        if self.weighted:
            return "values:" + ",".join(f"{key}={_number(worth)}" for key, worth in self.values)
        return ",".join(key for key, _ in self.values)

    def describe(self, language: str = "en") -> str:
        """Return the goal in words."""
        names = [name_of(key, language) for key, _ in self.values]
        if not self.weighted:
            return " or ".join(names)
        worths = [
            f"{name} {_number(worth)}" for name, (_, worth) in zip(names, self.values, strict=True)
        ]
        return "best of " + ", ".join(worths)

    def literal_worth(self, result: Counts) -> Fraction:
        """Return the exact worth of one result."""
        paid = [
            Fraction(worth)
            for key, worth in self.values
            if rule_card.pays(BY_KEY[key].cost, result)
        ]
        return max(paid, default=Fraction(0))

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the worth of many results; `counts` has the six counts on its last axis."""
        import numpy as np

        best = np.zeros(counts.shape[:-1])
        for key, worth in self.values:
            np.maximum(best, worth * pay(BY_KEY[key].cost, counts), out=best)
        return best


@dataclass(frozen=True)
class RankGoal:
    """At least so many dice alike of at least this value, in the order of the final round."""

    alike: int
    value: int

    unit = "probability"

    def format(self) -> str:
        """Return the goal as `parse_goal` reads it."""
        return f"rank:{self.alike}x{self.value}"

    def describe(self, language: str = "en") -> str:
        """Return the goal in words."""
        return f"at least {self.alike} x {self.value}"

    def literal_worth(self, result: Counts) -> Fraction:
        """Return 1 if the result ranks at least as high, else 0."""
        return Fraction(dice.rank(result) >= (self.alike, self.value))

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return 1 for the results that rank at least as high, else 0."""
        higher = (counts > self.alike).any(axis=-1)
        equal = (counts[..., self.value - 1 :] == self.alike).any(axis=-1)
        worth: NDArray[np.float64] = (higher | equal).astype(float)
        return worth


@dataclass(frozen=True)
class WinGoal:
    """Win the final round.

    `chances` by rank number (`dice.rank_number`): the chance to win with such a result, given how
    the players after this one play. `alike` and `value`: the least rank that takes the King over.
    """

    chances: tuple[float, ...]
    alike: int
    value: int

    unit = "probability"

    def format(self) -> str:
        """Return the goal as `advisor final` names it."""
        return "final"

    def describe(self, language: str = "en") -> str:
        """Return the goal in words."""
        return "win the final round"

    def literal_worth(self, result: Counts) -> Fraction:
        """Return the chance to win with one result."""
        return Fraction(self.chances[dice.rank_number(dice.rank(result))])

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the chance to win with each of many results."""
        import numpy as np

        return np.array(self.chances)[rank_numbers(counts)]


Goal = CardGoal | RankGoal | WinGoal


def rank_numbers(counts: NDArray[np.int8]) -> NDArray[np.intp]:
    """Return the rank number of many results, the fast twin of `dice.rank_number`."""
    import numpy as np

    most = counts.max(axis=-1).astype(np.intp)
    value = 5 - (counts[..., ::-1] == most[..., None]).argmax(axis=-1)
    return np.where(most > 0, 6 * most + value, 0)


class Worth(Protocol):
    """Anything that says what results are worth: all that a turn needs to be solved for it."""

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the worth of many results; `counts` has the six counts on its last axis."""


def _number(worth: float) -> str:
    """Return the shortest text that reads back as exactly this number."""
    return f"{worth:g}" if float(f"{worth:g}") == worth else repr(worth)


def card_goal(*keys: str) -> CardGoal:
    """Return the goal of a result that pays for at least one of the cards."""
    return CardGoal(tuple((key, 1.0) for key in sorted(set(keys), key=ORDER.__getitem__)))


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


_FORMS = "write a card (hunter), cards (hunter,knight), values:farmer=3,guard=2.5 or rank:8x3"


def parse_goal(text: str) -> Goal:
    """Return the goal that a text stands for."""
    kind, colon, rest = text.strip().partition(":")
    if colon and kind.casefold() == "rank":
        return _parse_rank(text, rest)
    if colon and kind.casefold() == "values":
        return _parse_values(text, rest)
    if colon or not text.strip():
        raise InvalidGoal(f"{quoted(text)} is no goal: {_FORMS}")
    return card_goal(*(parse_card(name) for name in text.split(",")))


def _parse_rank(text: str, rest: str) -> RankGoal:
    found = re.fullmatch(r"([0-9]{1,2})[xX]([1-6])", rest.strip())
    if not found or not 1 <= int(found[1]) <= 12:
        raise InvalidGoal(
            f"{quoted(text)} is no rank: write number x value with 1 to 12 dice, for example "
            "rank:8x3"
        )
    return RankGoal(int(found[1]), int(found[2]))


def _parse_values(text: str, rest: str) -> CardGoal:
    worths: dict[str, float] = {}
    for item in rest.split(","):
        name, _, number = item.partition("=")
        key = parse_card(name)
        try:
            worth = float(number)
        except ValueError:
            worth = math.nan
        if not (worth == 0 or 1e-6 <= worth <= 1e9):
            raise InvalidGoal(
                f"{quoted(item.strip())} gives no worth: write card=number with 0 or a number from "
                "0.000001 to 1000000000, for example guard=2.5"
            )
        if key in worths:
            raise InvalidGoal(f"{quoted(text)} names the {name_of(key)} twice: give it one worth")
        worths[key] = worth
    return CardGoal(tuple(sorted(worths.items(), key=lambda item: ORDER[item[0]])), weighted=True)


def check_goal(goal: Goal, owned: Sequence[str], rules: RuleSet) -> None:
    """Raise InvalidGoal if the goal names a card that this player cannot buy."""
    if not isinstance(goal, CardGoal):
        return
    there = purchasable(owned, rules)
    for key, _ in goal.values:
        card = BY_KEY[key]
        if key in there:
            continue
        if card.comes_with:
            why = f"comes with the King; aim for {card.comes_with}"
        elif card.requires and card.requires not in owned:
            why = f"needs a {name_of(card.requires)} to turn over; aim for {card.requires}"
        elif key in owned:
            why = "is owned already; choose another goal"
        else:
            why = f"has run out under the rule set {rules.name}; choose another goal"
        raise InvalidGoal(f"goal {key!r}: the {card.name} {why}")
