"""What the record of a round says about the goals: Bayes with the model of play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.errors import ImpossibleStep, InvalidOption
from advisor.kingme.belief import model
from advisor.kingme.belief.deals import Deals
from advisor.kingme.rules.data import NUMBER
from advisor.kingme.rules.game import Game, Move, Phase, Place, Raise, Votes
from advisor.kingme.rules.goals import Deck, Goal
from advisor.kingme.rules.record import Entry, Record

Array = NDArray[np.float64]

_LEAST: Final = -120.0
"""Logarithms of relative chances are not below, so that products do not vanish."""


@dataclass(frozen=True)
class Posterior:
    """The goals of some seats (from 0), by what they did; `deals` has a row for each of them."""

    deck: Deck
    seats: tuple[int, ...]
    deals: Deals
    members: Array

    def characters(self) -> Array:
        """Return the chance of each character to be a favourite, by seat and character."""
        found: Array = self.deals.marginals @ self.members
        return found


def members(deck: Deck) -> Array:
    """Return by card and character whether it is on it, as 0 and 1."""
    found = np.zeros((len(deck.cards), NUMBER))
    for number, card in enumerate(deck.cards):
        found[number, list(card)] = 1
    return found


def this_round(record: Record) -> list[Entry]:
    """Return the steps in force of the round that is on, or that has just found its king."""
    number = record.game.round
    return [entry for entry in record.entries if entry.before.round == number]


@dataclass
class Evidence:
    """What the players did in a round, weighed as it happens.

    `logs`: the logarithm of the chance of what each seat did, by seat and card.
    """

    deck: Deck
    players: int
    strength: float = model.STRENGTH

    def __post_init__(self) -> None:
        self.members = members(self.deck)
        self.logs = np.zeros((self.players, len(self.members)))

    def begin(self) -> None:
        """Forget the round: new goals are dealt."""
        self.logs[:] = 0

    def see(self, game: Game, move: Move) -> None:
        """Take note of a move."""
        if isinstance(move, Place | Raise):
            chances = model.log_chances(model.decision(game), self.members, self.strength)
            self.logs[game.seat] += chances[:, game.legal_moves().index(move)]
        elif isinstance(move, Votes):
            for seat, refuses in enumerate(move.no):
                if game.no_left[seat]:
                    vote = model.vote(game, seat)
                    chances = model.log_chances(vote, self.members, self.strength)
                    self.logs[seat] += chances[:, int(refuses)]
        else:
            self.begin()

    def posterior(self, game: Game, me: int, goal: Goal | None) -> Posterior:
        """Return what the seat `me` can know; without its goal it is one more not known."""
        seats = tuple(seat for seat in range(game.players) if seat != me or goal is None)
        logs = self.logs[list(seats)]
        weights = np.exp(np.maximum(logs - logs.max(axis=1, keepdims=True), _LEAST))
        if self.deck.single:
            weights[:, [card in game.gone or card == goal for card in self.deck.cards]] = 0
        return Posterior(self.deck, seats, Deals(weights, self.deck.single), self.members)


def posterior(
    record: Record,
    me: int,
    goal: Goal | None,
    deck: Deck,
    strength: float = model.STRENGTH,
) -> Posterior:
    """Return what the seat `me` can know where a record ends, see `Evidence.posterior`.

    Raises InvalidGoal for a goal that cannot have been dealt, ImpossibleStep if the game is over.
    """
    game = record.game
    check_seat(game, me)
    if game.is_over:
        raise ImpossibleStep("the game is over: all goals have been shown")
    deck.check(game.gone)
    if goal is not None:
        deck.check([goal], game.gone)
    evidence = Evidence(deck, game.players, strength)
    for entry in this_round(record):
        evidence.see(entry.before, entry.move)
    return evidence.posterior(game, me, goal)


def check_seat(game: Game, seat: int) -> None:
    """Raise InvalidOption unless there is such a seat."""
    if not 0 <= seat < game.players:
        raise InvalidOption(f"--me {seat + 1}: the seats are 1 to {game.players}")


def chance_of_a_no(game: Game, found: Posterior, strength: float) -> float:
    """Return the chance that one of these seats says No to the one on the throne."""
    assert game.phase is Phase.VOTE
    yes = np.ones_like(found.deals.weights)
    for row, seat in enumerate(found.seats):
        if game.no_left[seat]:
            chances = model.log_chances(model.vote(game, seat), found.members, strength)
            yes[row] = np.exp(chances[:, 0])
    return max(0.0, 1.0 - found.deals.times(yes).total / found.deals.total)
