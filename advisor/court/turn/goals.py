"""What a player can aim for, as text: a card, the best of several, a rank."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from advisor.court.rules.cards import BY_KEY, ORDER
from advisor.court.rules.names import name_of, parse_card
from advisor.court.rules.options import RuleSet
from advisor.court.rules.supply import purchasable
from advisor.court.turn.payoffs import POINTS, Payoff, PurchasePayoff, RankPayoff
from advisor.dice import RANKS, rank_number
from advisor.errors import InvalidGoal
from advisor.text import quoted


def card_goal(*keys: str) -> PurchasePayoff:
    """Return the goal of a result that pays for at least one of the cards."""
    return PurchasePayoff(tuple((key, 1.0) for key in sorted(set(keys), key=ORDER.__getitem__)))


def rank_goal(alike: int, value: int) -> RankPayoff:
    """Return the goal of at least so many dice alike of at least this value."""
    least = rank_number((alike, value))
    return RankPayoff(tuple(float(number >= least) for number in range(RANKS)), (alike, value))


_FORMS = "write a card (hunter), cards (hunter,knight), values:farmer=3,guard=2.5 or rank:8x3"


def parse_goal(text: str) -> Payoff:
    """Return the goal that a text stands for."""
    kind, colon, rest = text.strip().partition(":")
    if colon and kind.casefold() == "rank":
        return _parse_rank(text, rest)
    if colon and kind.casefold() == "values":
        return _parse_values(text, rest)
    if colon or not text.strip():
        raise InvalidGoal(f"{quoted(text)} is no goal: {_FORMS}")
    return card_goal(*(parse_card(name) for name in text.split(",")))


def _parse_rank(text: str, rest: str) -> RankPayoff:
    found = re.fullmatch(r"([0-9]{1,2})[xX]([1-6])", rest.strip())
    if not found or not 1 <= int(found[1]) <= 12:
        raise InvalidGoal(
            f"{quoted(text)} is no rank: write number x value with 1 to 12 dice, for example "
            "rank:8x3"
        )
    return rank_goal(int(found[1]), int(found[2]))


def _parse_values(text: str, rest: str) -> PurchasePayoff:
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
    values = tuple(sorted(worths.items(), key=lambda item: ORDER[item[0]]))
    return PurchasePayoff(values, unit=POINTS)


def check_goal(goal: Payoff, owned: Sequence[str], rules: RuleSet) -> None:
    """Raise InvalidGoal if the goal names a card that this player cannot buy."""
    if not isinstance(goal, PurchasePayoff):
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
