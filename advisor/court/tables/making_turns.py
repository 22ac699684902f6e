"""Tables of many turns: what to solve, and that nothing finished is lost or done twice."""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from filelock import BaseFileLock
from numpy.typing import NDArray

from advisor import KERNEL_REVISION, jobs
from advisor.court.rules.names import format_codes
from advisor.court.rules.options import RULE_SETS, RuleSet, check_hand
from advisor.court.rules.supply import purchasable
from advisor.court.tables.answers import Counts
from advisor.court.tables.making import Checked, MakePool, Told, claim, some_of
from advisor.court.turn import stored
from advisor.court.turn.goals import card_goal, check_goal, parse_goal
from advisor.court.turn.payoffs import Payoff
from advisor.court.turn.solver import TurnTable, memory_of
from advisor.errors import InvalidGoal, TableProblem, TooLarge
from advisor.storage import tables
from advisor.units import show_bytes

POLL = 0.2
"""Seconds between looks at tables that another run is making."""


@dataclass(frozen=True)
class Task:
    """The tables of one set of cards: all goals are solved in one pass."""

    rules: RuleSet
    cards: tuple[str, ...]
    goals: tuple[Payoff, ...]
    memory: int

    def __str__(self) -> str:
        return format_codes(self.cards) or "no cards"

    def question(self, goal: Payoff) -> tables.Question:
        """Return what the table of one goal answers."""
        return stored.question(self.rules, self.cards, goal)


def plan(
    rules: RuleSet, hands: Sequence[tuple[str, ...]], goals: Sequence[Payoff], memory: int
) -> TurnPlan:
    """Return the tables of all hands, for the goals that each owner can want.

    Without goals for every card. `memory`: bytes of one process. Raises TooLarge, InvalidGoal.
    """
    tasks = []
    for hand in dict.fromkeys(hands):
        check_hand(hand, rules)
        chosen = goals or [card_goal(key) for key in purchasable(hand, rules)]
        wanted = tuple(goal for goal in chosen if _possible(goal, hand, rules))
        if wanted:
            tasks.append(Task(rules, hand, wanted, memory))
    if not tasks:
        raise InvalidGoal("no set of cards can want one of the goals: choose other goals or cards")
    _check_memory(tasks, memory)
    return TurnPlan(tuple(tasks))


def _check_memory(tasks: Sequence[Task], memory: int) -> None:
    """Raise TooLarge, before anything is done, if a set of cards does not fit."""
    sizes = {task: memory_of(_root(task), len(task.goals)) for task in tasks}
    large = [task for task in tasks if sizes[task] > memory]
    if large:
        worst = max(large, key=sizes.__getitem__)
        raise TooLarge(
            f"{len(large)} of {len(tasks)} sets of cards do not fit into {show_bytes(memory)} a "
            f"process, {worst} needs {show_bytes(sizes[worst])}: raise --memory, lower --jobs, or "
            "leave them out"
        )


def subsets(cards: Sequence[str], most: int) -> list[tuple[str, ...]]:
    """Return every set of at most `most` of the cards, small sets first."""
    return [
        hand
        for size in range(min(most, len(cards)) + 1)
        for hand in dict.fromkeys(itertools.combinations(cards, size))
    ]


def _possible(goal: Payoff, hand: Sequence[str], rules: RuleSet) -> bool:
    try:
        check_goal(goal, hand, rules)
    except InvalidGoal:
        return False
    return True


# ---------------------------------------------------------------- looking


def state_of(where: Path, task: Task, goal: Payoff) -> str:
    """Return `there`, `missing`, `stale`, `corrupt` or `foreign`, by header and length only."""
    try:
        tables.probe(where, task.question(goal), KERNEL_REVISION, check=False)
    except TableProblem as problem:
        return type(problem).__name__.removesuffix("Table").lower()
    return "there"


def missing(where: Path, task: Task) -> Task | None:
    """Return the task with the goals whose tables are not there, None if all are."""
    goals = tuple(goal for goal in task.goals if state_of(where, task, goal) != "there")
    return replace(task, goals=goals) if goals else None


def _work(task: Task) -> int:
    return len(task.goals) * stored.nodes_of(_root(task))


def _root(task: Task) -> Any:
    return stored.root(task.rules, task.cards)


# ---------------------------------------------------------------- doing


def solve(task: Task) -> NDArray[np.float64]:
    """Return the values of a task, one goal a row; runs in workers, writes nothing."""
    return TurnTable(_root(task), task.goals, task.memory).values


