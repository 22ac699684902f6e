"""What a turn of a recorded game is played for: the worth of its results, fixed for the turn.

Before the King is taken: the turns to the King that a player alone would have to expect
afterwards, with the sign turned. Afterwards: the chance to win the final round. docs/records.md
names what the models take for granted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from advisor.court.final.solve import FinalRound, Plays
from advisor.court.race.estimates import Estimates
from advisor.court.race.hand import Outlook
from advisor.court.rules.cards import BY_KEY, KING, QUEEN, pays
from advisor.court.rules.game import Game, Hands
from advisor.court.rules.options import Hand, RuleSet, bought, dice_in_reach
from advisor.court.rules.seats import Seats
from advisor.court.turn.goals import WinGoal
from advisor.court.turn.playing import Kept
from advisor.dice import Counts, rank_number
from advisor.errors import InvalidRecord

RACE, LAST, FINAL = "race", "last purchase", "final round"
"""Kinds of turns: before the King is taken, in the round in which it was, in the final round."""
UNITS: Final = {RACE: "turns", LAST: "probability", FINAL: "probability"}

Worths = dict[str | None, float]


@dataclass(frozen=True)
class Aim:
    """What a turn is played for; `worths` of the purchases at its end, none in the final round.

    Worths of turns are negative, so that more is better.
    """

    kind: str
    goal: Outlook | WinGoal
    worths: Worths = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """The unit of its values: minus so many turns, or a probability."""
        return UNITS[self.kind]

    def worth(self, result: Counts) -> float:
        """Return what one result is worth."""
        if isinstance(self.goal, WinGoal):
            return float(self.goal.literal_worth(result))
        return max(
            worth
            for key, worth in self.worths.items()
            if key is None or pays(BY_KEY[key].cost, result)
        )


class Prospects:
    """The aims of the turns of games under one rule set; what one turn found out serves the next.

    `estimates` of the turns to the King may be those of another rule set.
    """

    def __init__(self, rules: RuleSet, memory: int, estimates: Estimates) -> None:
        self.rules, self.memory, self.estimates = rules, memory, estimates
        self.plays: Plays = {}
        self.kept = Kept()

    def aim(self, game: Game) -> Aim:
        """Return what the turn of a game is played for."""
        if game.final:
            return self._final(game)
        if QUEEN.key in game.hand:
            raise InvalidRecord(
                "the player owns the Queen, but no final round is recorded: a single turn is "
                "analysed as part of the race for the King; leave the Queen out"
            )
        return self._last(game) if game.claimed else self._race(game)

    def _race(self, game: Game) -> Aim:
        turns: Worths = {
            key: 0.0 if key == KING.key else self.estimates.turns(bought(game.hand, key))
            for key in (None, *game.display)
        }
        return _purchases(RACE, turns, -1)

    def _last(self, game: Game) -> Aim:
        """Return the aim of a turn after which only the final round follows."""
        keys = (None, *game.display)
        most = max(dice_in_reach(bought(game.hand, key), self.rules) for key in keys)
        chances = {key: self._chance(game, bought(game.hand, key), most) for key in keys}
        return _purchases(LAST, chances, 1)

    def _chance(self, game: Game, hand: Hand, most: int) -> float:
        """Return the chance of the seat on turn to win the final round with these cards."""
        assert game.claimed
        seat = game.seat
        hands: Hands = (*game.hands[:seat], hand, *game.hands[seat + 1 :])
        order = replace(game, final=True, done=0).order
        seats = Seats(tuple(hands[each] for each in order), game.claimed.best, len(order) - 1)
        best, place = rank_number(seats.best), order.index(seat)
        round_ = FinalRound(seats, self.rules, (best,), most, place)
        return round_.solve(self.memory, plays=self.plays).win()[place]

    def _final(self, game: Game) -> Aim:
        assert game.claimed
        rolling, holder = game.order[game.done :], game.claimed.holder
        seats = Seats(
            tuple(game.hands[seat] for seat in rolling),
            game.claimed.best,
            rolling.index(holder) if holder in rolling else None,
        )
        best = rank_number(seats.best)
        round_ = FinalRound(seats, self.rules, (best,)).solve(self.memory)
        return Aim(FINAL, round_.goal(0, best, round_.survival[0]))


def _purchases(kind: str, after: Worths, sign: int) -> Aim:
    """Return the aim of a turn from what follows each purchase; `sign` -1: less of it is better."""
    cards = tuple((key, value) for key, value in after.items() if key is not None)
    worths = {key: sign * value + 0.0 for key, value in after.items()}
    return Aim(kind, Outlook(after[None], cards, sign), worths)
