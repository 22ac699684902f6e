"""Turns played well and fast: solved once for what results are worth, then looked up at each roll.

`SolvedTurn.steps` takes the same option as `advice.best` of all options, but works out no more
options than it needs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor import dice
from advisor.court.rules.turn import Roll, SetAside, Step, TurnState, Use
from advisor.court.turn.advice import Adviser, Option, best
from advisor.court.turn.payoffs import Payoff
from advisor.court.turn.solver import Stored
from advisor.dice import NONE, Counts
from advisor.ties import TIE

MEMORY: Final = 1 << 32
"""Bytes that one turn may take to be solved."""

KEPT: Final = 192 << 20
"""Bytes of solved turns that a process keeps."""


class SolvedTurn:
    """Best play of a turn from its start for one worth of results."""

    def __init__(self, root: TurnState, worth: Payoff, memory: int = MEMORY) -> None:
        start = Adviser(root, [worth], memory)
        self.value = float(start.values()[0])
        """What the turn is worth before the first roll."""
        self.worth, self.memory = worth, memory
        self.stored = Stored(root, start.table.values)
        self._start: Adviser | None = start
        self._adviser: Adviser | None = None

    @property
    def size(self) -> int:
        """The bytes that are kept."""
        return int(self.stored.values.nbytes)

    def steps(self, state: TurnState) -> tuple[Step, ...]:
        """Return the next steps of best play, up to the next roll or the use of a card."""
        return taken(self.option(state), state)

    def option(self, state: TurnState) -> Option:
        """Return the best option of a state of the turn in which a decision is due."""
        adviser = self._at(state)
        if state.opening:
            return best(adviser.options(state))
        least = adviser.table.node(state.active, state.unused)[0] - TIE
        found = self._set_aside(adviser, state, least)
        if found is None:
            others = adviser.others(state)
            found = next((option for option in others if option.values[0] >= least), None)
        # Rounding may hide the best one from a bound this sharp.
        return found or best(adviser.options(state))

    def _at(self, state: TurnState) -> Adviser:
        """Return the adviser of the roll that a state belongs to, the last one while it fits."""
        if self._adviser is None or not _same_roll(self._adviser.root, state):
            if self._start is None:
                self._start = Adviser(self.stored.root, [self.worth], self.memory, self.stored)
            self._adviser = self._start.at(state)
        return self._adviser

    def rest(self) -> None:
        """Forget all but the values: the rest takes more memory and is soon made again."""
        self._start = self._adviser = None

    def _set_aside(self, adviser: Adviser, state: TurnState, least: float) -> Option | None:
        """Return the first best option that sets dice aside, None if others are better."""
        parts = _parts(state.active)
        values = adviser.table.rolled_all(parts, state.unused)[0]
        good = np.flatnonzero(values >= least)
        if not len(good):
            return None
        part = tuple(parts[good[0]].tolist())
        return Option("set_aside", values[good[:1]], part, rolls=sum(state.active) - sum(part))


def _same_roll(root: TurnState, state: TurnState) -> bool:
    """Return whether only cards were used between two states."""
    if root.falling or state.opening:
        return False
    same = root.aside == state.aside and root.may_roll == state.may_roll
    return same and {*state.unused} <= {*root.unused}


def taken(option: Option, state: TurnState) -> tuple[Step, ...]:
    """Return the steps of an option up to the next roll or the use of a card."""
    steps: list[Step] = [SetAside(face) for face in dice.faces(option.dice)]
    if option.card and option.effect:
        return (*steps, Use(option.card, option.effect))
    all_aside = option.dice == state.active and not state.opening
    return tuple(steps if all_aside else [*steps, Roll()])


@lru_cache(maxsize=8192)
def _parts(active: Counts) -> NDArray[np.int8]:
    """Return the ways to set some of the active dice aside, in the order of ties."""
    parts = [part for part in dice.parts(active) if part != NONE]
    parts.sort(key=lambda part: (-sum(part), dice.faces(part)))
    return np.array(parts, dtype=np.int8)


@dataclass
class Kept:
    """Solved turns by what they depend on, the ones used last, up to a number of bytes."""

    most: int = KEPT

    def __post_init__(self) -> None:
        self._turns: OrderedDict[Hashable, SolvedTurn] = OrderedDict()
        self._size = 0
        self._last: SolvedTurn | None = None

    def get(self, key: Hashable, solve: Callable[[], SolvedTurn]) -> SolvedTurn:
        """Return the turn of a key, solved if it is not kept."""
        if self._last is not None and self._last is not self._turns.get(key):
            self._last.rest()
        turn = self._turns.get(key) or self._added(key, solve())
        self._turns.move_to_end(key)
        self._last = turn
        return turn

    def _added(self, key: Hashable, turn: SolvedTurn) -> SolvedTurn:
        self._turns[key] = turn
        self._size += turn.size
        while self._size > self.most and len(self._turns) > 1:
            _, oldest = self._turns.popitem(last=False)
            self._size -= oldest.size
        return turn
