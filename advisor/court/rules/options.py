"""Rule sets and their options; the cards that one player can own, and the dice they give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Final

from advisor.court.rules.cards import BY_KEY, CARDS, KING, QUEEN, BringIn, StartDice, in_order
from advisor.errors import InvalidCards, InvalidOption

Hand = tuple[str, ...]
"""The cards that a player owns, in rule order, the multiple one as often as owned."""
MULTIPLE: Final = next(card.key for card in CARDS if card.requires)
"""The only card that one player can own several times."""

START_DICE: Final = 3


@dataclass(frozen=True)
class RuleSet:
    """The decisions in which the sources differ.

    `cards_before_first_roll`: unused die-bringing cards may be used before the first roll.
    `fool_supply`: Fools and Charlatans that one player can own together; in a game there are as
    many as players. None: unlimited.
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
    if count[KING.key]:
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
    supply, fools = rules.fool_supply, sum(BY_KEY[key].row == 0 for key in cards)
    if supply is not None and fools > supply:
        raise InvalidCards(
            f"{fools} Fools and Charlatans: the rule set {rules.name} has only {supply} "
            "of these cards; leave some out"
        )


def bought(cards: Sequence[str], key: str | None) -> tuple[str, ...]:
    """Return the cards after a player who owned `cards` bought `key`, None: nothing.

    The King stands in no hand, but who buys him gets the Queen (B4).
    """
    if key is None:
        return tuple(cards)
    if key == KING.key:
        return with_queen(cards)
    after = [*cards, key]
    required = BY_KEY[key].requires
    if required is not None:
        after.remove(required)
    return in_order(after)


def with_queen(hand: Sequence[str]) -> Hand:
    """Return the cards with the Queen among them."""
    return in_order(hand if QUEEN.key in hand else (*hand, QUEEN.key))


def dice_in_reach(cards: Sequence[str], rules: RuleSet) -> int:
    """Return the most dice that a turn with these cards can end with."""
    return min(start_dice(cards, rules) + sum(map(brings_in, cards)), rules.dice_limit)
