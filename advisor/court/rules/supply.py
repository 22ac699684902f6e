"""What a player racing for the King alone can still buy, and whether the King is in reach."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from advisor.court.rules.cards import (
    BY_KEY,
    CARDS,
    AllEven,
    AllOdd,
    AnyResult,
    BringIn,
    Cost,
    Crown,
    Groups,
    StartDice,
    Straight,
    SumAtLeast,
    in_order,
    patterns,
)
from advisor.court.rules.names import name_of
from advisor.court.rules.options import (
    RuleSet,
    bought,
    can_buy,
    check_hand,
    copies,
    dice_in_reach,
    start_dice,
)
from advisor.errors import InvalidCards, InvalidOption

KING: Final = next(card for card in CARDS if isinstance(card.ability, Crown))
"""The card that the race is for."""


def singles() -> tuple[str, ...]:
    """Return what a supply can name: every card that is bought by itself, but not the King.

    A card that turns another one over belongs to the line of that one.
    """
    return tuple(c.key for c in CARDS if not (c.comes_with or c.requires or c is KING))


@dataclass(frozen=True)
class Supply:
    """The cards that can be bought besides the King, under a rule set.

    A card from which others are turned over stands for its whole line, as often as the rules allow.
    """

    cards: frozenset[str]
    rules: RuleSet

    def listed(self) -> tuple[str, ...]:
        """Return the cards in the order of the rules' table."""
        return in_order(self.cards)

    def purchases(self, hand: Sequence[str]) -> tuple[str, ...]:
        """Return what the owner of `hand` may buy, the King left out, given a result that pays."""
        return tuple(
            card.key
            for card in CARDS
            if (card.requires or card.key) in self.cards
            and can_buy(card.key, hand, self.rules)
            and not (card.requires and start_dice(hand, self.rules) >= self.rules.dice_limit)
        )

    def needed(self, hand: Sequence[str]) -> int:
        """Return a lower bound on the purchases before a turn can end with the King."""
        missing = _dice_for(KING.cost) - dice_in_reach(hand, self.rules)
        gains = sorted((_dice_of(k) for k in self.cards if k not in hand), reverse=True)
        count = 0
        for gain in gains:
            if missing <= 0 or gain == 0:
                break
            missing, count = missing - gain, count + 1
        if missing > 0:
            # Each further die of a line takes two purchases, the first one less if it is begun.
            begun = any(k in hand for k in self._lines())
            count += 2 * missing - begun
        return count

    def reaches_king(self, hand: Sequence[str]) -> bool:
        """Return whether some sequence of results and purchases leads to the King."""
        return not self.needed(hand) or self.step_towards_king(hand) is not None

    def step_towards_king(self, hand: Sequence[str]) -> str | None:
        """Return a purchase that the hand can pay for and that leads to more dice, None if none.

        Where no payable card gives a die itself, one that can be turned into a die.
        """
        dice = dice_in_reach(hand, self.rules)
        payable = [k for k in self.purchases(hand) if payable_with(BY_KEY[k].cost, dice)]
        giving = [k for k in payable if _dice_of(k)]
        turned = [k for k in payable if k in self._lines()]
        # More cards never take a purchase away, so the first one is as good as any.
        for key in (*giving[::-1], *turned)[:1]:
            after = bought(hand, key)
            if not self.needed(after) or self.step_towards_king(after):
                return key
        return None

    def _lines(self) -> set[str]:
        return {c.requires for c in CARDS if c.requires in self.cards and c.requires}


def full_supply(hand: Sequence[str], rules: RuleSet) -> Supply:
    """Return the supply in which everything that is not owned can be bought once."""
    lines = {card.requires for card in CARDS if card.requires}
    return Supply(frozenset(k for k in singles() if k not in hand or k in lines), rules)


def supply_of(named: Sequence[str], hand: Sequence[str], rules: RuleSet) -> Supply:
    """Return the supply of the named cards; raise InvalidCards for cards it cannot hold."""
    lines = {card.requires for card in CARDS if card.requires}
    for key, number in Counter(named).items():
        card = BY_KEY[key]
        if card is KING:
            raise InvalidCards(f"--supply {key}: the King can always be bought; leave it out")
        if card.comes_with:
            raise InvalidCards(f"--supply {key}: the {card.name} comes with the King; leave it out")
        if card.requires:
            raise InvalidCards(
                f"--supply {key}: {card.requires} stands for the whole line, {card.name} "
                f"included; write {card.requires}"
            )
        if number > 1:
            raise InvalidCards(f"--supply {key}: named {number} times; write it once")
        if key in hand and key not in lines:
            raise InvalidCards(
                f"--supply {key}: the {card.name} is owned already and cannot be bought again; "
                "leave it out"
            )
    return Supply(frozenset(named), rules)


