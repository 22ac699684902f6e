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
from heapq import heapify, heappop, heappush
from itertools import chain, groupby
from math import inf
from typing import Final

from advisor.court.race.hand import (
    FINEST,
    BoundsTask,
    HandBounds,
    KingTask,
    Spread,
    in_turn,
)
from advisor.court.rules.cards import BY_KEY, KING, has_use
from advisor.court.rules.options import Hand, bought
from advisor.court.rules.supply import Supply
from advisor.court.turn.payoffs import Shares, Values
from advisor.errors import TooLarge
from advisor.intervals import Interval

SLIGHT: Final = 0.2
"""Changes of less than this part of the tolerance are not worth another pass."""


@dataclass(frozen=True)
class Basis:
    """What bounds were worked out from: turns after each purchase at least and at most, and how
    exactly."""

    low: Values
    high: Values
    tolerance: float

    def differs(self, low: Values, high: Values, tolerance: float) -> bool:
        """Return whether working it out again could narrow the bounds enough to matter."""
        if tolerance < self.tolerance or len(high) != len(self.high):
            return True
        pairs = zip(self.low + self.high, low + high, strict=True)
        return any(abs(now - then) > SLIGHT * tolerance for (_, then), (_, now) in pairs)


@dataclass
class Node:
    """A hand and what is known of it: bounds of h in turns, chance of the King in one turn."""

    cards: Hand
    turns: Interval
    king: float
    expanded: bool = False
    shares: Shares = field(default_factory=dict)
    """Purchases of a turn under the policy of the lower bounds; closed: going for the King."""
    play: Shares = field(default_factory=dict)
    """Purchases of a turn under a play that needs at most the upper bound of the turns."""
    as_if: Hand | None = None
    """The smaller hand as which to play for that bound, if it is not worked out for this one."""
    barred: TooLarge | None = None
    """Why the turn cannot be solved, if it is too large for the memory."""
    basis: Basis | None = None
    """What the bounds were worked out from."""

    @property
    def rank(self) -> int:
        """A number that grows with every purchase."""
        return len(self.cards) + sum(BY_KEY[key].requires is not None for key in self.cards)


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

    def _meet(
        self,
        hands: Iterable[Hand],
        spread: Spread,
        deadline: float = inf,
        told: Callable[[], None] = lambda: None,
    ) -> None:
        """Bound hands that were not met before, by what is known or by going for the King."""
        new = [cards for cards in dict.fromkeys(hands) if cards not in self.nodes]
        for task, found in spread(self._meetings(new, deadline)):
            self.passes += 1
            if isinstance(found, TooLarge):
                self._enter(_out_of_reach(task.cards, 1.0, found))
            else:
                self._enter(self._closed(task.cards, *found))
            told()

    def _meetings(self, hands: Iterable[Hand], deadline: float) -> Iterator[KingTask]:
        """Enter the hands that need no work; yield what there is to do for the others."""
        for cards in hands:
            known = self.known(cards) if self.known else None
            needed = 0 if known else self.supply.needed(cards)
            if known:
                self._enter(known)
            elif needed:
                self._enter(_out_of_reach(cards, 1.0 + needed))
            elif time.monotonic() >= deadline:
                return
            else:
                yield KingTask(cards, self.supply, self.memory)

    def _enter(self, node: Node) -> None:
        larger = self.floor(node.cards) if self.floor else None
        if larger:
            # More to buy never costs turns.
            node.turns &= Interval(larger.turns.lower)
        self.nodes[node.cards] = node

    def _closed(self, cards: Hand, king: float, bounds: Interval) -> Node:
        shares: Shares = {KING.key: king, None: 1 - king}
        alone = not self.supply.purchases(cards)
        lower = 1 / bounds.upper if alone else max(1.0, 2 - bounds.upper)
        turns = Interval(lower, max(1.0, 1 / bounds.lower))
        return Node(cards, turns, king, shares=shares, play=shares)

    def _open(
        self, nodes: Sequence[Node], deadline: float = inf, told: Callable[[], None] = lambda: None
    ) -> set[Hand]:
        """Meet the hands after each purchase; return the hands for which all have been met."""
        after = {
            node.cards: [bought(node.cards, key) for key in self.supply.purchases(node.cards)]
            for node in nodes
        }
        self._meet(chain.from_iterable(after.values()), self.spread, deadline, told)
        return {cards for cards, hands in after.items() if all(h in self.nodes for h in hands)}

    def _spare(self, node: Node) -> None:
        """Bound hands by each other: a card that need not be used can be left alone for good."""
        for key, child in self.after(node).items():
            if has_use(key):
                if node.turns.upper < child.turns.upper:
                    child.as_if = node.cards
                    child.turns = Interval(child.turns.lower, node.turns.upper)
                node.turns &= Interval(child.turns.lower)

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
        """Return how to let the bounds follow from the hands after each purchase, None if nothing
        has changed there."""
        after = self.after(node)
        king = ((KING.key, 0.0),) if node.king else ()
        turns = [(key, child.turns) for key, child in after.items()]
        low = king + tuple((key, bounds.lower) for key, bounds in turns)
        high = king + tuple((key, bounds.upper) for key, bounds in turns if bounds.upper < inf)
        if node.basis and not node.basis.differs(low, high, tolerance):
            return None
        node.basis = Basis(low, high, tolerance)
        guess = min(node.turns.upper, 10 + max((value for _, value in high), default=0.0))
        guesses = node.turns.lower, guess
        return BoundsTask(node.cards, self.supply, self.memory, low, high, guesses, tolerance)

    def _take(self, node: Node, found: HandBounds) -> None:
        """Take over the bounds that were found."""
        self.passes += found.passes
        node.expanded, node.shares = True, found.shares
        if found.turns.upper <= node.turns.upper and found.turns.upper < inf:
            node.play, node.as_if = found.play, None
        node.turns &= found.turns
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

        `deadline` in seconds of time.monotonic(); `told` hears of the progress. Raises TooLarge if
        the turn of the hand itself does not fit into the memory.
        """
        self.solve_all([cards], width, deadline, told)
        node = self.node(cards)
        if node.barred and node.turns.width > width:
            raise node.barred
        return node

    def solve_all(
        self,
        hands: Sequence[Hand],
        width: float,
        deadline: float = inf,
        told: Told = lambda race, node: None,
    ) -> None:
        """Make the intervals of many hands at most `width` turns wide, side by side."""
        roots = [self.node(hands[0])]

        def heard() -> None:
            told(self, roots[0])

        self._meet(hands, self.spread, deadline, heard)
        roots = [self.nodes[cards] for cards in hands if cards in self.nodes]
        tolerance = max(FINEST, width / 50)
        self._seed([root for root in roots if root.turns.width > width], tolerance, deadline, heard)
        while time.monotonic() < deadline:
            roots = [root for root in roots if root.turns.width > width and not root.barred]
            if not roots:
                return
            heard()
            reached = self.reached(*roots)
            chosen = self._most_open(reached, width * len(roots))
            if not chosen and tolerance <= FINEST:
                return
            if not chosen:
                tolerance = max(FINEST, tolerance / 10)
            opened = self._open(chosen, deadline, heard)
            order = [node for node, _ in reversed(reached)]
            self._back_up(order, opened, tolerance, deadline, heard)

    def _seed(
        self, roots: Sequence[Node], tolerance: float, deadline: float, told: Callable[[], None]
    ) -> None:
        """Open a line of purchases to the King, so that every upper bound on it is finite.

        The first line whatever the deadline says: some upper bound is always there.
        """
        line: dict[Hand, Node] = {}
        for root in roots:
            node = root
            while node.turns.upper == inf and not node.barred and node.cards not in line:
                line[node.cards] = node
                step = self.supply.step_towards_king(node.cards)
                assert step is not None, "the King is out of reach"
                node = self.node(bought(node.cards, step))
            if time.monotonic() >= deadline:
                break
        order = sorted(line.values(), key=lambda node: -node.rank)
        many = inf if len(roots) == 1 else deadline
        self._back_up(order, self._open(order, many, told), tolerance, many, told)

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
            (min(node.turns.width, 100.0) * often, node)
            for node, often in reached
            if not (node.expanded or node.barred)
            and node.turns.width > FINEST
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
        opened: set[Hand],
        tolerance: float,
        deadline: float,
        told: Callable[[], None],
    ) -> None:
        """Value hands that are expanded or opened now, given in the order of falling rank.

        One rank side by side: no hand of a rank is bought from another one of it.
        """
        for _, same in groupby(order, key=lambda node: node.rank):
            nodes = {n.cards: n for n in same if (n.expanded or n.cards in opened) and not n.barred}
            for task, found in self.spread(self._tasks(nodes.values(), tolerance, deadline)):
                node = nodes[task.cards]
                if isinstance(found, TooLarge):
                    node.barred = found
                else:
                    self._take(node, found)
                told()


def _out_of_reach(cards: Hand, lower: float, barred: TooLarge | None = None) -> Node:
    shares: Shares = {None: 1.0}
    return Node(cards, Interval(lower), 0.0, shares=shares, play=shares, barred=barred)
