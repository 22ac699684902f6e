"""A described position: players, guards, tops and known cards of the decks, from a TOML file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from advisor.errors import AdvisorError, InvalidPosition
from advisor.knights.rules import components
from advisor.knights.rules.cards import (
    Card,
    Cards,
    Guard,
    castles,
    changes,
    has_won,
    parse_card,
)
from advisor.knights.rules.components import Components
from advisor.knights.rules.options import PLAYERS
from advisor.knights.turn.targets import Player, Table
from advisor.storage import toml
from advisor.text import quoted

_KEYS: Final = {"components", "changed", "players", "decks"}
_PLAYER_KEYS: Final = {"name", "cards", "castle_guard", "special_guard"}
_DECK_KEYS: Final = {"top", "size", "bottom"}
_MISSING: Final = object()


@dataclass(frozen=True)
class Deck:
    """A deck: its top (None: empty), how many unknown cards follow, then the known ones."""

    top: Card | None
    unknown: int
    bottom: Cards = ()


@dataclass(frozen=True)
class Position:
    """A position at the choice of a target; the first player is to move.

    `unseen` are the cards that nobody has seen, in the order of the card list; `changed` is how
    many top cards were put under their decks already in this turn.
    """

    players: tuple[Player, ...]
    decks: tuple[Deck, Deck]
    unseen: Cards
    box: Components
    changed: int = 0

    @property
    def table(self) -> Table:
        """The table as the player to move sees it."""
        return Table(self.players, 0, tuple(deck.top for deck in self.decks))


def load(path: str | Path, box: Components | None = None) -> Position:
    """Return the position described in a file; `box` replaces the card list that it names."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise InvalidPosition(f"position {str(path)!r} cannot be read: {error}") from error
    return decode(data, str(path), box, Path(path).parent)


def decode(
    data: bytes, source: str, box: Components | None = None, folder: Path = Path()
) -> Position:
    """Return the position written as TOML in UTF-8; `source` names it in errors."""
    try:
        return parse_position(data.decode(), box, folder)
    except UnicodeDecodeError as error:
        raise InvalidPosition(
            f"{source}: the position is not UTF-8; save it as UTF-8: {error}"
        ) from error
    except AdvisorError as error:
        raise type(error)(f"{source}: {error}") from error


def parse_position(text: str, box: Components | None = None, folder: Path = Path()) -> Position:
    """Return the position written as TOML; `folder` is where it looks for its card list."""
    try:
        data = toml.parse(text)
    except ValueError as error:
        raise InvalidPosition(f"the position is no TOML: {error}") from error
    _only(data, _KEYS, "the position")
    box = box or _box(data.get("components"), folder)
    players = tuple(_player(each, number, box) for number, each in _tables(data, "players"))
    if len(players) not in PLAYERS:
        raise InvalidPosition(
            f"{len(players)} players: describe {PLAYERS[0]} to {PLAYERS[-1]} under [[players]], "
            "the player to move first, then clockwise"
        )
    decks = [_deck(each, number, box) for number, each in _tables(data, "decks")]
    if len(decks) != 2:
        raise InvalidPosition(f"{len(decks)} decks: describe both under [[decks]]")
    _check_names(players)
    unseen = _unseen(players, decks, box)
    position = Position(
        players, _sized(decks, len(unseen)), unseen, box, _changed(data.get("changed", 0))
    )
    _check_not_over(players)
    if position.changed > changes(players[0].cards):
        raise InvalidPosition(
            f"changed is {position.changed}, but {players[0].name} may change one top a turn "
            "without the Pile; write changed = 1"
        )
    return position


def _box(name: object, folder: Path) -> Components:
    if name is None:
        return components.default()
    if not isinstance(name, str):
        raise InvalidPosition(f"components is {quoted(name)}; write the name of a card list's file")
    return components.load(folder / name)


def _only(data: dict[str, Any], keys: set[str], what: str) -> None:
    unknown = sorted(set(data) - keys)
    if unknown:
        raise InvalidPosition(
            f"{what}: {quoted(unknown[0])} is unknown; the keys are {', '.join(sorted(keys))}"
        )


def _tables(data: dict[str, Any], key: str) -> list[tuple[int, dict[str, Any]]]:
    listed = data.get(key, [])
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        raise InvalidPosition(f"{key}: write each under [[{key}]]")
    return list(enumerate(listed, 1))


