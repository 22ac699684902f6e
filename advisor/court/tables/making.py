"""What making any table takes: the right to write it, a plan to look at and to work off, checks.

There are two kinds of tables: the values of one turn (`making_turns`), many and small, and the race
(`making_race`), one table that grows. Either kind is a Plan.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Protocol, TypeVar

from filelock import BaseFileLock

from advisor import KERNEL_REVISION
from advisor.court.tables.answers import Counts
from advisor.errors import TableProblem
from advisor.storage import locks, tables

Advance = Callable[[int], None]
MakePool = Callable[[], Executor]
Checked = Iterator[tuple[Path, str | None]]
"""Table files with what is wrong with each, None if nothing."""


class Plan(Protocol):
    """Tables that are wanted. What is there already is not made again."""

    def status(self, where: Path) -> Counts:
        """Return how much of the plan is in which state in a folder."""

    def outline(self, where: Path, jobs: int) -> Counts:
        """Return what is to be done, and where that is known how long it takes."""

    def make(self, where: Path, make_pool: MakePool, width: int, told: Told) -> Counts:
        """Make what is missing, at most `width` tasks in the pool; return what was done."""


class Told(Protocol):
    """Who hears how far the work is."""

    def advance(self, tables: int) -> None:
        """So many more tables are settled."""

    def say(self, text: str) -> None:
        """How it stands, in words."""

    def warn(self, text: str) -> None:
        """Something is wrong that the work can go on with."""


def claim(where: Path, question: tables.Question) -> BaseFileLock | None:
    """Return the right to write the table of a question, None if another run has it.

    What killed writers of it left behind is removed. Raises DiskProblem.
    """
    name = tables.name_of(question)
    with tables.writing(where):
        (where / ".locks").mkdir(parents=True, exist_ok=True)
        lock = locks.take(where / ".locks" / f"{name}.lock")
    if lock:
        tables.remove_drafts(where, question)
    return lock


# ---------------------------------------------------------------- checking

Kind = Callable[[Path, Sequence[tables.TableFile], int, random.Random, int], Checked]
"""Works `sample` parts of sound tables out again: (folder, tables, sample, drawn by, memory)."""


def verify(where: Path, sample: int, seed: int, memory: int, kinds: Iterable[Kind]) -> Checked:
    """Yield each table file with what is wrong with it, None if nothing.

    Every file is hashed anew; of those that are sound each kind works a sample out again.
    """
    sound = []
    for path in tables.all_tables(where):
        try:
            sound.append(_checked(path))
            yield path, None
        except TableProblem as problem:
            yield path, str(problem)
    for kind in kinds:
        yield from kind(where, sound, sample, random.Random(seed), memory)


def _checked(path: Path) -> tables.TableFile:
    found = tables.read_header(path)
    found.check()
    if tables.name_of(found.question) != path.name:
        raise TableProblem(f"table {str(path)!r} answers another question than its name says")
    return tables.probe(path.parent, found.question, KERNEL_REVISION, check=False)


Item = TypeVar("Item")


def some_of(items: Sequence[Item], sample: int, rng: random.Random) -> list[Item]:
    """Return a sample without repetition, all where there are no more."""
    return rng.sample(items, min(sample, len(items)))
