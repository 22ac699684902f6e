"""The race for the King: the fewest expected turns from a hand, with certified bounds.

A player alone buys at most one card a turn. With h(C) the expected turns from the cards C under
best play and S what the supply still holds,

    h(C) = 1 + E[min of h(C + c) over the affordable c in S, h(C), and 0 for the King]

under the turn play that is best for exactly this worth of results. Purchases only add cards, so
apart from buying nothing the hands form a graph without cycles. A hand that is not expanded has
the bounds 2 - p <= h <= 1/p, p being its best chance of the King in one turn; bounds of expanded
hands follow from those after each purchase. Only hands are expanded that the policy of the lower
bounds reaches from the hand asked for, those that leave most of the interval open first (LAO*).
docs/turns.md has the reasons why every bound is one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import groupby
from math import fsum, inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from advisor.court.advice import Adviser
from advisor.court.cards import BY_KEY, has_use
from advisor.court.exact import relative_error
from advisor.court.goals import pay
from advisor.court.notation import before_first_roll, to_state
from advisor.court.rules import bought
from advisor.court.solver import TIE
from advisor.court.supply import KING, Supply
from advisor.court.turn import TurnState
from advisor.dice import Counts
from advisor.errors import TooLarge
from advisor.multisets import table

Hand = tuple[str, ...]
Shares = dict[str | None, float]
"""Probability of each purchase in a turn, None for buying nothing."""

PASSES: Final = 25
"""Most passes of the turn solver for one fixed point; the bounds hold after each."""
FINEST: Final = 1e-9
"""Widths below this are lost in rounding."""
SLIGHT: Final = 0.2
"""Changes of less than this part of the tolerance are not worth another pass."""
TIES: Final = 32 * TIE
"""What a policy that takes the first of equally good options can lose in a turn."""


@dataclass(frozen=True)
class Outlook:
    """What is to be expected after a turn: the best of the purchases that the result pays for.

    `stay` without a purchase, `after` by card; `sign` -1 for turns, of which fewer are better.
    """

    stay: float
    after: tuple[tuple[str, float], ...]
    sign: int = -1

    def worth(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return the worth of many results, larger being better."""
        return self.sign * self.left(counts)

    def left(self, counts: NDArray[np.int8]) -> NDArray[np.float64]:
        """Return what is expected after each of the results that a turn can have, by id."""
        best = np.full(len(counts), self.stay)
        better = np.minimum if self.sign < 0 else np.maximum
        for key, value in self.after:
            better(best, value, out=best, where=_pays(key, counts))
        return best

    def shares(self, counts: NDArray[np.int8], outcome: NDArray[np.float64]) -> Shares:
        """Return how likely each purchase is, the best one of every result; ties: nothing first."""
        best, free = self.left(counts), outcome.copy()
        stay = best == self.stay
        found: Shares = {None: float(free[stay].sum())}
        free[stay] = 0.0
        for key, value in self.after:
            chosen = _pays(key, counts) & (best == value)
            share = float(free[chosen].sum())
            if share:
                found[key] = share
            free[chosen] = 0.0
        return found


KING_ONLY: Final = Outlook(0.0, ((KING.key, 1.0),), sign=1)
"""The chance of the King in this turn."""


