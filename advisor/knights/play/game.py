"""A whole game played with real dice by the greedy policy, from the deal or from a position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from advisor.errors import InvalidOption
from advisor.knights.play import policy, throwing
from advisor.knights.rules.cards import (
    Card,
    Guard,
    castles,
    changes,
    fixed_dice,
    has_won,
    is_protected,
    on_deck,
    throws,
)
from advisor.knights.rules.components import Components
from advisor.knights.rules.options import (
    MORE_THROWS,
    PLAYERS,
    RULEBOOK,
    THRONE,
    THROWS,
    Combination,
    RuleSet,
)
from advisor.knights.throw import play
from advisor.knights.turn.outlook import may_try_throne
from advisor.knights.turn.position import Position
from advisor.knights.turn.targets import Player, Table, Target, goes_on

MOST_TURNS: Final = 2000
"""Turns after which a game that nobody has won is given up."""


@dataclass
class Pile:
    """A deck of a simulated game: the face-up card first, then so many that nobody knows."""

    cards: list[Card]
    unknown: int

    def turn_up(self) -> None:
        """Count the new face-up card as seen."""
        self.unknown = max(0, self.unknown - 1)

    def take(self) -> Card:
        """Return the face-up card and turn up the next one."""
        card = self.cards.pop(0)
        self.turn_up()
        return card


@dataclass
class Game:
    """The state of a simulated game; `winner` is a seat once somebody has won."""

    players: list[Player]
    piles: list[Pile]
    rng: np.random.Generator
    rules: RuleSet = RULEBOOK
    seat: int = 0
    winner: int | None = None
    log: list[str] | None = field(default=None, repr=False)

    @property
    def table(self) -> Table:
        """The table as the player whose turn it is sees it."""
        tops = tuple(pile.cards[0] if pile.cards else None for pile in self.piles)
        return Table(tuple(self.players), self.seat, tops)

    @property
    def own(self) -> Player:
        """The player whose turn it is."""
        return self.players[self.seat]

    def unseen(self) -> list[Card]:
        """Return the cards that nobody has seen."""
        return [card for pile in self.piles for card in pile.cards[1 : 1 + pile.unknown]]

    # ------------------------------------------------------------ play

    def play(self, first: Target | int | None = None, changed: int = 0) -> int | None:
        """Play to the end and return the winner's seat, None if nobody wins in 2000 turns.

        `first` is what the player to move does before playing greedily: a target or a deck whose
        top is put under it.
        """
        for turn in range(MOST_TURNS):
            self.turn(first if turn == 0 else None, changed if turn == 0 else 0)
            if self.winner is not None:
                break
            self.seat = (self.seat + 1) % len(self.players)
        return self.winner

    def turn(self, first: Target | int | None = None, changed: int = 0) -> None:
        """Play one turn."""
        throne = may_try_throne(self.table)
        going, choice = True, first
        while going and self.winner is None:
            if choice is None:
                choice = self._choose(throne, changed)
            if choice is None:
                break
            if isinstance(choice, int):
                self.change(choice)
                changed += 1
            else:
                going = self.attempt(choice) and goes_on(choice)
            choice = None
        self.players[self.seat] = policy.place_guards(self.own)

    def _choose(self, throne: bool, changed: int) -> Target | int | None:
        # A player to whom no target is open changes tops beyond the usual number, if need be
        # through both decks; then there is nothing to try.
        cards = sum(len(pile.cards) for pile in self.piles)
        may_change = changed < changes(self.own.cards)
        chosen = policy.choose(self.table, self.unseen(), throne, may_change, self.rules)
        return None if isinstance(chosen, int) and changed > 2 * cards else chosen

    def change(self, deck: int) -> None:
        """Put the top card of a deck under it and turn up the next."""
        pile = self.piles[deck]
        pile.cards.append(pile.cards.pop(0))
        pile.turn_up()
        self._note("changes the top of deck", deck + 1)

    def attempt(self, target: Target) -> bool:
        """Try for a legal target; return whether it succeeded."""
        self._note("tries for", target)
        match target.kind:
            case "throne":
                return self._throne()
            case "tournament":
                return self._tournament(target)
            case "deck":
                return self._deck(target)
            case _:
                return self._opponent(target)

    # ------------------------------------------------------------ attempts

    def _beats(self, combination: Combination) -> bool:
        dice = fixed_dice(self.own.cards)
        thrown = throwing.beating(combination, THROWS, dice, self.rules).throw(self.rng)
        return bool(play.codes(dice, self.rules)[thrown] > play.code(combination.rank))

    def _throne(self) -> bool:
        if self._beats(THRONE):
            self.winner = self.seat
            return True
        if not is_protected(self.own.cards):
            lost = policy.give_up(self.own.cards)
            self._lose(self.seat, lost)
            self._under(0, lost)
        return False

    def _deck(self, target: Target) -> bool:
        pile = self.piles[target.place]
        assert target.card is not None
        if self._beats(on_deck(target.card, self.own.cards)):
            self._gain(self.seat, pile.take())
            return True
        self._under(target.place, pile.take())
        return False

    def _under(self, deck: int, card: Card) -> None:
        """Put a card face down under a deck; an only card is its top at once."""
        self.piles[deck].cards.append(card)

    def _opponent(self, target: Target) -> bool:
        card = target.card
        assert card is not None
        taken = self._takes_castle(target) if target.kind == "castle" else self._beats(card.shown)
        if taken:
            self._lose(target.place, card)
            self._gain(self.seat, card)
        return taken

    def _takes_castle(self, target: Target) -> bool:
        assert target.card is not None
        card, owner = target.card.shown, fixed_dice(self.players[target.place].cards)
        dice = fixed_dice(self.own.cards)
        number = throws(self.own.cards, "castle")
        attack = throwing.attacking(card, number, dice, owner, self.rules)
        reached = int(play.codes(dice, self.rules)[attack.throw(self.rng)])
        if reached <= play.code(card.rank):
            return False
        defence = throwing.defending(reached, owner, self.rules).throw(self.rng)
        return bool(play.codes(owner, self.rules)[defence] <= reached)

    def _tournament(self, target: Target) -> bool:
        table, count = self.table, len(self.players)
        best, holder = -1, self.seat
        for place in range(count):
            seat = (self.seat + place) % count
            cards = self.players[seat].cards
            dice = fixed_dice(cards)
            number = MORE_THROWS if place == 0 else throws(cards, "tournament")
            later = policy.later_throwers(table, count - 1 - place)
            plan = throwing.competing(best, dice, number, later, self.rules)
            reached = int(play.codes(dice, self.rules)[plan.throw(self.rng)])
            if reached > best:
                best, holder = reached, seat
        self._gain(holder, self.piles[target.place].take())
        return holder == self.seat

    # ------------------------------------------------------------ cards change hands

    def _gain(self, seat: int, card: Card) -> None:
        player = self.players[seat]
        self.players[seat] = replace(player, cards=(*player.cards, card))
        self._note(f"seat {seat + 1} gains", card)
        if has_won(self.players[seat].cards):
            self.winner = seat

    def _lose(self, seat: int, card: Card) -> None:
        player = self.players[seat]
        cards = list(player.cards)
        cards.remove(card)
        covered = [each for each in player.covered if each in cards]
        if isinstance(card.ability, Guard):
            # Without the guard its cards are open; a new one is placed in the owner's turn.
            covers_castles = card.ability.covers == "castle"
            covered = [each for each in covered if each.is_castle != covers_castles]
        self.players[seat] = Player(player.name, tuple(cards), tuple(covered))

    def _note(self, *words: object) -> None:
        if self.log is not None:
            self.log.append(f"{self.own.name} {' '.join(map(str, words))}")


# ---------------------------------------------------------------- beginnings


def deal(
    players: int, box: Components, rng: np.random.Generator, rules: RuleSet = RULEBOOK
) -> Game:
    """Return a new game: a castle of another coat for each player, the rest in two decks."""
    if players not in PLAYERS:
        raise InvalidOption(f"{players} players: Knights is for {PLAYERS[0]} to {PLAYERS[-1]}")
    firsts = _one_of_each_coat(box, rng)
    rest = list(box.cards)
    for card in firsts[:players]:
        rest.remove(card)
    rest = _shuffled(rest, rng)
    half = (len(rest) + 1) // 2
    piles = [Pile(part, len(part) - 1) for part in (rest[:half], rest[half:])]
    hands = [Player(f"player {seat + 1}", (card,)) for seat, card in enumerate(firsts[:players])]
    return Game(hands, piles, rng, rules)


def _one_of_each_coat(box: Components, rng: np.random.Generator) -> list[Card]:
    coats: dict[str, Card] = {}
    for card in _shuffled(castles(box.cards), rng):
        coats.setdefault(card.name, card)
    return list(coats.values())


def resume(position: Position, rng: np.random.Generator, rules: RuleSet = RULEBOOK) -> Game:
    """Return a game that goes on from a position, the unseen cards in random order."""
    unseen = _shuffled(position.unseen, rng)
    piles, at = [], 0
    for deck in position.decks:
        hidden = unseen[at : at + deck.unknown]
        at += deck.unknown
        top = [] if deck.top is None else [deck.top]
        piles.append(Pile([*top, *hidden, *deck.bottom], len(hidden)))
    return Game(list(position.players), piles, rng, rules)


def _shuffled(cards: Sequence[Card], rng: np.random.Generator) -> list[Card]:
    return [cards[place] for place in rng.permutation(len(cards))]
