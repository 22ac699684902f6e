"""Win chances by simulated play to the end, in parallel processes, with confidence intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from advisor import jobs
from advisor.knights.play import game
from advisor.knights.rules.options import RULEBOOK, RuleSet
from advisor.knights.turn.position import Position
from advisor.knights.turn.targets import Target
from advisor.samples import wilson

CHUNK: Final = 25


@dataclass(frozen=True)
class Estimate:
    """Simulated games, those won, those given up without a winner."""

    games: int
    won: int
    undecided: int

    @property
    def win(self) -> float:
        """The share of games won."""
        return self.won / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the chance to win (Wilson)."""
        return wilson(self.won, self.games)


@dataclass(frozen=True)
class _Task:
    place: int
    first: Target | int
    games: range


def estimate(
    position: Position,
    firsts: Sequence[Target | int],
    games: int,
    seed: int,
    processes: int,
    rules: RuleSet = RULEBOOK,
    progress: Callable[[int], None] = lambda games: None,
) -> list[Estimate]:
    """Return for each first choice how often the player to move wins.

    Everybody then plays greedily by exact odds (`policy`). Game g of each choice uses the same
    seed and deck order, whatever the number of processes. `progress` is told of finished games.
    """
    tasks = (
        _Task(place, first, range(at, min(games, at + CHUNK)))
        for place, first in enumerate(firsts)
        for at in range(0, games, CHUNK)
    )
    won, undecided = [0] * len(firsts), [0] * len(firsts)
    for task, more, none in _run(position, tasks, seed, processes, rules):
        won[task.place] += more
        undecided[task.place] += none
        progress(len(task.games))
    return [Estimate(games, *counts) for counts in zip(won, undecided, strict=True)]


def _run(
    position: Position, tasks: Iterator[_Task], seed: int, processes: int, rules: RuleSet
) -> Iterator[tuple[_Task, int, int]]:
    work = partial(_play, position, seed, rules)
    if processes == 1:
        done: Iterator[tuple[_Task, tuple[int, int]]] = ((task, work(task)) for task in tasks)
    else:
        done = jobs.run(tasks, work, lambda: jobs.LocalPool(processes), 2 * processes)
    for task, (won, undecided) in done:
        yield task, won, undecided


def _play(position: Position, seed: int, rules: RuleSet, task: _Task) -> tuple[int, int]:
    winners = [
        game.resume(position, np.random.default_rng([seed, number]), rules).play(
            task.first, position.changed
        )
        for number in task.games
    ]
    return winners.count(0), winners.count(None)
