"""What can be bought: the copies on display, and what one player can still get of them.

The one place that counts copies, by section 4 of docs/rules.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Final

from advisor.court.rules.cards import (
    BY_KEY,
    CARDS,
    KING,
    BringIn,
    StartDice,
    fewest_dice,
    in_order,
)
from advisor.court.rules.names import name_of
from advisor.court.rules.options import (
    Hand,
    RuleSet,
    bought,
    check_hand,
    dice_in_reach,
    start_dice,
)
from advisor.errors import InvalidCards, InvalidOption

COPIES: Final = {2: (2, 1, 1, 1, 1), 3: (2, 2, 2, 2, 1), 4: (3, 3, 2, 2, 1), 5: (4, 3, 3, 3, 1)}
"""Copies of each card of the rows I to V by number of players (B3)."""
LINES: Final = frozenset(card.requires for card in CARDS if card.requires)
"""The cards that can be turned over into others."""


def line_of(key: str) -> str:
    """Return the card that this one was before it was turned over, itself if it never was."""
    return BY_KEY[key].requires or key


def by_line(keys: Iterable[str]) -> Counter[str]:
    """Return how many cards there are, a turned-over one as the card that it was."""
    return Counter(map(line_of, keys))


def in_play(key: str, players: int, rules: RuleSet) -> float:
    """Return how many copies of a card there are for so many players (B3).

    One player, or one who knows of no others: one of each, and the Fools that one can own.
    """
    row, most = BY_KEY[key].row, min(players, max(COPIES))
    if row:
        return 1 if players == 1 else COPIES[most][row - 1]
    if rules.fool_supply is None:
        return inf
    return rules.fool_supply if players == 1 else most


def copies_left(owned: Iterable[str], players: int, rules: RuleSet) -> dict[str, float]:
    """Return how many copies of each card are left where the players own these cards together.

    A card that is turned over needs no copy (B2). Less than 0 where more are owned than there are.
    """
    taken = by_line(owned)
    return {
        card.key: inf if card.requires else in_play(card.key, players, rules) - taken[card.key]
        for card in CARDS
    }


def may_add(key: str, hand: Sequence[str]) -> bool:
    """Return whether the owner of `hand` may buy a card, a copy and a result given (B1, B2)."""
    card = BY_KEY[key]
    if card.requires:
        return card.requires in hand
    return key not in hand and not card.comes_with


@dataclass(frozen=True)
class Display:
    """How many copies of each card are left to buy, in the order of the rules' table."""

    left: dict[str, float]

    def buyable(self, hand: Sequence[str]) -> tuple[str, ...]:
        """Return what the owner of `hand` may buy with results that pay."""
        return tuple(key for key, number in self.left.items() if number > 0 and may_add(key, hand))

    def without(self, key: str | None) -> Display:
        """Return the display after a purchase, None: of nothing."""
        return self if key is None else Display(self.left | {key: self.left[key] - 1})

    def only(self, named: Sequence[str]) -> Display:
        """Return a display of the named cards, a copy of each at least, and their lines."""
        return Display(
            {
                key: max(number, 1) if {key, line_of(key)} & {*named} else 0
                for key, number in self.left.items()
            }
        )


@lru_cache(maxsize=4096)
def on_display(hands: tuple[Hand, ...], rules: RuleSet, claimed: bool = False) -> Display:
    """Return what is on display where all players own `hands`; `claimed`: the King is gone."""
    left = copies_left((key for hand in hands for key in hand), len(hands), rules)
    return Display(left | {KING.key: 0} if claimed else left)


def purchasable(hand: Sequence[str], rules: RuleSet) -> tuple[str, ...]:
    """Return what the owner of `hand` may buy as far as the own cards tell, in rule order."""
    return on_display((tuple(hand),), rules).buyable(hand)


# ---------------------------------------------------------------- one player's race for the King


