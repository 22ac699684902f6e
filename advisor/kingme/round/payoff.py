"""What the end of a round is worth to each player: own points, or the chance to win the game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.kingme.rules.data import KING, TOP, ZERO

Floors = NDArray[np.int64]
Members = NDArray[np.float64]
Values = NDArray[np.float64]

GONE: Final = TOP + 1
"""What stands for the floor of a character that is out, here and in the solver."""
WORTH: Final = np.array([*range(TOP + 1), 0], np.float64)
"""Points by floor, of those who are out at the end."""


@dataclass(frozen=True)
class Payoff:
    """What counts: the points of the round, in the last one the chance to win the game.

    `totals`: in the last round the points of those before it, by player.
    """

    totals: tuple[int, ...] | None = None

    @property
    def unit(self) -> str:
        """What values are in."""
        return "points" if self.totals is None else "probability"

    def crowned(self, floors: Floors, king: int, members: Members) -> Values:
        """Return the values when a character is crowned, by castle, deal and player.

        `floors` by castle and character, the king still on the highest; `members` by deal,
        player and character, 1 for a favourite.
        """
        worth = WORTH[floors]
        worth[:, king] = KING
        points: Values = np.einsum("rk,dnk->rdn", worth, members)
        if self.totals is None:
            return points
        points = np.where(points == 0, ZERO, points)
        inside = np.einsum("rk,dnk->rdn", (floors != GONE).astype(float), members)
        return shares(points + np.array(self.totals), inside)


def shares(totals: Values, present: Values) -> Values:
    """Return the shares of the victory along the last axis, `game.shares` for arrays.

    `present` stays below 100: so few characters are there.
    """
    rank = totals * 100 + present
    best: Values = (rank == rank.max(axis=-1, keepdims=True)).astype(float)
    found: Values = best / best.sum(axis=-1, keepdims=True)
    return found
