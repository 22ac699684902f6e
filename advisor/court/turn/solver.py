"""From a turn state to a table of values: lays the rules out as arrays and calls the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor import KERNEL_REVISION, _kernel, dice
from advisor.court.rules.cards import BY_KEY, Ability, AddPips, BringIn, CopyAside, Reroll, SetValue
from advisor.court.rules.turn import Effect, TurnState
from advisor.court.turn import layout
from advisor.court.turn.payoffs import Payoff
from advisor.dice import Counts
from advisor.errors import TooLarge
from advisor.multisets import MAX_DICE, SIZES, ids, of_size, space, table, weights
from advisor.units import show_bytes

Values = NDArray[np.float64]

if _kernel.REVISION != KERNEL_REVISION:
    raise ImportError(
        f"the compiled kernel is of revision {_kernel.REVISION}, the program of {KERNEL_REVISION}: "
        "install again with 'pip install .'"
    )


class Stored(NamedTuple):
    """Values of a whole turn, one goal a row, and the state before its first roll."""

    root: TurnState
    values: Values


class TurnTable:
    """The values of a turn from one state on, for one or several goals at once.

    Multisets set aside are those since that state; what lay aside before is part of every result.
    Values are arrays with one entry a goal, in the goal's unit, exact but for rounding in float64.
    The graph begins at the state itself, or, where values were stored, at the start of its turn.
    """

    def __init__(
        self, state: TurnState, goals: Sequence[Payoff], memory: int, stored: Stored | None = None
    ) -> None:
        self.state, self.goals = state, tuple(goals)
        if stored is None:
            check_memory(state, len(self.goals), memory)
            self.root, self.since = state, dice.NONE
        else:
            self.root, self.since = stored.root, state.aside
        self.cards = self.root.unused
        self._asides: dict[Counts, tuple[NDArray[np.int64], Values]] = {}
        self.graph = _graph(self.root, sum(self.since))
        self.results = table(self.graph.most_dice) + np.array(self.root.aside, dtype=np.int8)
        self.values = self._solve() if stored is None else stored.values
        self.wanted: Values | None = None
        """By goal and result, 0 where `follow_*` may leave the result out; None: nowhere."""

    def at(self, state: TurnState) -> TurnTable:
        """Return the table of a later state of the same turn, with the same values and graph."""
        found = copy(self)
        found.state, found.since = state, dice.minus(state.aside, self.root.aside)
        found._asides = {}
        found.__dict__.pop("_root", None)
        return found

    def _solve(self) -> Values:
        utilities = np.stack([goal.worth(self.results) for goal in self.goals])
        # Only a roll of all the root's dice needs the value of having set none of them aside.
        rolls_all = self.root.falling > 0 or self.root.may_roll
        return self.graph.solve(utilities, 0 if rolls_all else 1)

    def _id(self, aside: Counts) -> int:
        return _id(dice.plus(self.since, aside))

    # ------------------------------------------------------------ values

    def mask(self, unused: Sequence[str]) -> int:
        """Return the set number of unused cards."""
        return sum(1 << place for place, key in enumerate(self.cards) if key in unused)

    def rolled(self, aside: Counts, unused: Sequence[str]) -> Values:
        """Return the values before the roll with `aside` set aside since the root.

        With all dice set aside there is no roll: the worth of the result.
        """
        return self.values[:, self.graph.offsets[self.mask(unused)] + self._id(aside)]

    def rolled_all(self, asides: NDArray[np.int8], unused: Sequence[str]) -> Values:
        """Return `rolled` for many multisets set aside: shape (goals, multisets)."""
        since = np.array(self.since, dtype=np.int8)
        return self.values[:, self.graph.offsets[self.mask(unused)] + ids(since + asides)]

    def node(self, active: Counts, unused: Sequence[str], aside: Counts = dice.NONE) -> Values:
        """Return the values of a decision node: at the root, or with one die set aside since."""
        begin, found = self._root if aside == dice.NONE else self._after(aside)
        return found[:, begin[self.mask(unused)] + _rank(active)]

    def rerolled(self, active: Counts, effect: Effect, unused: Sequence[str]) -> Values:
        """Return the values of re-rolling `effect.take` at the root, before the dice fall."""
        begin, found = self._root
        rows, share = self._fallen(active, effect)
        return found[:, begin[self.mask(unused)] + rows] @ share

    def opening(self, unused: Sequence[str]) -> Values:
        """Return the values before the first roll where cards may be used before it."""
        usable = [key for key in unused if isinstance(BY_KEY[key].ability, BringIn)]
        found = self.rolled(dice.NONE, unused)
        for key in usable:
            rest = tuple(other for other in unused if other != key)
            if self.graph.offsets[self.mask(rest)] >= 0:
                found = np.maximum(found, self.opening(rest))
        return found

    @cached_property
    def _root(self) -> tuple[NDArray[np.int64], Values]:
        return self._nodes(dice.NONE, self.state.may_roll)

    def _after(self, aside: Counts) -> tuple[NDArray[np.int64], Values]:
        if aside not in self._asides:
            self._asides[aside] = self._nodes(aside, True)
        return self._asides[aside]

    def _nodes(self, aside: Counts, may_roll: bool) -> tuple[NDArray[np.int64], Values]:
        unused = self.mask(self.state.unused)
        return self.graph.nodes(self.values, self._id(aside), may_roll, unused)

    def _fallen(self, active: Counts, effect: Effect) -> tuple[NDArray[np.int64], Values]:
        """Return the ranks of the active dice after a re-roll and their probabilities."""
        kept = np.array(dice.minus(active, effect.take), dtype=np.int8)
        falling = of_size(effect.reroll)
        share = weights(effect.reroll)[SIZES[effect.reroll] :] / 6.0**effect.reroll
        return (ids(kept + falling) - SIZES[sum(active)]).astype(np.int64), share

    # ------------------------------------------------------------ outcomes under the policy

    def follow_roll(self, aside: Counts, unused: Sequence[str], goal: int = 0) -> Values:
        """Return the probability of each result (see `results`) from a roll on.

        Play is best for one goal, given by its place; of equally good options the first is taken.
        """
        return self._follow(unused, aside, goal=goal)

    def follow_node(
        self,
        active: Counts,
        unused: Sequence[str],
        aside: Counts = dice.NONE,
        may_roll: bool = False,
        goal: int = 0,
    ) -> Values:
        """Return the probability of each result from a decision node on."""
        ranks = np.array([_rank(active)], dtype=np.int64)
        return self._follow(unused, aside, ranks, np.ones(1), may_roll, goal)

    def follow_reroll(
        self,
        active: Counts,
        effect: Effect,
        unused: Sequence[str],
        may_roll: bool,
        goal: int = 0,
    ) -> Values:
        """Return the probability of each result from the re-roll of a card on."""
        return self._follow(unused, dice.NONE, *self._fallen(active, effect), may_roll, goal)

    def _follow(
        self,
        unused: Sequence[str],
        aside: Counts,
        nodes: NDArray[np.int64] | None = None,
        shares: Values | None = None,
        may_roll: bool = False,
        goal: int = 0,
    ) -> Values:
        sizes = range(1, self.graph.most_dice - sum(self.since) + 1)
        set_asides = [None, *(layout.set_asides(n) for n in sizes)]
        uses = [[None, *(_uses(BY_KEY[key].ability, n) for n in sizes)] for key in self.cards]
        found: Values = self.graph.follow(
            self.values[goal],
            set_asides,
            uses,
            self.mask(unused),
            self._id(aside),
            np.zeros(0, dtype=np.int64) if nodes is None else nodes,
            np.zeros(0) if shares is None else shares,
            may_roll,
            None if self.wanted is None else self.graph.hope(self.wanted[goal : goal + 1])[0],
        )
        return found


def _id(aside: Counts) -> int:
    return int(ids(np.array(aside, dtype=np.int8)))


def _rank(active: Counts) -> int:
    return int(_id(active) - SIZES[sum(active)])


def _graph(state: TurnState, since: int = 0) -> _kernel.TurnGraph:
    """Return the kernel's graph; it depends on numbers of dice, faces aside and cards only.

    Where `since` dice are set aside for good, only what can be done with the others is laid out.
    """
    root_dice = sum(state.active) + state.falling
    brought = sum(isinstance(BY_KEY[key].ability, BringIn) for key in state.unused)
    most = min(root_dice + brought, state.dice_limit - sum(state.aside))
    faces = sum(1 << face for face in range(6) if state.aside[face])
    return _build(root_dice, most, max(most - since, 0), faces, state.unused)


@lru_cache(maxsize=4)
def _build(
    root_dice: int, most: int, active: int, faces: int, unused: tuple[str, ...]
) -> _kernel.TurnGraph:
    abilities = [BY_KEY[key].ability for key in unused]
    brings = sum(1 << place for place, a in enumerate(abilities) if isinstance(a, BringIn))
    cards = [_card(ability, most, active) for ability in abilities]
    return _kernel.TurnGraph(root_dice, most, brings, faces, cards, space(most))


def _card(ability: Ability, most: int, active: int) -> tuple[int, int, list[Any]]:
    """Return (kind, limit, moves) of a card, the moves by number of active dice."""
    match ability:
        case Reroll(limit):
            return _kernel.REROLL, limit or most, []
        case CopyAside():
            return _kernel.COPY, 0, []
        case SetValue():
            return _kernel.SET, 0, []
        case AddPips((pips,), None):
            return _kernel.RAISE, pips, []
    last = active - isinstance(ability, BringIn)
    return _kernel.MOVE, 0, [None, *(layout.moves(ability, n) for n in range(1, last + 1))]


def _uses(ability: Ability, active: int) -> Any:
    """Return the uses of a card in their order, as the kernel wants them; None if it has them."""
    match ability:
        case Reroll():
            return layout.rerolls(ability, active)
        case CopyAside():
            return layout.copies(active)
        case SetValue() | AddPips((_,), None):
            return layout.moves(ability, active)
    return None


def memory_of(state: TurnState, goals: int) -> int:
    """Return the bytes that solving a state for so many goals takes, without laying it out."""
    nothing_laid_out = MAX_DICE
    return _graph(state, nothing_laid_out).memory(goals)


def check_memory(state: TurnState, goals: int, memory: int) -> None:
    """Raise TooLarge if solving needs more than `memory` bytes, saying what would fit."""
    needed = memory_of(state, goals)
    if needed <= memory:
        return
    most = len(state.unused)
    sizes = (memory_of(replace(state, unused=state.unused[:n]), 1) for n in range(most + 1))
    fits = sum(size <= memory for size in sizes) - 1
    advice = "raise --memory"
    if 0 <= fits < most:
        advice += f", or ask with at most {fits} of the {most} unused cards"
    if goals > 1:
        advice += ", or ask for one goal at a time"
    raise TooLarge(
        f"the question needs about {show_bytes(needed)} of memory and may take "
        f"{show_bytes(memory)}: {advice}"
    )