def singles() -> tuple[str, ...]:
    """Return what a supply can name: every card that is bought by itself, but not the King.

    A card that turns another one over belongs to the line of that one.
    """
    alone = (card.key for card in CARDS if not (card.comes_with or card.requires))
    return tuple(key for key in alone if key != KING.key)


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
        # A die more than the limit adds nothing (T8).
        full = start_dice(hand, self.rules) >= self.rules.dice_limit
        return tuple(
            key
            for key in purchasable(hand, self.rules)
            if line_of(key) in self.cards and not (full and BY_KEY[key].requires)
        )

    def needed(self, hand: Sequence[str]) -> int:
        """Return a lower bound on the purchases before a turn can end with the King."""
        missing = fewest_dice(KING.cost) - dice_in_reach(hand, self.rules)
        gains = sorted((_dice_of(k) for k in self.cards if k not in hand), reverse=True)
        count = 0
        for gain in gains:
            if missing <= 0 or gain == 0:
                break
            missing, count = missing - gain, count + 1
        if missing > 0:
            # Each further die of a line takes two purchases, the first one less if it is begun.
            begun = any(k in hand for k in LINES & self.cards)
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
        payable = [k for k in self.purchases(hand) if fewest_dice(BY_KEY[k].cost) <= dice]
        giving = [k for k in payable if _dice_of(k)]
        turned = [k for k in payable if k in LINES]
        # More cards never take a purchase away, so the first one is as good as any.
        for key in (*giving[::-1], *turned)[:1]:
            after = bought(hand, key)
            if not self.needed(after) or self.step_towards_king(after):
                return key
        return None


def full_supply(hand: Sequence[str], rules: RuleSet) -> Supply:
    """Return the supply in which everything that is not owned can be bought once."""
    return Supply(frozenset(k for k in singles() if k not in hand or k in LINES), rules)


def supply_of(named: Sequence[str], hand: Sequence[str], rules: RuleSet) -> Supply:
    """Return the supply of the named cards; raise InvalidCards for cards it cannot hold."""
    for key, number in Counter(named).items():
        card = BY_KEY[key]
        if key == KING.key:
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
        if key in hand and key not in LINES:
            raise InvalidCards(
                f"--supply {key}: the {card.name} is owned already and cannot be bought again; "
                "leave it out"
            )
    return Supply(frozenset(named), rules)


def supply_for(
    hand: Sequence[str],
    rules: RuleSet,
    gone: Sequence[str] = (),
    players: int | None = None,
    named: Sequence[str] | None = None,
) -> Supply:
    """Return what is left to the owner of `hand` once others own the cards `gone`.

    Of the cards `named`, without them of all. Of these a copy has to be left with so many players;
    where their number is not known, every card that is gone is off the display.
    """
    chosen = full_supply(hand, rules) if named is None else supply_of(named, hand, rules)
    if players is None:
        return Supply(chosen.cards - frozenset(by_line(gone)), rules)
    left = copies_left(gone, players, rules)
    fools = min(left[key] for key in LINES)
    return Supply(
        frozenset(key for key in chosen.cards if left[key] > 0),
        replace(rules, fool_supply=None if fools == inf else int(fools)),
    )


def check_gone(
    gone: Sequence[str], hand: Sequence[str], players: int | None, rules: RuleSet
) -> None:
    """Raise InvalidCards if more copies are gone, or owned, than the box holds."""
    if players is not None and players not in COPIES:
        raise InvalidOption(f"--players {players}: the game is for 2 to {max(COPIES)} players")
    for key in gone:
        if KING.key in (key, BY_KEY[key].comes_with):
            raise InvalidCards(
                f"--gone {key}: once the King is bought the race is over; leave it out"
            )
    if players is None:
        return
    off, own = by_line(gone), by_line(hand)
    for key in off | own:
        there = in_play(key, players, rules)
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
            f"{fewest_dice(KING.cost)} dice are needed; put more cards that give dice into it"
        )


def _dice_of(key: str) -> int:
    ability = BY_KEY[key].ability
    if isinstance(ability, StartDice):
        return ability.number
    return int(isinstance(ability, BringIn))
