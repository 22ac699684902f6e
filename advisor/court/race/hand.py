"""What a turn on the way to the King is worth, and how long a race takes whose every turn is it.

A hand, and the turns left after each purchase, bounded from both sides: that is a task which any
process can solve. docs/turns.md has the reasons why every bound is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import fsum, inf
from typing import Any, Final

from advisor.court.rules.cards import KING
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import Hand
from advisor.court.rules.supply import Supply
from advisor.court.rules.turn import TurnState
from advisor.court.turn.advice import Adviser
from advisor.court.turn.exact import relative_error
from advisor.court.turn.payoffs import TURNS, PurchasePayoff, Shares, Values
from advisor.errors import TooLarge
from advisor.intervals import Interval
from advisor.ties import TIE

PASSES: Final = 25
"""Most passes of the turn solver for one fixed point; the bounds hold after each."""
FINEST: Final = 1e-9
"""Widths below this are lost in rounding."""
ROUNDING: Final = 1e-15
"""More than the relative error of a few operations."""
A_TURN: Final = Interval(1.0)
"""What every race takes at least."""
TIES: Final = 32 * TIE
"""What a policy that takes the first of equally good options can lose in a turn."""


KING_ONLY: Final = PurchasePayoff(((KING.key, 1.0),))
"""The chance of the King in this turn."""


class Turn:
    """The turn of a hand, solved for any payoffs."""

    def __init__(self, cards: Hand, supply: Supply, memory: int) -> None:
        self.state: TurnState = to_state(before_first_roll(cards, supply.rules), supply.rules)
        self.memory = memory
        self.error = relative_error(self.state)

    def play(self, payoffs: Sequence[PurchasePayoff]) -> list[tuple[float, Shares]]:
        """Return for each payoff its expectation under best play and the purchases then."""
        adviser = Adviser(self.state, payoffs, self.memory)
        found = []
        for place, (payoff, value) in enumerate(zip(payoffs, adviser.values(), strict=True)):
            outcome = adviser.outcome(place)
            # The bounds lean on these shares: nothing may be missing.
            assert abs(fsum(outcome) - 1) < FINEST, outcome.sum()
            found.append((payoff.sign * float(value), payoff.shares(adviser.results, outcome)))
        return found

    def values(self, payoffs: Sequence[PurchasePayoff]) -> list[float]:
        """Return for each payoff its expectation under best play."""
        values = Adviser(self.state, payoffs, self.memory).values()
        return [p.sign * float(value) for p, value in zip(payoffs, values, strict=True)]


@dataclass
class FixedPoint:
    """The solution x of x = F(x), F(x) = 1 + E[min(x, what purchases give)] under best play.

    F is concave and grows more slowly than x: a tangent gives an upper bound (and the next guess:
    policy iteration), a chord a lower one. F(0) = 1.
    """

    after: Values
    guess: float
    tolerance: float
    error: float
    turns: Interval = A_TURN
    shares: Shares = field(default_factory=dict)
    best_shares: Shares = field(default_factory=dict)
    """Purchases under the policy that gave the upper bound."""
    left: tuple[float, float] = (0.0, 1.0)
    """A point at or below the solution and how far F is above it there."""

    @property
    def open(self) -> bool:
        """Whether another pass may narrow the bounds."""
        return self.turns.width > self.tolerance

    def payoff(self) -> PurchasePayoff:
        """Return what to solve the turn for next."""
        return PurchasePayoff(self.after, self.guess, TURNS)

    def learn(self, expected: float, shares: Shares) -> bool:
        """Take in the expectation at the guess; return whether the guess moved."""
        x, self.shares = self.guess, shares
        # Both signs of rounding, and for the tangent what its policy may lose by ties.
        value = Interval.of(expected, expected, self.error)
        least, most = 1 + value.lower - x, 1 + value.upper + TIES - x
        if least >= 0:
            self.turns &= Interval(x + least)
            self.left = max(self.left, (x, least))
        else:
            a, above = self.left
            self.turns &= Interval.of(a + (x - a) * above / (above - least), inf, ROUNDING)
        stay = shares.get(None, 0.0) + (FINEST if most > 0 else -FINEST)
        root = Interval.of(1.0, x + most / (1 - stay) if stay < 1 else inf, ROUNDING)
        if root.upper < self.turns.upper:
            self.turns &= root
            self.best_shares = shares
        # Where nothing is worth buying the tangent says nothing: go on from where something is.
        far = 1 + max((value for _, value in self.after), default=0.0)
        following = self.turns.upper if self.turns.upper < inf else max(x, far)
        self.guess = following
        return following != x


# ---------------------------------------------------------------- work for one or many processes


@dataclass(frozen=True)
class KingTask:
    """Find the best chance of the King in one turn of a hand."""

    cards: Hand
    supply: Supply
    memory: int

    def solve(self) -> tuple[float, Interval] | TooLarge:
        """Return the chance and its bounds."""
        try:
            turn = Turn(self.cards, self.supply, self.memory)
            (chance,) = turn.values([KING_ONLY])
            return chance, Interval.of(chance, chance, turn.error) & Interval(0.0, 1.0)
        except TooLarge as problem:
            return problem


@dataclass(frozen=True)
class BoundsTask:
    """Find the fixed points of a hand, given lower and upper bounds after each purchase."""

    cards: Hand
    supply: Supply
    memory: int
    low: Values
    high: Values
    guesses: tuple[float, float]
    tolerance: float

    def solve(self) -> HandBounds | TooLarge:
        """Return the fixed points found side by side, those that are still open in one pass."""
        try:
            turn = Turn(self.cards, self.supply, self.memory)
            points = [
                FixedPoint(after, guess, self.tolerance, turn.error)
                for after, guess in zip((self.low, self.high), self.guesses, strict=True)
            ]
            # Without any purchase that is known to end nothing bounds the turns from above.
            left, passes = points if self.high else points[:1], 0
            while left and passes < PASSES:
                passes += 1
                found = turn.play([point.payoff() for point in left])
                left = [
                    point
                    for point, (expected, shares) in zip(left, found, strict=True)
                    if point.learn(expected, shares) and point.open
                ]
        except TooLarge as problem:
            return problem
        lower, upper = points
        turns = Interval(lower.turns.lower, upper.turns.upper)
        return HandBounds(turns, lower.shares, upper.best_shares, passes)


@dataclass(frozen=True)
class HandBounds:
    """What was found: bounds of the turns, the purchases of their policies, the solver's passes."""

    turns: Interval
    shares: Shares
    play: Shares
    passes: int


Task = KingTask | BoundsTask
Spread = Callable[[Iterable[Any]], Iterator[tuple[Any, Any]]]
"""Solves tasks in any order, in this process or in others; gives each with its result."""


def in_turn(tasks: Iterable[Task]) -> Iterator[tuple[Task, Any]]:
    """Solve tasks in this process, one after the other."""
    return ((task, task.solve()) for task in tasks)


def solve_task(task: Task) -> Any:
    """Solve one task; runs in workers."""
    return task.solve()
