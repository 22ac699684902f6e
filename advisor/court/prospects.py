"""What a turn of a recorded game is played for: the worth of its results, fixed for the turn.

Before the King is taken: the turns to the King that a player alone would have to expect
afterwards, with the sign turned. Afterwards: the chance to win the final round. docs/records.md
names what the models take for granted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.court import race_tables
from advisor.court.cards import BY_KEY, has_use
from advisor.court.final_round import FinalRound, Plays
from advisor.court.game import Game, Hands
from advisor.court.goals import Worth, pay
from advisor.court.race_tables import RaceTable
from advisor.court.rules import RULEBOOK, RuleSet, bought, dice_in_reach
from advisor.court.seats import KING, QUEEN, Seats
from advisor.court.solitaire import Hand, Node, Solitaire
from advisor.court.supply import full_supply
from advisor.dice import rank_number
from advisor.errors import InvalidRecord, MissingTable, TableProblem, TooLarge

RACE, LAST, FINAL = "race", "last purchase", "final round"
"""Kinds of turns: before the King is taken, in the round in which it was, in the final round."""
UNITS: Final = {RACE: "turns", LAST: "probability", FINAL: "probability"}

ENOUGH: Final = 0.02
"""How narrow the interval of a hand is narrow enough, in turns."""
WIDE: Final = 100.0

Worths = dict[str | None, float]
Known = tuple[RaceTable, RuleSet]


@dataclass(frozen=True)
class Purchases:
    """The worth of the best purchase that a result pays for; None: buying nothing."""

    worths: Worths

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the worth of many results, larger being better."""
        best = np.full(counts.shape[:-1], self.worths[None])
        for key, value in self.worths.items():
            if key is not None:
                np.maximum(best, value, out=best, where=pay(BY_KEY[key].cost, counts))
        return best


@dataclass(frozen=True)
class Aim:
    """What a turn is played for; `worths` of the purchases at its end, none in the final round."""

    kind: str
    goal: Worth
    worths: Worths = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """The unit of its values: minus so many turns, or a probability."""
        return UNITS[self.kind]


class Prospects:
    """The aims of the turns of games under one rule set; what one turn found out serves the next.

    `known`: a table of the race, and the rule set that it holds for, which may be another one.
    `budget`: seconds a turn for hands that it does not know.
    """

    def __init__(self, rules: RuleSet, memory: int, known: Known | None, budget: float) -> None:
        self.rules, self.memory, self.budget = rules, memory, budget
        self.known = known
        table, valued = known or (None, rules)
        self.race = Solitaire(full_supply((), valued), memory, known=table)
        self.plays: Plays = {}

    def aim(self, game: Game) -> Aim:
        """Return what the turn of a game is played for."""
        if game.final:
            return self._final(game)
        if QUEEN in game.hand:
            raise InvalidRecord(
                "the player owns the Queen, but no final round is recorded: a single turn is "
                "analysed as part of the race for the King; leave the Queen out"
            )
        return self._last(game) if game.claimed else self._race(game)

    # ------------------------------------------------------------ the race

    def _race(self, game: Game) -> Aim:
        hand = game.hand
        here = self._settled(hand)
        after = {key: self._after(hand, key, here) for key in game.display if key != KING}
        # A card that need not be used never costs turns.
        free = [node.lower for key, node in after.items() if has_use(key)]
        stay = max(here.lower, *free) if free else here.lower
        worths: Worths = {None: -(stay + here.upper) / 2}
        for key in game.display:
            worths[key] = 0.0 if key == KING else -(after[key].lower + after[key].upper) / 2
        return Aim(RACE, Purchases(worths), worths)

    def _settled(self, hand: Hand) -> Node:
        """Return a hand with finite bounds, as narrow as the budget allows."""
        node = self.race.node(hand)
        if node.width > ENOUGH:
            node = self.race.solve(hand, ENOUGH, time.monotonic() + self.budget)
        if node.upper == inf:
            raise TooLarge(f"hands after {', '.join(hand)} are too large: raise --memory")
        return node

    def _after(self, hand: Hand, key: str, here: Node) -> Node:
        """Return the bounds of the hand after a purchase, as a node of their own."""
        node = self.race.node(bought(hand, key))
        if node.upper == inf and not has_use(key):
            node = self.race.solve(node.cards, WIDE, time.monotonic())
        upper = min(node.upper, here.upper) if has_use(key) or node.upper == inf else node.upper
        return replace(node, lower=min(node.lower, upper), upper=upper)

    # ------------------------------------------------------------ after the King was taken

    def _last(self, game: Game) -> Aim:
        """Return the aim of a turn after which only the final round follows."""
        most = max(
            dice_in_reach(bought(game.hand, key), self.rules) for key in (None, *game.display)
        )
        worths: Worths = {
            key: self._chance(game, bought(game.hand, key), most) for key in (None, *game.display)
        }
        return Aim(LAST, Purchases(worths), worths)

    def _chance(self, game: Game, hand: Hand, most: int) -> float:
        """Return the chance of the seat on turn to win the final round with these cards."""
        assert game.claimed
        seat = game.seat
        hands: Hands = (*game.hands[:seat], hand, *game.hands[seat + 1 :])
        order = replace(game, final=True, done=0).order
        seats = Seats(tuple(hands[each] for each in order), game.claimed.best, len(order) - 1)
        best = rank_number(seats.best)
        round_ = FinalRound(seats, self.rules, (best,), most).solve(self.memory, plays=self.plays)
        return round_.win()[order.index(seat)]

    def _final(self, game: Game) -> Aim:
        assert game.claimed
        rolling = game.order[game.done :]
        holder = game.claimed.holder
        seats = Seats(
            tuple(game.hands[seat] for seat in rolling),
            game.claimed.best,
            rolling.index(holder) if holder in rolling else None,
        )
        best = rank_number(seats.best)
        round_ = FinalRound(seats, self.rules, (best,)).solve(self.memory)
        return Aim(FINAL, round_.goal(0, best, round_.survival[0]))


def table(
    folders: Sequence[Path | None], rules: RuleSet, warn: Callable[[str], None]
) -> Known | None:
    """Return a table of the race from the first folder that has one, None if none has.

    For want of one for the rule set that of the rulebook, with which it shares all but details.
    """
    for wanted in dict.fromkeys((rules, RULEBOOK)):
        for folder in folders:
            if folder is None or not folder.is_dir():
                continue
            try:
                return race_tables.probe(folder, wanted), wanted
            except MissingTable:
                continue
            except TableProblem as problem:
                warn(f"{problem}; analysed without it")
    return None
