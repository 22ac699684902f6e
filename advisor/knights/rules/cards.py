"""The cards: castles, tournaments and specials with what they do as data, names both ways.

A card is written by its name (coat of arms, `tournament`, or kind of special) and its combination:
`red 3332`, `tournament`, `die3 4441`, `pile 3334`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from advisor.errors import UnknownCard
from advisor.knights.rules.options import (
    FACES,
    MORE_THROWS,
    THROWS,
    TREASON,
    Combination,
    DieCards,
    die_cards,
    parse_combination,
)
from advisor.text import quoted

# ---------------------------------------------------------------- what specials do


@dataclass(frozen=True)
class FixedDie:
    """One more die of a fixed value in every throw."""

    value: int


@dataclass(frozen=True)
class FourthThrow:
    """A fourth throw when attacking a castle, or in a tournament of another player."""

    when: Literal["castle", "tournament"]


@dataclass(frozen=True)
class SecondChange:
    """Two top cards may be put under their decks in a turn."""


@dataclass(frozen=True)
class Guard:
    """Covers so many of the owner's other cards of a kind; covered cards are not attacked."""

    covers: Literal["castle", "special"]
    number: int


@dataclass(frozen=True)
class Treason:
    """Castles on top of a deck count as this combination."""

    combination: Combination


@dataclass(frozen=True)
class Protection:
    """Failing at the throne costs no castle."""


Ability = FixedDie | FourthThrow | SecondChange | Guard | Treason | Protection


@dataclass(frozen=True)
class Kind:
    """One kind of special: copies in the box and what it does, in our own words."""

    name: str
    copies: int
    ability: Ability
    text: str


DIE_COPIES: Final = 8
"""Die cards in the box, all values together."""

KINDS: Final = {
    kind.name: kind
    for kind in (
        *(
            Kind(f"die{value}", 0, FixedDie(value), f"a fixed die of value {value} in every throw")
            for value in FACES
        ),
        Kind("catapult", 3, FourthThrow("castle"), "four throws when attacking a castle"),
        Kind("champion", 1, FourthThrow("tournament"), "four throws in every tournament"),
        Kind("pile", 3, SecondChange(), "two top cards may be changed in a turn"),
        Kind("castle-guard", 3, Guard("castle", 2), "covers two of the owner's castles"),
        Kind("special-guard", 3, Guard("special", 1), "covers one of the owner's other specials"),
        Kind("treason", 1, Treason(TREASON), "castles on top of a deck count as 2 2 2 4"),
        Kind("protection", 1, Protection(), "failing at the throne costs no castle"),
    )
}

TOURNAMENT: Final = "tournament"


@dataclass(frozen=True, order=True)
class Card:
    """One card of the decks; tournaments show no combination."""

    name: str
    combination: Combination | None = None

    @property
    def is_tournament(self) -> bool:
        """Whether the card is a tournament."""
        return self.name == TOURNAMENT

    @property
    def is_special(self) -> bool:
        """Whether the card is a special card."""
        return self.name in KINDS

    @property
    def is_castle(self) -> bool:
        """Whether the card is a castle; its name is then its coat of arms."""
        return not self.is_tournament and not self.is_special

    @property
    def ability(self) -> Ability | None:
        """What a special card does."""
        return KINDS[self.name].ability if self.is_special else None

    @property
    def shown(self) -> Combination:
        """The combination of a card that is not a tournament."""
        assert self.combination is not None, f"{self.name} shows no dice"
        return self.combination

    def __str__(self) -> str:
        return self.name if self.combination is None else f"{self.name} {self.combination}"


Cards = tuple[Card, ...]


def parse_card(text: str, box: Iterable[Card]) -> Card:
    """Return the card of the box that a text names; the combination may be left out if unique."""
    name, _, rest = " ".join(text.split()).casefold().partition(" ")
    if name == "die" and rest[:1].isdecimal():
        # "die 3 4441" and "die 3" are as good as "die3 4441".
        value, _, rest = rest.partition(" ")
        name = f"die{value}"
    named = sorted({card for card in box if card.name == name})
    if not named:
        raise UnknownCard(f"{quoted(text)} is no card: {_hint(name, box)}")
    if not rest:
        if len(named) > 1:
            raise UnknownCard(f"{quoted(text)} may be {_either(named)}: write the dice as well")
        return named[0]
    wanted = parse_combination(rest)
    for card in named:
        if card.combination == wanted:
            return card
    raise UnknownCard(f"{quoted(text)} is not in the box: write {_either(named)}")


def _either(cards: list[Card]) -> str:
    return " or ".join(map(str, cards))


def _hint(name: str, box: Iterable[Card]) -> str:
    from difflib import get_close_matches

    names = list(dict.fromkeys(card.name for card in box))
    close = get_close_matches(name, names, n=2, cutoff=0.6)
    return f"did you mean {' or '.join(close)}?" if close else f"write one of {', '.join(names)}"


# ---------------------------------------------------------------- what a player's cards give


def identical(card: Card, owned: Iterable[Card]) -> bool:
    """Return whether the owner of such a card may not take this one; tournaments are exempt."""
    return not card.is_tournament and any(card.name == other.name for other in owned)


def castles(cards: Iterable[Card]) -> list[Card]:
    """Return the castles among the cards."""
    return [card for card in cards if card.is_castle]


def specials(cards: Iterable[Card]) -> list[Card]:
    """Return the specials among the cards."""
    return [card for card in cards if card.is_special]


def tournaments(cards: Iterable[Card]) -> int:
    """Return the number of tournaments among the cards."""
    return sum(card.is_tournament for card in cards)


def fixed_dice(cards: Iterable[Card]) -> DieCards:
    """Return the values of the Die cards."""
    abilities = [card.ability for card in cards]
    return die_cards(each.value for each in abilities if isinstance(each, FixedDie))


def throws(cards: Iterable[Card], when: Literal["castle", "tournament"]) -> int:
    """Return the throws when attacking a castle or in another player's tournament."""
    more = any(card.ability == FourthThrow(when) for card in cards)
    return MORE_THROWS if more else THROWS


def changes(cards: Iterable[Card]) -> int:
    """Return how many top cards may be put under their decks in a turn."""
    return 2 if any(isinstance(card.ability, SecondChange) for card in cards) else 1


def on_deck(castle: Card, owned: Iterable[Card]) -> Combination:
    """Return what a card on top of a deck has to be beaten as."""
    for card in owned:
        if castle.is_castle and isinstance(card.ability, Treason):
            return card.ability.combination
    return castle.shown


def is_protected(cards: Iterable[Card]) -> bool:
    """Return whether failing at the throne costs no castle."""
    return any(isinstance(card.ability, Protection) for card in cards)


def has_won(cards: Iterable[Card]) -> bool:
    """Return whether the cards win: four castles, or two castles and three tournaments."""
    listed = list(cards)
    number = len({card.name for card in castles(listed)})
    return number >= 4 or (number >= 2 and tournaments(listed) >= 3)