def _changed(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 2:
        raise InvalidPosition(
            f"changed is {quoted(value)}: write how many top cards were put under their decks "
            "already in this turn, 0 to 2"
        )
    return value


# ---------------------------------------------------------------- players


def _player(data: dict[str, Any], number: int, box: Components) -> Player:
    name = data.get("name", f"player {number}")
    if not isinstance(name, str) or not name.strip():
        raise InvalidPosition(f"player {number}: the name is {quoted(name)}; write a text")
    _only(data, _PLAYER_KEYS, name)
    cards = _cards(data.get("cards", []), box, name)
    _check_hand(cards, name)
    special = data.get("special_guard", [])
    covered = (
        *_covered(data.get("castle_guard", []), "castle", cards, box, name),
        *_covered([special] if isinstance(special, str) else special, "special", cards, box, name),
    )
    return Player(name.strip(), cards, covered)


def _cards(listed: object, box: Components, where: str) -> Cards:
    if not isinstance(listed, list) or not all(isinstance(text, str) for text in listed):
        raise InvalidPosition(f'{where}: write cards as a list of texts, for example ["red 3332"]')
    return tuple(parse_card(text, box.cards) for text in listed)


def _check_hand(cards: Cards, name: str) -> None:
    names = Counter(card.name for card in cards if not card.is_tournament)
    for twice, number in names.items():
        if number > 1:
            raise InvalidPosition(
                f"{name} has {number} x {twice}: nobody owns two identical cards; leave one out"
            )
    if not castles(cards):
        raise InvalidPosition(
            f"{name} has no castle: everybody keeps at least one; add it to the cards"
        )


def _covered(listed: Any, what: str, cards: Cards, box: Components, name: str) -> Cards:
    found = _cards(listed, box, f"{name}, {what}_guard")
    if not found:
        return ()
    guards = [
        card for card in cards if isinstance(card.ability, Guard) and card.ability.covers == what
    ]
    if not guards:
        raise InvalidPosition(
            f"{name} has no {what}-guard: add it to the cards or leave out {what}_guard"
        )
    ability = guards[0].ability
    assert isinstance(ability, Guard)
    if len(set(found)) > ability.number:
        raise InvalidPosition(
            f"{name}: the {what}-guard covers at most {ability.number}, not {len(set(found))}"
        )
    for card in found:
        fits = card.is_castle if what == "castle" else card.is_special and card not in guards
        if card not in cards or not fits:
            raise InvalidPosition(
                f"{name}: the {what}-guard cannot cover {card}; it covers own "
                f"{'castles' if what == 'castle' else 'other specials'}"
            )
    return found


def _check_names(players: Sequence[Player]) -> None:
    for name, number in Counter(player.name.casefold() for player in players).items():
        if number > 1:
            raise InvalidPosition(
                f"{number} players are called {quoted(name)}: give each another name"
            )


def _check_not_over(players: Sequence[Player]) -> None:
    for player in players:
        if has_won(player.cards):
            raise InvalidPosition(f"{player.name} has won already: correct the cards")


# ---------------------------------------------------------------- decks


@dataclass(frozen=True)
class _Known:
    top: Card | None
    size: int | None
    bottom: Cards


def _deck(data: dict[str, Any], number: int, box: Components) -> _Known:
    where = f"deck {number}"
    _only(data, _DECK_KEYS, where)
    size = data.get("size")
    if size is not None and (not isinstance(size, int) or isinstance(size, bool) or size < 0):
        raise InvalidPosition(f"{where}: size is {quoted(size)}; write the number of its cards")
    bottom = _cards(data.get("bottom", []), box, f"{where}, bottom")
    top = data.get("top", _MISSING)
    if top is _MISSING:
        if size or bottom:
            raise InvalidPosition(f"{where} has no top: write it, or size = 0 for an empty deck")
        return _Known(None, 0, ())
    return _Known(_cards([top], box, f"{where}, top")[0], size, bottom)


def _unseen(players: Iterable[Player], decks: Sequence[_Known], box: Components) -> Cards:
    seen = Counter(card for player in players for card in player.cards)
    for deck in decks:
        seen.update([*([deck.top] if deck.top else []), *deck.bottom])
    there = Counter(box.cards)
    for card, number in seen.items():
        if number > there[card]:
            raise InvalidPosition(
                f"{card} is described {number} times, but the box has {there[card]}: "
                "correct the cards"
            )
    unseen = []
    for card in box.cards:
        if seen[card]:
            seen[card] -= 1
        else:
            unseen.append(card)
    return tuple(unseen)


def _sized(decks: Sequence[_Known], unseen: int) -> tuple[Deck, Deck]:
    """Return the decks with the number of their unknown cards; without sizes, halves."""
    given = [None if deck.size is None else deck.size - _known(deck) for deck in decks]
    first, second = given
    if first is None and second is None:
        # Nearly equal decks, as they were made.
        known = [_known(deck) for deck in decks]
        first = min(unseen, max(0, (unseen + sum(known) + 1) // 2 - known[0]))
    if first is None:
        assert second is not None
        first = unseen - second
    if second is None:
        second = unseen - first
    if first < 0 or second < 0 or first + second != unseen:
        raise InvalidPosition(
            f"the sizes of the decks leave room for {first} + {second} unknown cards, but "
            f"{unseen} cards are unseen: correct the sizes or leave them out"
        )
    a, b = decks
    return Deck(a.top, first, a.bottom), Deck(b.top, second, b.bottom)


def _known(deck: _Known) -> int:
    return (deck.top is not None) + len(deck.bottom)
