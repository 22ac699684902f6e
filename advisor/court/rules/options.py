"""Rule sets and their options, copies in the box, hands that can be owned, what can be bought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from advisor.court.rules.cards import BY_KEY, CARDS, BringIn, StartDice, in_order
from advisor.errors import InvalidCards, InvalidOption

Hand = tuple[str, ...]
"""The cards that a player owns, in rule order, the multiple one as often as owned."""
MULTIPLE: Final = "charlatan"
"""The only card that one player can own several times."""

START_DICE: Final = 3

COPIES: Final = {2: (2, 1, 1, 1, 1), 3: (2, 2, 2, 2, 1), 4: (3, 3, 2, 2, 1), 5: (4, 3, 3, 3, 1)}
"""Copies of each card of the rows I to V by number of players."""


@dataclass(frozen=True)
class RuleSet:
    """The decisions in which the sources differ.

    `cards_before_first_roll`: unused die-bringing cards may be used before the first roll.
    `fool_supply`: Fools and Charlatans in the box; None: unlimited.
    `dice_limit`: dice in the box.
    """

    name: str
    cards_before_first_roll: bool = False
    fool_supply: int | None = None
    dice_limit: int = 12

    def __post_init__(self) -> None:
        if not START_DICE <= self.dice_limit <= 12:
            raise InvalidOption(
                f"dice_limit {self.dice_limit} is out of range; it can be {START_DICE} to 12"
            )

    def options(self) -> dict[str, object]:
        """Return every option by name, as far as values depend on it."""
        return {key: value for key, value in asdict(self).items() if key != "name"}


RULEBOOK: Final = RuleSet("rulebook")
BRETTSPIELWELT: Final = RuleSet("brettspielwelt", cards_before_first_roll=True, fool_supply=5)
RULE_SETS: Final = {rules.name: rules for rules in (RULEBOOK, BRETTSPIELWELT)}


def copies(key: str, players: int) -> int | None:
    """Return how many copies of a card are in play, None for the Fools (see `fool_supply`)."""
    row = BY_KEY[key].row
    return COPIES[players][row - 1] if row else None


def start_dice(cards: Sequence[str], rules: RuleSet) -> int:
    """Return the number of dice of the first roll, cards before it not counted."""
    abilities = [BY_KEY[key].ability for key in cards]
    bonus = sum(ability.number for ability in abilities if isinstance(ability, StartDice))
    return min(START_DICE + bonus, rules.dice_limit)


def brings_in(key: str) -> bool:
    """Return whether the card brings in a die when used."""
    return isinstance(BY_KEY[key].ability, BringIn)


def check_hand(cards: Sequence[str], rules: RuleSet) -> None:
    """Raise InvalidCards unless one player can own these cards together in a turn."""
    count = Counter(cards)
    if count["king"]:
        raise InvalidCards(
            "the King cannot be among the owned cards: buying it ends the purchases; "
            "leave it out (its owner has the Queen)"
        )
    for key, number in count.items():
        if number > 1 and key != MULTIPLE:
            raise InvalidCards(
                f"{number} x {BY_KEY[key].name}: only the Charlatan can be owned more than once; "
                f"write {key} once"
            )
    supply, fools = rules.fool_supply, count["fool"] + count[MULTIPLE]
    if supply is not None and fools > supply:
        raise InvalidCards(
            f"{fools} Fools and Charlatans: the rule set {rules.name} has only {supply} "
            "of these cards; leave some out"
        )


def can_buy(key: str, cards: Sequence[str], rules: RuleSet) -> bool:
    """Return whether a player who owns `cards` may buy `key`, given a result that pays for it."""
    card = BY_KEY[key]
    if card.comes_with is not None:
        return False
    if card.requires is not None:
        return card.requires in cards
    if key in cards:
        return False
    if key == "fool" and rules.fool_supply is not None:
        return sum(owned in ("fool", MULTIPLE) for owned in cards) < rules.fool_supply
    return True


def purchasable(cards: Sequence[str], rules: RuleSet) -> tuple[str, ...]:
    """Return the keys of all cards that a player who owns `cards` may still buy, in order."""
    return tuple(card.key for card in CARDS if can_buy(card.key, cards, rules))


def bought(cards: Sequence[str], key: str | None) -> tuple[str, ...]:
    """Return the cards after a player who owned `cards` bought `key`, None: nothing."""
    if key is None:
        return tuple(cards)
    after = [*cards, key]
    required = BY_KEY[key].requires
    if required is not None:
        after.remove(required)
    return in_order(after)


def dice_in_reach(cards: Sequence[str], rules: RuleSet) -> int:
    """Return the most dice that a turn with these cards can end with."""
    return min(start_dice(cards, rules) + sum(map(brings_in, cards)), rules.dice_limit)
