"""The tournament: every thrower maximises the own chance to win, by backward induction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor.errors import InvalidOption
from advisor.knights import play
from advisor.knights.play import Numbers, Values
from advisor.knights.rules import MORE_THROWS, RULEBOOK, THROWS, DieCards, RuleSet

PLAYERS = range(2, 7)


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
    seats = tuple((each.die_cards, each.throws(seat == 0)) for seat, each in enumerate(players))
    return list(seat_chances(seats, rules))


@lru_cache(maxsize=1024)
def seat_chances(seats: tuple[tuple[DieCards, int], ...], rules: RuleSet) -> tuple[float, ...]:
    """Return the chance of each seat, (Die cards, throws) in throwing order, to win."""
    levels = np.unique([play.codes(cards, rules) for cards, _ in seats])
    # Before the organiser nothing has been thrown: one level below all ranks.
    levels = np.concatenate(([-1], levels))
    later = np.zeros((0, len(levels)))
    stays = np.ones(len(levels))
    for cards, throws in reversed(seats):
        reached = _reached(cards, throws, levels, stays, rules)
        later, stays = _one_earlier(reached, later, stays)
    return tuple(float(chance) for chance in later[:, 0])


def _reached(
    cards: DieCards, throws: int, levels: Numbers, stays: Values, rules: RuleSet
) -> Values:
    """Return by best level before (row) the chance of each level the player ends on.

    `stays` is the chance that a level, once reached, is not exceeded by later players.
    """
    place = np.searchsorted(levels, play.codes(cards, rules))
    # Levels between two ranks of the player leave the same play: solve one for each.
    own, lane = np.unique(
        np.searchsorted(np.unique(place), np.arange(len(levels)), side="right"),
        return_inverse=True,
    )
    first = np.searchsorted(lane, np.arange(len(own)))
    higher = place[:, None] > first[None, :]
    worth = np.where(higher, stays[place][:, None], 0.0)
    chance = play.outcomes(worth, throws, rules.kept_locked)
    found = np.zeros((len(levels), len(own)))
    np.add.at(found, place, chance)
    by_level: Values = found.T[lane]
    return by_level


def _one_earlier(reached: Values, later: Values, stays: Values) -> tuple[Values, Values]:
    """Return the chances of this and the later players and of the best so far to stay, by level."""
    above = np.triu(reached, 1)
    below = reached.sum(axis=1) - above.sum(axis=1)
    others = later * below + later @ above.T
    return np.vstack((above @ stays, others)), below * stays
