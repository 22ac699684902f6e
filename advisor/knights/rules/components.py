"""The cards in the box, from a TOML file that the user can replace, checked against the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Final

from advisor.errors import InvalidCombination, InvalidComponents
from advisor.knights.rules.cards import DIE_COPIES, KINDS, TOURNAMENT, Card, Cards
from advisor.knights.rules.options import parse_combination
from advisor.storage import toml
from advisor.text import quoted

CASTLES: Final = 16
COATS: Final = 6
TOURNAMENTS: Final = 9
_KEYS: Final = {"invented", "tournaments", "castles", "specials"}


@dataclass(frozen=True)
class Components:
    """All cards of the box, in the order of the file; `invented`: not taken from a real box."""

    cards: Cards
    invented: bool
    source: str

    def describe(self) -> str:
        """Return where the list comes from, in words."""
        return f"card list {self.source}{' (invented)' if self.invented else ''}"


def default() -> Components:
    """Return the list that comes with the program; it is invented."""
    text = resources.files("advisor.knights.rules").joinpath("components.toml").read_text("utf-8")
    return parse_components(text, "of the program")


def load(path: str | Path) -> Components:
    """Return the list in a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidComponents(f"card list {str(path)!r} cannot be read: {error}") from error
    return parse_components(text, Path(path).name)


def parse_components(text: str, source: str) -> Components:
    """Return the list written as TOML; `source` names it in answers and errors."""
    try:
        data = toml.parse(text)
    except ValueError as error:
        raise InvalidComponents(f"card list {source} is no TOML: {error}") from error
    try:
        return _checked(data, source)
    except (InvalidComponents, InvalidCombination) as error:
        raise InvalidComponents(f"card list {source}: {error}") from error


def _checked(data: dict[str, Any], source: str) -> Components:
    unknown, missing = sorted(set(data) - _KEYS), sorted(_KEYS - set(data))
    if unknown or missing:
        raise InvalidComponents(
            f"{', '.join(unknown + missing)} {'is unknown' if unknown else 'is missing'}; "
            f"the keys are {', '.join(sorted(_KEYS))}"
        )
    if not isinstance(data["invented"], bool):
        raise InvalidComponents("invented is true or false")
    if data["tournaments"] != TOURNAMENTS:
        raise InvalidComponents(
            f"tournaments is {quoted(data['tournaments'])}, but there are {TOURNAMENTS}"
        )
    cards = [*_castles(_table(data, "castles")), *_specials(_table(data, "specials"))]
    return Components((*cards, *[Card(TOURNAMENT)] * TOURNAMENTS), data["invented"], source)


def _table(data: dict[str, Any], key: str) -> Mapping[str, list[str]]:
    table = data[key]
    if not isinstance(table, dict):
        raise InvalidComponents(f'{key} is no table; write [{key}] and lines like name = ["3332"]')
    for name, listed in table.items():
        if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
            raise InvalidComponents(f'{key}.{name} is no list of texts; write for example ["3332"]')
    return table


def _castles(table: Mapping[str, list[str]]) -> list[Card]:
    if len(table) != COATS or not all(table.values()):
        raise InvalidComponents(
            f"castles has {len(table)} coats of arms; give {COATS}, each with at least one castle"
        )
    reserved = sorted(name for name in table if name in KINDS or name == TOURNAMENT)
    unwritable = sorted(name for name in table if name != name.casefold() or " " in name)
    for name in (*reserved, *unwritable):
        raise InvalidComponents(
            f"castles.{name} is no name for a coat of arms; write one lower-case word, "
            "for example red"
        )
    return _counted(list(_cards(table, "castles")), CASTLES, "castles")


def _specials(table: Mapping[str, list[str]]) -> list[Card]:
    unknown = sorted(set(table) - set(KINDS))
    if unknown:
        raise InvalidComponents(
            f"specials.{unknown[0]} is no kind of special; the kinds are {', '.join(KINDS)}"
        )
    cards = list(_cards(table, "specials"))
    for kind in KINDS.values():
        if kind.copies:
            same = [card for card in cards if card.name == kind.name]
            _counted(same, kind.copies, f"specials.{kind.name}")
    dice = [card for card in cards if not KINDS[card.name].copies]
    _counted(dice, DIE_COPIES, "specials.die1 to die5 together")
    return cards


def _cards(table: Mapping[str, list[str]], key: str) -> Iterator[Card]:
    for name, listed in table.items():
        for text in listed:
            try:
                yield Card(name, parse_combination(text))
            except InvalidCombination as error:
                raise InvalidCombination(f"{key}.{name}: {error}") from error


def _counted(cards: list[Card], number: int, what: str) -> list[Card]:
    if len(cards) != number:
        raise InvalidComponents(f"{what}: {len(cards)} cards, but there are {number}")
    return cards
