"""The final round, exactly: who wins, every player maximising the own chance.

Backward induction over the rank of the best result so far. A player's own turn is a turn like any
other, with "the chance that nobody after me beats this result" as the worth of a result that
beats the best so far. All bests that can matter are goals of one table.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import fsum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from advisor.court.asking import SOLVED
from advisor.court.final.answers import FinalAnswer, FinalKeepAnswer, FinalPlayer
from advisor.court.rules.cards import QUEEN
from advisor.court.rules.notation import Position, before_first_roll, to_state
from advisor.court.rules.options import RuleSet, dice_in_reach
from advisor.court.rules.seats import GONE, Seats
from advisor.court.rules.turn import TurnState
from advisor.court.turn import advice
from advisor.court.turn.payoffs import RankPayoff, rank_numbers
from advisor.dice import RANKS, format_rank, numbered_rank, rank_number
from advisor.errors import TooLarge

Chances = NDArray[np.float64]
Plays = dict[tuple[Any, ...], dict[int, Chances]]
"""Solved turns, to be shared by final rounds that differ in other players' cards."""

WORKERS: Final = 2
CHUNK: Final = 8
"""Goals of one table: the lanes of the kernel, and few enough to stay within memory."""


@dataclass(frozen=True)
class FinalRound:
    """Everything that can happen, for one or several bests at the start (by rank number).

    `results[place][best]` is the probability of each rank that the player reaches by best play
    against that best; a best that the player's dice cannot beat is left out. Of the Queen's owner
    it holds only the chance to match, at the best itself.
    `survival[place]` is the chance that nobody after the player beats a rank.
    `most`: the dice that a player may have, if not those listed (see `Plays`): the one in the
    place `varied`, or everybody.
    """

    seats: Seats
    rules: RuleSet
    bests: tuple[int, ...]
    most: int = 0
    varied: int | None = None
    results: list[dict[int, Chances]] = field(default_factory=list)
    survival: list[Chances] = field(default_factory=list)

    # ------------------------------------------------------------ backward

    def solve(
        self, memory: int, first: TurnState | None = None, plays: Plays | None = None
    ) -> FinalRound:
        """Fill in the plays, from the Queen's owner back to the first; return the round itself.

        `first`: where the first player stands, if not before the first roll.
        """
        survival = np.ones(RANKS)
        for place in range(self.seats.last, -1, -1):
            state = first if first and place == 0 else self._start(place)
            known = {} if plays is None else plays
            key = (place == self.seats.last, state, *self._matter(place), survival.tobytes())
            if key not in known:
                known[key] = self._play(place, state, survival, memory)
            found = known[key]
            self.results.insert(0, found)
            self.survival.insert(0, survival)
            beaten = np.zeros(RANKS)
            for best, results in found.items():
                beaten[best] = fsum(results[self.least(place, best) :])
            survival = survival * np.maximum(1 - beaten, 0.0)
        return self

    def _start(self, place: int) -> TurnState:
        return to_state(before_first_roll(self.seats.hands[place], self.rules), self.rules)

    def least(self, place: int, best: int) -> int:
        """Return the lowest rank number that takes the King over: the Queen's owner may match."""
        return best + (place != self.seats.last)

    def payoff(self, place: int, best: int, survival: Chances) -> RankPayoff:
        """Return what a player wants who rolls against this best result."""
        least = self.least(place, best)
        chances = np.where(np.arange(RANKS) >= least, survival, 0.0)
        if place == self.seats.holder != self.seats.last and best in self.bests:
            chances[:least] = survival[best]
        return RankPayoff(tuple(chances.tolist()), numbered_rank(least), wins=True)

    def _matter(self, place: int) -> list[int]:
        """Return the bests against which this player may have to roll and can succeed."""
        dice = [dice_in_reach(hand, self.rules) for hand in self.seats.hands]
        most = [
            max(number, self.most) if self.varied in (None, each) else number
            for each, number in enumerate(dice)
        ]
        earlier = max((6 * number + 5 for number in most[:place]), default=0)
        bests = {*range(min(self.bests) + 1, earlier + 1)}
        # The Queen's owner does not roll while the King is still there.
        if place != self.seats.last or self.seats.holder != place:
            bests |= {*self.bests}
        return sorted(b for b in bests if self.least(place, b) <= 6 * dice[place] + 5)

    def _play(
        self, place: int, state: TurnState, survival: Chances, memory: int
    ) -> dict[int, Chances]:
        bests = self._matter(place)
        try:
            found = self._in_chunks(place, state, survival, bests, memory, CHUNK, WORKERS)
        except TooLarge:
            found = self._in_chunks(place, state, survival, bests, memory, 1, 1)
        return dict(zip(bests, found, strict=True))

    def _in_chunks(
        self,
        place: int,
        state: TurnState,
        survival: Chances,
        bests: Sequence[int],
        memory: int,
        size: int,
        workers: int,
    ) -> list[Chances]:
        """Return the results against each best, `size` of them to a table."""

        def work(chunk: Sequence[int]) -> list[Chances]:
            payoffs = [self.payoff(place, best, survival) for best in chunk]
            adviser = advice.Adviser(state, payoffs, memory // workers)
            if place == self.seats.last:
                return [_at(b, v) for b, v in zip(chunk, adviser.values(), strict=True)]
            least = np.array([[self.least(place, best)] for best in chunk])
            adviser.table.wanted = (rank_numbers(adviser.results) >= least).astype(float)
            return [_by_rank(adviser, number) for number in range(len(chunk))]

        chunks = [bests[i : i + size] for i in range(0, len(bests), size)]
        if workers == 1 or len(chunks) == 1:
            return [results for chunk in chunks for results in work(chunk)]
        pool = ThreadPoolExecutor(workers)
        try:
            return [results for part in pool.map(work, chunks) for results in part]
        finally:
            pool.shutdown(cancel_futures=True)

    # ------------------------------------------------------------ forward

    def win(self, best: int | None = None) -> list[float]:
        """Return each player's chance to win, and at the end that of a holder who has rolled."""
        where = {(self.bests[0] if best is None else best, self.seats.holder): 1.0}
        for place in range(len(self.seats.hands)):
            where = self._after(place, where)
        players = [*range(len(self.seats.hands)), None]
        return [fsum(p for (_, holder), p in where.items() if holder == who) for who in players]

    def _after(
        self, place: int, where: dict[tuple[int, int | None], float]
    ) -> dict[tuple[int, int | None], float]:
        """Return the probability of each (best, holder) after a player's turn."""
        after: dict[tuple[int, int | None], float] = defaultdict(float)
        for (best, holder), share in where.items():
            results = self.results[place].get(best)
            if results is None or place == holder == self.seats.last:
                after[best, holder] += share
                continue
            least = self.least(place, best)
            after[best, holder] += share * fsum(results[:least])
            for rank in map(int, np.flatnonzero(results[least:]) + least):
                after[rank, place] += share * float(results[rank])
        return after


def _at(best: int, chance: float) -> Chances:
    results = np.zeros(RANKS)
    results[best], results[0] = chance, 1 - chance
    return results


def _by_rank(adviser: advice.Adviser, goal: int) -> Chances:
    """Return the probability of each rank; results that do not matter stand at rank number 0."""
    outcome = adviser.outcome(goal)
    found = np.bincount(rank_numbers(adviser.results), outcome, RANKS).astype(np.float64)
    found[0] += max(0.0, 1 - fsum(found))
    return found


# ---------------------------------------------------------------- answers


def answer(
    seats: Seats,
    rules: RuleSet,
    memory: int,
    position: Position | None = None,
    every: bool = False,
    language: str = "en",
) -> FinalAnswer:
    """Return the answer of `advisor final`; with a position also what its player should do now."""
    best = rank_number(seats.best)
    first = to_state(position, rules) if position else None
    round_ = FinalRound(seats, rules, (best,)).solve(memory, first)
    answer = FinalAnswer(
        rules=rules.name,
        best=format_rank(seats.best),
        holder=seats.shown_holder(),
        players=tuple(_rows(seats, round_.win())),
        source=SOLVED,
    )
    if position is None:
        return answer
    goal = round_.payoff(0, best, round_.survival[0])
    kept = advice.keep(position, rules, goal, memory, every, language)
    # No card is bought in the final round.
    return FinalKeepAnswer.from_dict(kept.to_dict() | answer.to_dict())


def _rows(seats: Seats, chances: Sequence[float]) -> Iterator[FinalPlayer]:
    for place, (hand, chance) in enumerate(zip(seats.hands, chances, strict=False)):
        yield FinalPlayer(
            player=place + 1,
            cards=tuple(key for key in hand if key != QUEEN.key),
            queen=place == seats.last,
            win=chance,
        )
    if seats.holder is None:
        yield FinalPlayer(player=GONE, cards=(), queen=False, win=chances[-1])
