"""The tournament: every thrower maximises the own chance to win, by backward induction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.errors import InvalidOption
from advisor.knights.rules.options import MORE_THROWS, PLAYERS, RULEBOOK, THROWS, DieCards, RuleSet
from advisor.knights.throw import play
from advisor.knights.throw.play import Numbers, Values

Seat = tuple[DieCards, int]
"""Die cards and number of throws."""


@dataclass(frozen=True)
class Thrower:
    """A player in a tournament: Die cards and whether the Champion is owned."""

    die_cards: DieCards = ()
    champion: bool = False

    def throws(self, organiser: bool) -> int:
        """Return the number of throws: four for the organiser or with the Champion."""
        return MORE_THROWS if organiser or self.champion else THROWS


def win_chances(players: Sequence[Thrower], rules: RuleSet = RULEBOOK) -> list[float]:
    """Return each player's chance to win, in throwing order with the organiser first.

    A later thrower needs a strictly higher rank. Players who are indifferent keep more dice, then
    the lower ones.
    """
    if len(players) not in PLAYERS:
        raise InvalidOption(
            f"{len(players)} players: a tournament has {PLAYERS[0]} to {PLAYERS[-1]}"
        )
    return list(seat_chances(_seats(players), rules))


def _seats(players: Sequence[Thrower]) -> tuple[Seat, ...]:
    return tuple((each.die_cards, each.throws(seat == 0)) for seat, each in enumerate(players))


def organiser_chance(players: Sequence[Thrower], rules: RuleSet = RULEBOOK) -> float:
    """Return the first player's chance to win, the cheap part of `win_chances`."""
    (cards, throws), *others = _seats(players)
    after = _best_play(tuple(others), rules)
    worth = after.stays[after.place(play.codes(cards, rules))]
    return float(play.solve(worth, throws, rules.kept_locked)[-1][0])


def seat_chances(seats: tuple[Seat, ...], rules: RuleSet) -> tuple[float, ...]:
    """Return the chance of each seat, in throwing order, to win."""
    return tuple(map(float, _best_play(seats, rules).wins[:, 0]))


@dataclass(frozen=True)
class _Play:
    """What happens from a seat on, by the best level before it (row 0: nothing thrown yet).

    `stays`: the chance that the best level stays the best. `wins`: one row a seat.
    """

    levels: Numbers
    stays: Values
    wins: Values

    def place(self, codes: Numbers) -> Numbers:
        """Return the row of the highest level that is not above each rank."""
        found: Numbers = np.searchsorted(self.levels, codes, side="right") - 1
        return found


@lru_cache(maxsize=256)
def _best_play(seats: tuple[Seat, ...], rules: RuleSet) -> _Play:
    if not seats:
        # One level below all ranks: whatever has been thrown stays.
        return _Play(np.array([-1]), np.ones(1), np.zeros((0, 1)))
    after = _best_play(seats[1:], rules)
    cards, throws = seats[0]
    codes = play.codes(cards, rules)
    levels = np.union1d(after.levels, codes)
    rows = after.place(levels)
    stays, wins = after.stays[rows], after.wins[:, rows]
    reached = _reached(np.searchsorted(levels, codes), throws, stays, rules)
    above = np.triu(reached, 1)
    below = reached.sum(axis=1) - above.sum(axis=1)
    return _Play(levels, below * stays, np.vstack((above @ stays, wins * below + wins @ above.T)))


def _reached(place: Numbers, throws: int, stays: Values, rules: RuleSet) -> Values:
    """Return by best level before (row) the chance of each level the player ends on.

    `place` is the level of each holding, `stays` the chance that a level, once reached, is not
    exceeded by later players.
    """
    # Levels between two ranks of the player leave the same play: solve one for each.
    own, lane = np.unique(
        np.searchsorted(np.unique(place), np.arange(len(stays)), side="right"),
        return_inverse=True,
    )
    first = np.searchsorted(lane, np.arange(len(own)))
    worth = np.where(place[:, None] > first[None, :], stays[place][:, None], 0.0)
    chance = play.outcomes(worth, throws, rules.kept_locked)
    found = np.zeros((len(stays), len(own)))
    np.add.at(found, place, chance)
    by_level: Values = found.T[lane]
    return by_level