def without(supply: Supply, gone: Sequence[str], players: int | None) -> Supply:
    """Return what is left once other players own the cards `gone`.

    Without a number of players every card named is off the display.
    """
    taken = _by_line(gone)
    off = {key for key, number in taken.items() if number >= _in_box(key, players, supply.rules)}
    return Supply(supply.cards - off, supply.rules)


def _in_box(key: str, players: int | None, rules: RuleSet) -> float:
    if players is None:
        return 1
    number = copies(key, players)
    if number is not None:
        return number
    return inf if rules.fool_supply is None else players


def fools_left(gone: Sequence[str], players: int | None, rules: RuleSet) -> RuleSet:
    """Return the rules with as many Fools and Charlatans as are left to one of so many players.

    The player's own ones included; unlimited ones, and those of an unknown number of players, stay
    as they are.
    """
    if players is None or rules.fool_supply is None:
        return rules
    taken = sum(BY_KEY[key].row == 0 for key in gone)
    return replace(rules, fool_supply=players - taken)


def check_gone(
    gone: Sequence[str], hand: Sequence[str], players: int | None, rules: RuleSet
) -> None:
    """Raise InvalidCards if more copies are gone, or owned, than the box holds."""
    if players is not None and not 2 <= players <= 5:
        raise InvalidOption(f"--players {players}: the game is for 2 to 5 players")
    for key in gone:
        if KING.key in (key, BY_KEY[key].comes_with):
            raise InvalidCards(
                f"--gone {key}: once the King is bought the race is over; leave it out"
            )
    if players is None:
        return
    off, own = _by_line(gone), _by_line(hand)
    for key in off | own:
        there = _in_box(key, players, rules)
        if off[key] + own[key] > there:
            raise InvalidCards(_too_many(key, off[key], own[key], there, players))


def _too_many(key: str, off: int, own: int, there: float, players: int) -> str:
    card = BY_KEY[key]
    turned = next((each.name for each in CARDS if each.requires == key), None)
    name = f"{card.name} or {turned}" if turned else card.name
    if own > there:
        return f"--cards: {own} x {name}, but with {players} players there are {there}; correct one"
    besides = f" besides {own} of --cards" if own else ""
    return (
        f"--gone {key}: {off} x {name}{besides}, but with {players} players there are {there}; "
        f"write at most {there - own:.0f}"
    )


def _by_line(keys: Sequence[str]) -> Counter[str]:
    """Return how many cards there are, a turned-over one as the card that it was."""
    return Counter(BY_KEY[key].requires or key for key in keys)


def check_race(hand: Sequence[str], supply: Supply) -> None:
    """Raise InvalidCards unless the owner of `hand` can still race for the King, and reach it."""
    check_hand(hand, supply.rules)
    for key in hand:
        if BY_KEY[key].comes_with:
            raise InvalidCards(
                f"{key}: the {name_of(key)} comes with the King, and then the race is over; "
                "leave it out"
            )
    if not supply.reaches_king(hand):
        owned, named = ", ".join(hand) or "no cards", ", ".join(supply.listed()) or "nothing"
        raise InvalidCards(
            f"the King is out of reach with {owned} and a supply of {named}: "
            f"{_dice_for(KING.cost)} dice are needed; put more cards that give dice into it"
        )


# ---------------------------------------------------------------- dice


def payable_with(cost: Cost, dice: int) -> bool:
    """Return whether some result of so many dice pays the cost."""
    match cost:
        case AnyResult() | AllOdd() | AllEven():
            return True
        case SumAtLeast(pips):
            return 6 * dice >= pips
        case Groups() | Straight():
            return dice >= _dice_for(cost)


def _dice_for(cost: Cost) -> int:
    if isinstance(cost, Groups | Straight):
        return min(sum(pattern) for pattern in patterns(cost))
    return 0


def _dice_of(key: str) -> int:
    ability = BY_KEY[key].ability
    if isinstance(ability, StartDice):
        return ability.number
    return int(isinstance(ability, BringIn))
