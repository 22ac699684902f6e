"""The table as one player sees it, and what may be chosen as a target, literally."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from advisor.knights.rules.cards import (
    Card,
    Cards,
    castles,
    fixed_dice,
    has_won,
    identical,
    on_deck,
    specials,
    throws,
)
from advisor.knights.rules.options import RULEBOOK, RuleSet
from advisor.knights.throw import odds
from advisor.knights.throw.tournament import Thrower, organiser_chance

THRONE_CASTLES: Final = 3
"""Castles needed at the start of the turn to try for the throne."""


@dataclass(frozen=True)
class Player:
    """A player's cards; `covered` are those under a guard."""

    name: str
    cards: Cards
    covered: Cards = ()


@dataclass(frozen=True)
class Target:
    """What a player tries for; `place` is the deck (0 or 1) or the seat of the owner."""

    kind: Literal["deck", "tournament", "castle", "special", "throne"]
    card: Card | None = None
    place: int = 0


@dataclass(frozen=True)
class Table:
    """The players in clockwise order, whose turn it is, and the tops of the decks."""

    players: tuple[Player, ...]
    seat: int
    tops: tuple[Card | None, ...]

    @property
    def own(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.seat]


def targets(table: Table, throne: bool) -> list[Target]:
    """Return every legal target: tops, opponents' cards clockwise, the throne.

    `throne`: whether the player had three castles at the start of the turn.
    """
    return [each for each in _all(table) if refusal(table, each, throne) is None]


def _all(table: Table) -> list[Target]:
    found = [deck_target(card, deck) for deck, card in enumerate(table.tops) if card is not None]
    number = len(table.players)
    for step in range(1, number):
        seat = (table.seat + step) % number
        cards = table.players[seat].cards
        found += [Target("castle", card, seat) for card in castles(cards)]
        found += [Target("special", card, seat) for card in specials(cards)]
    return [*found, Target("throne")]


def deck_target(card: Card, deck: int) -> Target:
    """Return the target that a top card is."""
    return Target("tournament" if card.is_tournament else "deck", card, deck)


def refusal(table: Table, target: Target, throne: bool) -> str | None:
    """Return why a target is not allowed, None if it is."""
    if target.kind == "throne":
        return (
            None
            if throne
            else (f"the throne needs {THRONE_CASTLES} castles at the start of the turn")
        )
    card = target.card
    if card is None:
        return "there is no such card"
    if identical(card, table.own.cards):
        return f"{table.own.name} owns an identical card ({card.name})"
    if target.kind in ("deck", "tournament"):
        return None
    owner = table.players[target.place]
    if card in owner.covered:
        return f"a guard of {owner.name} covers it"
    return _castle_refusal(owner, len(table.players)) if target.kind == "castle" else None


def _castle_refusal(owner: Player, players: int) -> str | None:
    number = len(castles(owner.cards))
    if number == 1:
        return f"it is the only castle of {owner.name}"
    if players == 2 and number < 3:
        return f"with two players {owner.name} has to own at least three castles"
    return None


# ---------------------------------------------------------------- chances of one attempt


def success(table: Table, target: Target, rules: RuleSet = RULEBOOK) -> float:
    """Return the exact chance that the attempt at a legal target succeeds."""
    own = table.own.cards
    dice = fixed_dice(own)
    match target.kind:
        case "throne":
            return odds.throne(dice, rules)
        case "tournament":
            return organiser_chance(throwers(table), rules)
        case "castle":
            assert target.card is not None
            owner = fixed_dice(table.players[target.place].cards)
            return odds.attack(target.card.shown, throws(own, "castle"), dice, owner, rules)
        case "special":
            assert target.card is not None
            return odds.beat(target.card.shown, cards=dice, rules=rules)
        case _:
            assert target.card is not None
            return odds.beat(on_deck(target.card, own), cards=dice, rules=rules)


def throwers(table: Table) -> list[Thrower]:
    """Return the players of a tournament that the player organises, in throwing order."""
    order = table.players[table.seat :] + table.players[: table.seat]
    return [
        Thrower(fixed_dice(player.cards), throws(player.cards, "tournament") > 3)
        for player in order
    ]


def wins(table: Table, target: Target) -> bool:
    """Return whether success at the target wins the game."""
    if target.card is None:
        return True
    return has_won((*table.own.cards, target.card))


def goes_on(target: Target) -> bool:
    """Return whether success allows another attempt: a special from a deck does."""
    return target.kind == "deck" and target.card is not None and target.card.is_special