def _pays(key: str, counts: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which results of a turn pay for a card: all multisets beside those set aside."""
    aside = tuple(counts[0].tolist())
    return _paid(key, aside, int(counts[-1].sum()) - sum(aside))


@lru_cache(maxsize=256)
def _paid(key: str, aside: Counts, dice: int) -> NDArray[np.bool_]:
    return pay(BY_KEY[key].cost, table(dice) + np.array(aside, dtype=np.int8))


class Turn:
    """The turn of a hand, solved for any outlooks."""

    def __init__(self, cards: Hand, supply: Supply, memory: int) -> None:
        self.state: TurnState = to_state(before_first_roll(cards, supply.rules), supply.rules)
        self.memory = memory
        self.error = relative_error(self.state)

    def play(self, outlooks: Sequence[Outlook]) -> list[tuple[float, Shares]]:
        """Return for each outlook its expectation under best play and the purchases then."""
        adviser = Adviser(self.state, outlooks, self.memory)
        found = []
        for place, (outlook, value) in enumerate(zip(outlooks, adviser.values(), strict=True)):
            outcome = adviser.outcome(place)
            # The bounds lean on these shares: nothing may be missing.
            assert abs(fsum(outcome) - 1) < FINEST, outcome.sum()
            found.append((outlook.sign * float(value), outlook.shares(adviser.results, outcome)))
        return found

    def values(self, outlooks: Sequence[Outlook]) -> list[float]:
        """Return for each outlook its expectation under best play."""
        values = Adviser(self.state, outlooks, self.memory).values()
        return [o.sign * float(value) for o, value in zip(outlooks, values, strict=True)]


@dataclass
class FixedPoint:
    """The solution x of x = F(x), F(x) = 1 + E[min(x, what purchases give)] under best play.

    F is concave and grows more slowly than x: a tangent gives an upper bound (and the next guess:
    policy iteration), a chord a lower one. F(0) = 1.
    """

    after: tuple[tuple[str, float], ...]
    guess: float
    tolerance: float
    error: float
    lower: float = 1.0
    upper: float = inf
    shares: Shares = field(default_factory=dict)
    best_shares: Shares = field(default_factory=dict)
    """Purchases under the policy that gave the upper bound."""
    left: tuple[float, float] = (0.0, 1.0)
    """A point at or below the solution and how far F is above it there."""

    @property
    def open(self) -> bool:
        """Whether another pass may narrow the bounds."""
        return self.upper - self.lower > self.tolerance

    def outlook(self) -> Outlook:
        """Return what to solve the turn for next."""
        return Outlook(self.guess, self.after)

    def learn(self, expected: float, shares: Shares) -> bool:
        """Take in the expectation at the guess; return whether the guess moved."""
        x, self.shares = self.guess, shares
        # Both signs of rounding, and for the tangent what its policy may lose by ties.
        least = 1 + expected * (1 - self.error) - x
        most = 1 + expected * (1 + self.error) + TIES - x
        if least >= 0:
            self.lower = max(self.lower, x + least)
            self.left = max(self.left, (x, least))
        else:
            a, above = self.left
            self.lower = max(self.lower, (a + (x - a) * above / (above - least)) * (1 - 1e-15))
        stay = shares.get(None, 0.0) + (FINEST if most > 0 else -FINEST)
        root = (x + most / (1 - stay)) * (1 + 1e-15) if stay < 1 else inf
        if root < self.upper:
            self.upper, self.best_shares = root, shares
        # Where nothing is worth buying the tangent says nothing: go on from where something is.
        far = 1 + max((value for _, value in self.after), default=0.0)
        following = self.upper if self.upper < inf else max(x, far)
        self.guess = following
        return following != x


Worths = tuple[tuple[str, float], ...]
"""Turns left after each purchase."""


@dataclass(frozen=True)
class Basis:
    """What bounds were worked out from: turns after each purchase at least and at most, and how
    exactly."""

    low: Worths
    high: Worths
    tolerance: float

    def differs(self, low: Worths, high: Worths, tolerance: float) -> bool:
        """Return whether working it out again could narrow the bounds enough to matter."""
        if tolerance < self.tolerance or len(high) != len(self.high):
            return True
        pairs = zip(self.low + self.high, low + high, strict=True)
        return any(abs(now - then) > SLIGHT * tolerance for (_, then), (_, now) in pairs)


@dataclass
class Node:
    """A hand and what is known of it: bounds of h in turns, chance of the King in one turn."""

    cards: Hand
    lower: float
    upper: float
    king: float
    expanded: bool = False
    shares: Shares = field(default_factory=dict)
    """Purchases of a turn under the policy of the lower bounds; closed: going for the King."""
    play: Shares = field(default_factory=dict)
    """Purchases of a turn under a play that needs at most `upper` turns."""
    as_if: Hand | None = None
    """The smaller hand as which to play for `upper`, if it is not worked out for this one."""
    barred: bool = False
    """Whether the turn is too large for the memory."""
    basis: Basis | None = None
    """What the bounds were worked out from."""

    @property
    def width(self) -> float:
        """The width of the interval in turns."""
        return self.upper - self.lower

    @property
    def rank(self) -> int:
        """A number that grows with every purchase."""
        return len(self.cards) + sum(BY_KEY[key].requires is not None for key in self.cards)


# ---------------------------------------------------------------- work for one or many processes


@dataclass(frozen=True)
class KingTask:
    """Find the best chance of the King in one turn of a hand."""

    cards: Hand
    supply: Supply
    memory: int

    def solve(self) -> tuple[float, float] | TooLarge:
        """Return the chance and its relative error."""
        try:
            turn = Turn(self.cards, self.supply, self.memory)
            return turn.values([KING_ONLY])[0], turn.error
        except TooLarge as problem:
            return problem


@dataclass(frozen=True)
class BoundsTask:
    """Find the fixed points of a hand, given lower and upper bounds after each purchase."""

    cards: Hand
    supply: Supply
    memory: int
    low: tuple[tuple[str, float], ...]
    high: tuple[tuple[str, float], ...]
    guesses: tuple[float, float]
    tolerance: float

    def solve(self) -> Bounds | TooLarge:
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
                found = turn.play([point.outlook() for point in left])
                left = [
                    point
                    for point, (expected, shares) in zip(left, found, strict=True)
                    if point.learn(expected, shares) and point.open
                ]
        except TooLarge as problem:
            return problem
        lower, upper = points
        return Bounds(lower.lower, upper.upper, lower.shares, upper.best_shares, passes)


@dataclass(frozen=True)
class Bounds:
    """What was found: bounds in turns, the purchases of their policies, passes of the solver."""

    lower: float
    upper: float
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


# ---------------------------------------------------------------- the race


Told = Callable[["Solitaire", Node], None]
Known = Callable[[Hand], Node | None]
"""What was found out about a hand before, None if nothing."""


class Solitaire:
    """Races from any hands with one supply; what one question found serves the next."""

    def __init__(
        self,
        supply: Supply,
        memory: int,
        known: Known | None = None,
        floor: Known | None = None,
        spread: Spread = in_turn,
    ) -> None:
        """Take over what is `known` of hands with this supply; `floor` is of a larger supply."""
        self.supply, self.memory = supply, memory
        self.known, self.floor, self.spread = known, floor, spread
        self.nodes: dict[Hand, Node] = {}
        self.passes = 0

    # ------------------------------------------------------------ hands

    def node(self, cards: Hand) -> Node:
        """Return what is known of a hand, cheap bounds at first."""
        if cards not in self.nodes:
            self._meet([cards], in_turn)
        return self.nodes[cards]

    def after(self, node: Node) -> dict[str, Node]:
        """Return the hands after each purchase but the King."""
        keys = self.supply.purchases(node.cards)
        return {key: self.node(bought(node.cards, key)) for key in keys}

    def _meet(self, hands: Iterable[Hand], spread: Spread) -> None:
        """Bound hands that were not met before, by what is known or by going for the King."""
        tasks = []
        for cards in dict.fromkeys(hands):
            if cards in self.nodes:
                continue
            known = self.known(cards) if self.known else None
            needed = self.supply.needed(cards)
            if known:
                self._enter(known)
            elif needed:
                self._enter(_out_of_reach(cards, 1.0 + needed))
            else:
                tasks.append(KingTask(cards, self.supply, self.memory))
        for task, found in spread(tasks):
            self.passes += 1
            if not isinstance(found, TooLarge):
                self._enter(self._closed(task.cards, *found))
            elif self.nodes:
                self._enter(_out_of_reach(task.cards, 1.0, barred=True))
            else:
                raise found

    def _enter(self, node: Node) -> None:
        larger = self.floor(node.cards) if self.floor else None
        if larger:
            # More to buy never costs turns.
            node.lower = max(node.lower, larger.lower)
        self.nodes[node.cards] = node

    def _closed(self, cards: Hand, king: float, error: float) -> Node:
        least, most = king * (1 - error), min(1.0, king * (1 + error))
        shares: Shares = {KING.key: king, None: 1 - king}
        alone = not self.supply.purchases(cards)
        lower = 1 / most if alone else max(1.0, 2 - most)
        return Node(cards, lower, max(1.0, 1 / least), king, shares=shares, play=shares)

    def _expand(self, nodes: Iterable[Node]) -> None:
        """Let the bounds of hands follow from those of the hands after each purchase."""
        chosen = list(nodes)
        purchases = self.supply.purchases
        self._meet(
            (bought(n.cards, key) for n in chosen for key in purchases(n.cards)), self.spread
        )
        for node in chosen:
            node.expanded = True
            self._spare(node)

    def _spare(self, node: Node) -> None:
        """Bound hands by each other: a card that need not be used can be left alone for good."""
        for key, child in self.after(node).items():
            if has_use(key):
                if node.upper < child.upper:
                    child.upper, child.as_if = node.upper, node.cards
                node.lower = max(node.lower, child.lower)

    # ------------------------------------------------------------ bounds

    def _tasks(
        self, nodes: Iterable[Node], tolerance: float, deadline: float
    ) -> Iterator[BoundsTask]:
        for node in nodes:
            if time.monotonic() >= deadline:
                return
            task = self.task(node, tolerance)
            if task:
                yield task

    def task(self, node: Node, tolerance: float) -> BoundsTask | None:
        """Return how to narrow the bounds of an expanded hand, None if nothing has changed."""
        after = self.after(node)
        king = ((KING.key, 0.0),) if node.king else ()
        low = king + tuple((key, child.lower) for key, child in after.items())
        high = king + tuple((key, child.upper) for key, child in after.items() if child.upper < inf)
        if node.basis and not node.basis.differs(low, high, tolerance):
            return None
        node.basis = Basis(low, high, tolerance)
        guess = min(node.upper, 10 + max((value for _, value in high), default=0.0))
        guesses = node.lower, guess
        return BoundsTask(node.cards, self.supply, self.memory, low, high, guesses, tolerance)

    def _take(self, node: Node, found: Bounds) -> None:
        """Take over the bounds that were found."""
        self.passes += found.passes
        node.shares = found.shares
        node.lower = max(node.lower, found.lower)
        if found.upper <= node.upper and found.upper < inf:
            node.upper, node.play, node.as_if = found.upper, found.play, None
        self._spare(node)

    # ------------------------------------------------------------ search

    def solve(
        self,
        cards: Hand,
        width: float,
        deadline: float = inf,
        told: Told = lambda race, node: None,
    ) -> Node:
        """Return a hand with an interval at most `width` turns wide, wider after the deadline.

        `deadline` in seconds of time.monotonic(); `told` hears of the progress.
        """
        self.solve_all([cards], width, deadline, told)
        return self.node(cards)

    def solve_all(
        self,
        hands: Sequence[Hand],
        width: float,
        deadline: float = inf,
        told: Told = lambda race, node: None,
    ) -> None:
        """Make the intervals of many hands at most `width` turns wide, side by side."""
        self._meet(hands, self.spread)
        roots = [self.node(cards) for cards in hands]
        tolerance = max(FINEST, width / 50)
        self._seed([root for root in roots if root.width > width], tolerance)
        while time.monotonic() < deadline:
            roots = [root for root in roots if root.width > width and not root.barred]
            if not roots:
                return
            told(self, roots[0])
            reached = self.reached(*roots)
            chosen = self._most_open(reached, width * len(roots))
            if not chosen and tolerance <= FINEST:
                return
            if not chosen:
                tolerance = max(FINEST, tolerance / 10)
            self._expand(chosen)
            order = [node for node, _ in reversed(reached)]
            self._back_up(order, tolerance, roots, deadline, told)

    def _seed(self, roots: Sequence[Node], tolerance: float) -> None:
        """Expand a line of purchases to the King, so that every upper bound on it is finite."""
        line: dict[Hand, Node] = {}
        for root in roots:
            node = root
            while node.upper == inf and not node.barred and node.cards not in line:
                line[node.cards] = node
                step = self.supply.step_towards_king(node.cards)
                assert step is not None, "the King is out of reach"
                node = self.node(bought(node.cards, step))
        self._expand(line.values())
        order = sorted(line.values(), key=lambda node: -node.rank)
        self._back_up(order, tolerance, roots)

    def reached(self, *roots: Node) -> list[tuple[Node, float]]:
        """Return the hands that the policy reaches with the expected number of turns in each.

        Sorted by rank. A closed hand is passed through once, however long the race stays there.
        """
        turns, order = {root.cards: 1.0 for root in roots}, []
        waiting = [(root.rank, root.cards) for root in roots]
        heapify(waiting)
        while waiting:
            _, cards = heappop(waiting)
            node, entered = self.node(cards), turns[cards]
            leaving = 1 - node.shares.get(None, 0.0)
            often = entered / leaving if node.expanded and leaving > 0 else entered
            order.append((node, often))
            for key, share in node.shares.items() if node.expanded else ():
                if key is not None and key != KING.key:
                    after = bought(cards, key)
                    if after not in turns:
                        heappush(waiting, (self.node(after).rank, after))
                    turns[after] = turns.get(after, 0.0) + often * share
        return order

    def _most_open(self, reached: list[tuple[Node, float]], width: float) -> list[Node]:
        """Return the closed hands to expand so that little of the intervals stays open."""
        tips = [
            (min(node.width, 100.0) * often, node)
            for node, often in reached
            if not (node.expanded or node.barred)
            and node.width > FINEST
            and self.supply.purchases(node.cards)
        ]
        tips.sort(key=lambda tip: -tip[0])
        left = sum(share for share, _ in tips)
        allowed, chosen = max(0.3 * left, 0.5 * width), []
        for share, node in tips:
            if left <= allowed:
                break
            chosen.append(node)
            left -= share
        return chosen

    def _back_up(
        self,
        order: Iterable[Node],
        tolerance: float,
        roots: Sequence[Node],
        deadline: float = inf,
        told: Told = lambda race, node: None,
    ) -> None:
        """Value expanded hands anew, given in the order of falling rank: one rank side by side."""
        for _, same in groupby(order, key=lambda node: node.rank):
            nodes = {node.cards: node for node in same if node.expanded}
            for task, found in self.spread(self._tasks(nodes.values(), tolerance, deadline)):
                node = nodes[task.cards]
                if isinstance(found, Bounds):
                    self._take(node, found)
                elif node is roots[0]:
                    raise found
                else:
                    node.expanded, node.barred = False, True
                told(self, roots[0])


def _out_of_reach(cards: Hand, lower: float, barred: bool = False) -> Node:
    return Node(
        cards, lower, inf, 0.0, shares={None: 1.0}, play={None: 1.0}, barred=barred
    )  # fmt: skip