@dataclass
class Claims:
    """The tasks that are free to do here; each is locked until its tables are written.

    So a second run on the same folder passes over what the first one is doing.
    """

    where: Path
    tasks: Sequence[Task]
    locks: dict[Task, BaseFileLock] = field(default_factory=dict)
    elsewhere: list[Task] = field(default_factory=list)
    present: int = 0

    def __iter__(self) -> Iterator[Task]:
        for task in self.tasks:
            lock = claim(self.where, _hand(task))
            if lock is None:
                self.elsewhere.append(task)
                continue
            rest = missing(self.where, task)
            self.present += _count(task) - _count(rest)
            if rest is None:
                lock.release()
                continue
            for goal in rest.goals:
                tables.remove_drafts(self.where, rest.question(goal))
            self.locks[rest] = lock
            yield rest

    def release(self, task: Task) -> None:
        """Let others have the task."""
        self.locks.pop(task).release()

    def release_all(self) -> None:
        """Let others have every task."""
        for lock in self.locks.values():
            lock.release()
        self.locks.clear()


def _hand(task: Task) -> tables.Question:
    return {"rules": task.rules.options(), "cards": list(task.cards)}


def _count(*tasks: Task | None) -> int:
    return sum(len(task.goals) for task in tasks if task)


@dataclass(frozen=True)
class TurnPlan:
    """Tables of turns that are wanted, by hand."""

    tasks: tuple[Task, ...]

    def status(self, where: Path) -> Counts:
        """Return how many tables are in which state."""
        found = Counter(state_of(where, task, goal) for task in self.tasks for goal in task.goals)
        return dict(found)

    def outline(self, where: Path, jobs: int) -> Counts:
        """Return tables to make, bytes and, from a short solve on this machine, seconds."""
        rest = [task for task in (missing(where, task) for task in self.tasks) if task]
        count = _count(*rest)
        size = sum(len(task.goals) * 8 * stored.values_of(_root(task)) for task in rest)
        return {
            "sets": len(rest), "tables": count, "bytes": size + 512 * count,
            "seconds": sum(map(_work, rest)) / _speed() / jobs if rest else 0.0,
            "present": _count(*self.tasks) - count,
        }  # fmt: skip

    def make(self, where: Path, make_pool: MakePool, width: int, told: Told) -> Counts:
        """Make every table that is not there; return how many were made and present."""
        made = present = 0
        left = [task for task in self.tasks if missing(where, task)]
        told.advance(there := _count(*self.tasks) - _count(*left))
        while left:
            claims = Claims(where, left)
            try:
                settled = 0
                for task, values in jobs.run(claims, solve, make_pool, width):
                    for goal, row in zip(task.goals, values, strict=True):
                        tables.write(where, task.question(goal), KERNEL_REVISION, row)
                    claims.release(task)
                    made += len(task.goals)
                    told.advance(len(task.goals) + claims.present - settled)
                    settled = claims.present
                told.advance(claims.present - settled)
                present += claims.present
            finally:
                claims.release_all()
            left = claims.elsewhere
            if left:
                time.sleep(POLL)
        return {"made": made, "present": there + present}


def _speed() -> float:
    """Return how much of `_work` this machine does in a second."""
    cards = ("farmer", "maid", "laborer", "guard", "astronomer", "merchant")
    sample = Task(RULE_SETS["rulebook"], cards, (card_goal("king"),), 1 << 30)
    solve(sample)
    begin = time.perf_counter()
    solve(sample)
    return _work(sample) / (time.perf_counter() - begin)


# ---------------------------------------------------------------- verifying


def solved_again(
    where: Path, sound: Sequence[tables.TableFile], sample: int, rng: random.Random, memory: int
) -> Checked:
    """Yield the tables of a sample whose values are not, bit for bit, what solving again gives."""
    turns = [found for found in sound if found.question.get("values") == "turn"]
    for found in some_of(turns, sample, rng):
        if not np.array_equal(found.values(), _again(found, memory)):
            yield found.path, f"table {str(found.path)!r} does not hold what solving it again gives"


def _again(found: tables.TableFile, memory: int) -> NDArray[np.float64]:
    asked = found.question
    rules = RuleSet("stored", **asked["rules"])
    goal = parse_goal(asked["goal"])
    values: NDArray[np.float64] = solve(Task(rules, tuple(asked["cards"]), (goal,), memory))[0]
    return values
