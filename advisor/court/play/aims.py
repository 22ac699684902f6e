"""What a turn of a game is played for: the worth of its results, fixed for the turn.

Before the King is taken: the turns to the King that a player alone would have to expect
afterwards. In the round in which he was taken: the chance to win the final round after each
purchase, or, quicker, to beat the result that took him in one turn. In the final round: the chance
to win it. docs/records.md names what the models take for granted.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Final

from advisor.court.final.solve import FinalRound, Plays
from advisor.court.race.estimates import Estimates
from advisor.court.rules import turn
from advisor.court.rules.cards import KING, QUEEN
from advisor.court.rules.game import Game, Hands
from advisor.court.rules.options import Hand, RuleSet, bought, dice_in_reach
from advisor.court.rules.seats import Seats
from advisor.court.turn.goals import rank_goal
from advisor.court.turn.payoffs import (
    BY_RANK,
    PROBABILITY,
    TURNS,
    Payoff,
    PurchasePayoff,
    RankPayoff,
    sign_of,
    undominated,
)
from advisor.court.turn.playing import Kept, SolvedTurn
from advisor.dice import RANKS, Rank, numbered_rank, rank_number
from advisor.errors import InvalidRecord

RACE, LAST, FINAL = "race", "last purchase", "final round"
"""Kinds of turns: before the King is taken, in the round in which it was, in the final round."""
UNITS: Final = {RACE: TURNS, LAST: PROBABILITY, FINAL: PROBABILITY}

Worths = dict[str | None, float]
"""What each purchase is worth, None being nothing: the larger the better, turns negative."""


def kind_of(game: Game) -> str:
    """Return the kind of the turn that is being played."""
    if game.final:
        return FINAL
    return LAST if game.claimed else RACE


def unit_of(game: Game) -> str:
    """Return the unit of values in the turn that is being played."""
    return UNITS[kind_of(game)]


def can_take(hand: Hand, target: Rank, rules: RuleSet) -> bool:
    """Return whether a hand has dice enough for a result of the final round."""
    return dice_in_reach(hand, rules) >= target[0]


@lru_cache(maxsize=1 << 14)
def beats(hand: Hand, target: Rank, rules: RuleSet, memory: int) -> float:
    """Return a hand's best chance in one turn of a result of at least this rank."""
    if not can_take(hand, target, rules):
        return 0.0
    return SolvedTurn(turn.start(hand, rules), rank_goal(*target), memory).value


class Aims:
    """What the turns of games under one rule set are played for; one serves the next.

    `estimates` of the turns to the King may be those of another rule set. `ranked`: where it is all
    the same, a King among others is taken with the result that is hardest to beat. `quick`: the
    last purchase is for the chance to beat in one turn the result that took the King.
    """

    def __init__(
        self,
        rules: RuleSet,
        memory: int,
        estimates: Estimates,
        *,
        ranked: bool = False,
        quick: bool = False,
    ) -> None:
        self.rules, self.memory, self.estimates = rules, memory, estimates
        self.ranked, self.quick = ranked, quick
        self.kept = Kept()
        self._plays: Plays = {}
        self._round: FinalRound | None = None
        self._now: tuple[Game, Worths] | None = None

    def payoff(self, game: Game) -> Payoff:
        """Return what the results of the turn are worth."""
        if game.final:
            return self._win(game)
        unit, values = unit_of(game), self._values(game)
        sign, stay = sign_of(unit), values[None]
        better = [(key, v) for key, v in values.items() if key and sign * (v - stay) > 0]
        ranked = self.ranked and not game.claimed and len(game.hands) > 1
        by_rank = BY_RANK if ranked else 0.0
        return PurchasePayoff(undominated(better, sign), stay, unit, by_rank)

    def worths(self, game: Game) -> Worths:
        """Return what the purchases at the end of a turn are worth, those on display."""
        sign = sign_of(unit_of(game))
        return {key: sign * value + 0.0 for key, value in self._values(game).items()}

    def _values(self, game: Game) -> Worths:
        """Return the turns left, or the chance, after each purchase; found out once a turn."""
        turn_of = replace(game, turn=None)
        if self._now is None or self._now[0] != turn_of:
            if QUEEN.key in game.hand:
                raise InvalidRecord(
                    "the player owns the Queen, but no final round is recorded: a single turn is "
                    "analysed as part of the race for the King; leave the Queen out"
                )
            self._now = turn_of, self._chances(game) if game.claimed else self._turns(game)
        return self._now[1]

    def _turns(self, game: Game) -> Worths:
        return {
            key: 0.0 if key == KING.key else self.estimates.turns(bought(game.hand, key))
            for key in (None, *game.display)
        }

    # ------------------------------------------------------------ the last purchase

    def _chances(self, game: Game) -> Worths:
        assert game.claimed
        hands = {key: bought(game.hand, key) for key in (None, *game.display)}
        if self.quick:
            target = numbered_rank(rank_number(game.claimed.best) + 1)
            return {k: beats(hand, target, self.rules, self.memory) for k, hand in hands.items()}
        most = max(dice_in_reach(hand, self.rules) for hand in hands.values())
        return {key: self._chance(game, hand, most) for key, hand in hands.items()}

    def _chance(self, game: Game, hand: Hand, most: int) -> float:
        """Return the chance of the seat on turn to win the final round with these cards."""
        assert game.claimed
        seat = game.seat
        hands: Hands = (*game.hands[:seat], hand, *game.hands[seat + 1 :])
        order = replace(game, final=True, done=0).order
        seats = Seats(tuple(hands[each] for each in order), game.claimed.best, len(order) - 1)
        best, place = rank_number(seats.best), order.index(seat)
        round_ = FinalRound(seats, self.rules, (best,), most, place)
        return round_.solve(self.memory, plays=self._plays).win()[place]

    # ------------------------------------------------------------ final round

    def _win(self, game: Game) -> RankPayoff:
        """Return the chance to win with each result."""
        assert game.claimed
        hands = tuple(game.hands[seat] for seat in game.order[game.done :])
        best = rank_number(game.claimed.best)
        if not (self._round and _continues(self._round, hands, best)):
            # Whoever holds the King has rolled, or is the Queen's owner, who rolls last.
            owner = game.claimed.owner == game.claimed.holder
            seats = Seats(hands, game.claimed.best, len(hands) - 1 if owner else None)
            self._round = FinalRound(seats, self.rules, (best,)).solve(self.memory)
        place = len(self._round.seats.hands) - len(hands)
        return self._round.payoff(place, best, self._round.survival[place])


def _continues(solved: FinalRound, hands: tuple[Hand, ...], best: int) -> bool:
    """Return whether a final round is the end of one that was solved."""
    return solved.seats.hands[-len(hands) :] == hands and min(solved.bests) <= best < RANKS
