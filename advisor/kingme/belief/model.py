"""How players are taken to choose: by the own goal alone, better options more often.

docs/kingme.md has the formula. An option is worth to a goal the sum over its characters of what
each is worth after it, plus a constant; it is chosen with probability proportional to
exp(strength * worth).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.kingme.rules.castle import Castle
from advisor.kingme.rules.data import FAVOURITES, KING, NUMBER, OUT, THRONE, TOP, UNPLACED
from advisor.kingme.rules.game import Game, Move, Phase, Place, Raise

Array = NDArray[np.float64]

STRENGTH: Final = 1.0
WORTH: Final = (1.2, 2.1, 2.9, 3.8, 4.7, 5.5)
"""Points that a character on floors 0 to 5 is taken to bring while the round goes on."""
APPROVES: Final = FAVOURITES / NUMBER
"""The chance that a player with a No card says Yes: the candidate is a favourite."""
PRICE: Final = 1.0
"""What playing a No card is taken to cost, in points."""


def going_on() -> Array:
    """Return the worth while the round goes on, by floor + 2 (see `place_of`)."""
    return np.array([WORTH[0], 0.0, *WORTH, KING], np.float64)


def at_the_end() -> Array:
    """Return the points when the round ends, by floor + 2."""
    return np.array([0, 0, *range(TOP + 1), KING], np.float64)


def place_of(castle: Castle) -> NDArray[np.int64]:
    """Return floor + 2 of each character, so that UNPLACED and OUT can be looked up as well."""
    return np.array(castle, np.int64) - UNPLACED


@dataclass(frozen=True)
class Decision:
    """Options of a player: worth of option o to a goal = base[o] + sum of gain[o, c] over c."""

    gain: Array
    base: Array

    def worth(self, members: Array) -> Array:
        """Return the worth by goal and option; `members` by goal and character, 1 in the goal."""
        found: Array = members @ self.gain.T + self.base
        return found


def decision(game: Game) -> Decision:
    """Return the decision of the seat on turn, options in the order of `legal_moves`."""
    rows = [_after(game, move) for move in game.legal_moves()]
    return Decision(np.array(rows), np.zeros(len(rows)))


def _after(game: Game, move: Move) -> Array:
    """Return what each character is worth after a move, to whoever has it as a favourite."""
    places = place_of(game.castle)
    match move:
        case Place(character, floor):
            places[character] = floor - UNPLACED
        case Raise(character) if game.castle[character] < TOP:
            places[character] += 1
        case Raise(character):
            return _voted_on(game.castle, character, others_with_no(game, game.seat))
    return going_on()[places]


def _voted_on(castle: Castle, candidate: int, others: int) -> Array:
    """Return the same while so many others with a No card vote on a candidate."""
    accepted = APPROVES**others
    return accepted * _crowned(castle, candidate) + (1 - accepted) * _refused(castle, candidate)


def _crowned(castle: Castle, candidate: int) -> Array:
    places = place_of(castle)
    places[candidate] = THRONE - UNPLACED
    found: Array = at_the_end()[places]
    return found


def _refused(castle: Castle, candidate: int) -> Array:
    places = place_of(castle)
    places[candidate] = OUT - UNPLACED
    found: Array = going_on()[places]
    return found


def others_with_no(game: Game, seat: int) -> int:
    """Return how many players but this one have a No card."""
    return sum(left > 0 for other, left in enumerate(game.no_left) if other != seat)


def vote(game: Game, seat: int) -> Decision:
    """Return the vote of a seat that has a No card, Yes first, then No, as if it alone decided."""
    assert game.phase is Phase.VOTE
    assert game.candidate is not None
    assert game.no_left[seat]
    yes, no = (of(game.castle, game.candidate) for of in (_crowned, _refused))
    return Decision(np.array([yes, no]), np.array([0.0, -PRICE]))


def log_chances(decision: Decision, members: Array, strength: float) -> Array:
    """Return the logarithms of the chances by goal and option."""
    worth = strength * decision.worth(members)
    top = worth.max(axis=1, keepdims=True)
    found: Array = worth - top - np.log(np.exp(worth - top).sum(axis=1, keepdims=True))
    return found
