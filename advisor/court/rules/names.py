"""Names of cards: key, code, every language, unambiguous prefixes; what was meant by a typo."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache
from typing import Final

from advisor.court.rules.cards import BY_KEY, CARDS, Card, in_order
from advisor.court.rules.options import MULTIPLE
from advisor.errors import UnknownCard
from advisor.text import quoted

LONGEST: Final = 60
"""Letters of a name: no card has so many."""
LISTED: Final = "'advisor cards' lists them"


def parse_card(text: str) -> str:
    """Return the key of the card that a key, code, name in any language or prefix stands for."""
    wanted = " ".join(text.split())
    if len(wanted) > LONGEST:
        raise UnknownCard(f"{quoted(text)} is no card: {LISTED}")
    wanted = unicodedata.normalize("NFC", wanted).casefold()
    names = _known()
    if not wanted:
        raise UnknownCard(f"{quoted(text)} names no card: name one, for example {CARDS[2].key}")
    if wanted in names:
        return names[wanted]
    found = {key for name, key in names.items() if name.startswith(wanted)}
    if len(found) == 1:
        return found.pop()
    if found:
        raise UnknownCard(f"{quoted(text)} may be {_listed(found)}: write more of the name")
    close = {names[name] for name in get_close_matches(wanted, names, n=3, cutoff=0.6)}
    hint = f"did you mean {_listed(close)}?" if close else LISTED
    raise UnknownCard(f"{quoted(text)} is no card: {hint}")


def parse_cards(text: str) -> tuple[str, ...]:
    """Return card keys in rule order from a comma-separated list; `charlatan*2` counts twice."""
    keys = []
    for item in text.split(","):
        name, star, times = item.partition("*")
        if star and not (re.fullmatch(r"\s*[0-9]{1,2}\s*", times) and 1 <= int(times) <= 12):
            raise UnknownCard(
                f"{quoted(item.strip())} is no number of cards: write for example {MULTIPLE}*2"
            )
        keys += [parse_card(name)] * (int(times) if star else 1)
    return in_order(keys)


def format_codes(keys: tuple[str, ...]) -> str:
    """Return the codes of cards, comma separated; `parse_cards` reads them back."""
    return ",".join(BY_KEY[key].code for key in keys)


def parse_hand(text: str) -> tuple[str, ...]:
    """Return the cards of a list that may be empty."""
    return parse_cards(text) if text.strip() else ()


def name_of(key: str, language: str = "en") -> str:
    """Return the name of a card as shown to the user."""
    return BY_KEY[key].named(language)


def used(key: str, effect: str, language: str = "en") -> str:
    """Return a use of a card in words, its effect as a text."""
    return f"use the {name_of(key, language)} ({effect})"


def purchase(key: str | None, language: str = "en") -> str:
    """Return a purchase in words."""
    return f"buy the {name_of(key, language)}" if key else "buy nothing"


def _listed(keys: set[str]) -> str:
    *others, last = in_order(keys)
    return f"{', '.join(others)} or {last}" if others else last


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    # Exact German names win over the unaccented spelling of others, so those come last.
    names: dict[str, str] = {}
    for spelling in (str.casefold, _plain):
        for card in CARDS:
            for name in _names(card):
                names.setdefault(spelling(unicodedata.normalize("NFC", name)), card.key)
    return names


def _names(card: Card) -> Iterator[str]:
    yield from (card.key, card.code, card.name, *card.other, *card.names.values())


def _plain(name: str) -> str:
    """Return a Latin name without accents, for keyboards that lack them."""
    apart = unicodedata.normalize("NFD", name.casefold())
    bare = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return bare if bare.isascii() else name.casefold()
