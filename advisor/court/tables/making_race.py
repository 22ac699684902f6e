"""The table of the whole race: which hands to know how well, by many processes, saved as it grows.

The table itself is what a run goes on from: whatever a stopped run had found is in it.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Final

from advisor import jobs
from advisor.court.race import known as race_tables
from advisor.court.race.files import question
from advisor.court.race.hand import HandBounds, Spread, solve_task
from advisor.court.race.known import Joined
from advisor.court.race.search import Node, Solitaire
from advisor.court.rules.cards import has_use, in_order
from advisor.court.rules.options import MULTIPLE, RULE_SETS, Hand, RuleSet, start_dice
from advisor.court.rules.supply import copies_left, full_supply, singles
from advisor.court.tables.answers import Counts
from advisor.court.tables.making import Checked, MakePool, Told, claim, some_of
from advisor.errors import TableProblem, UsageProblem
from advisor.intervals import Interval
from advisor.storage import tables

SAVED: Final = 60.0
"""Seconds after which what was found is written."""
EXACTLY: Final = 1e-6
"""How exactly, in turns, bounds are worked out again."""


class Busy(UsageProblem):
    """Another run is working on the same table."""


@dataclass(frozen=True)
class Aim:
    """Hands to be known to so many turns."""

    hands: tuple[Hand, ...]
    width: float

    def open(self, known: Joined | None) -> list[Hand]:
        """Return the hands that a table does not know so well."""
        return [hand for hand in self.hands if _width(known, hand) > self.width]


def hands_upto(most: int, rules: RuleSet) -> tuple[Hand, ...]:
    """Return every hand of at most so many cards that a race can meet, small ones first."""
    hands = (
        in_order([*keys, *[MULTIPLE] * copies])
        for number in range(most + 1)
        for copies in range(number + 1)
        for keys in itertools.combinations(singles(), number - copies)
    )
    return tuple(
        hand
        for hand in hands
        if start_dice(hand, rules) <= rules.dice_limit
        and min(copies_left(hand, 1, rules).values()) >= 0
    )


@dataclass(frozen=True)
class RacePlan:
    """Hands that the table of the race is to know, for at most so many seconds of work."""

    rules: RuleSet
    aims: tuple[Aim, ...]
    memory: int
    """Bytes of one process."""
    seconds: float = inf

    def status(self, where: Path) -> Counts:
        """Return how many of the hands wanted are known well enough, and how many are not."""
        known = race_tables.find(where, self.rules)
        wanted = sum(len(aim.hands) for aim in self.aims)
        left = sum(len(aim.open(known)) for aim in self.aims)
        return {"there": wanted - left, "open": left}

    def outline(self, where: Path, jobs: int) -> Counts:
        """Return the same: how long hands take is not known beforehand."""
        return self.status(where)

    def make(self, where: Path, make_pool: MakePool, width: int, told: Told) -> Counts:
        """Make the table know the hands of all aims; return what was done.

        Raises Busy if another run has the table.
        """
        with jobs.Workers(make_pool, width) as workers:
            return self.run(where, lambda tasks: workers.run(tasks, solve_task), told)

    def run(self, where: Path, spread: Spread, told: Told) -> Counts:
        """Do the same with tasks solved by `spread`."""
        with _alone(where, self.rules):
            known = race_tables.find(where, self.rules, told.warn)
            race = Solitaire(full_supply((), self.rules), self.memory, known, spread=spread)
            # All that was known is kept.
            for hand in known.hands() if known else ():
                race.node(hand)
            begin = time.monotonic()
            heard = partial(_heard, told)
            Run(where, race, begin).solve(self.aims, begin + self.seconds, heard)
        return self._done(race)

    def _done(self, race: Solitaire) -> Counts:
        nodes = race.nodes
        wanted = [(hand, aim.width) for aim in self.aims for hand in aim.hands]
        return {
            "hands": len(race_tables.worth_writing(race)),
            "expanded": sum(node.expanded for node in nodes.values()),
            "passes": race.passes,
            "open": sum(h not in nodes or nodes[h].turns.width > width for h, width in wanted),
            "large": sum(node.barred is not None for node in nodes.values()),
        }


def _heard(told: Told, race: Solitaire, node: Node) -> None:
    told.say(
        f"{', '.join(node.cards) or 'no cards'}: {node.turns.text(4)} turns; "
        f"{len(race.nodes)} hands, {race.passes} turns solved"
    )


@dataclass
class Run:
    """One run on the table of a folder."""

    where: Path
    race: Solitaire
    saved: float

    def solve(
        self, aims: Sequence[Aim], deadline: float, told: Callable[[Solitaire, Node], None]
    ) -> None:
        """Narrow the hands of each aim, saving as it goes and at the end, whatever ends it."""

        def heard(race: Solitaire, node: Node) -> None:
            told(race, node)
            if time.monotonic() - self.saved > SAVED:
                # A full disk may have room again by the time that matters: the end.
                with suppress(tables.DiskProblem):
                    self.save()

        try:
            for aim in aims:
                self.race.solve_all(aim.hands, aim.width, deadline, heard)
        finally:
            self.save()

    def save(self) -> None:
        """Write what is known."""
        self.saved = time.monotonic()
        race_tables.write(self.where, self.race)


@contextmanager
def _alone(where: Path, rules: RuleSet) -> Iterator[None]:
    lock = claim(where, question(rules))
    if lock is None:
        raise Busy(
            f"another run is making the table of the race in {str(where)!r}: wait for it, or give "
            "another folder with --tables"
        )
    try:
        yield
    finally:
        lock.release()


def _width(known: Joined | None, hand: Hand) -> float:
    node = known(hand) if known else None
    return node.turns.width if node else inf


# ---------------------------------------------------------------- verifying


def contradicted(
    where: Path, sound: Sequence[tables.TableFile], sample: int, rng: random.Random, memory: int
) -> Checked:
    """Yield the tables of the race in which one of `sample` hands cannot be what is stored.

    Hands whose turn does not fit into the memory are passed over.
    """
    for rules in RULE_SETS.values():
        path = where / tables.name_of(question(rules))
        if path in (found.path for found in sound):
            problem = _contradiction(path, rules, sample, rng, memory)
            if problem:
                yield path, problem


def _contradiction(
    path: Path, rules: RuleSet, sample: int, rng: random.Random, memory: int
) -> str | None:
    try:
        known = race_tables.probe(path.parent, rules)
    except TableProblem as problem:
        return str(problem)
    race = Solitaire(full_supply((), rules), memory, known)
    for hand in some_of(known.hands(), sample, rng):
        if not _sound(race, race.node(hand)):
            owned = ", ".join(hand) or "no cards"
            return (
                f"table {str(path)!r} has bounds for {owned} that solving again contradicts: "
                "remove it and run 'advisor precompute --goal turns'"
            )
    return None


def _sound(race: Solitaire, node: Node) -> bool:
    """Return whether the bounds of a hand can have been worked out from what the table holds.

    Bounds of other hands have only become narrower since, so no bound may be narrower than what
    they give now.
    """
    alone = Solitaire(race.supply, race.memory).node(node.cards)
    if alone.barred:
        return True
    turns = alone.turns
    if node.expanded:
        task = race.task(node, EXACTLY / 2)
        found = task.solve() if task else None
        if not isinstance(found, HandBounds):
            return True
        turns &= found.turns
        # A card that need not be used can be ignored for good.
        for key, child in race.after(node).items():
            if has_use(key):
                turns &= Interval(child.turns.lower)
    if node.as_if is not None:
        turns &= Interval(-inf, race.node(node.as_if).turns.upper)
    within = turns.lower + EXACTLY >= node.turns.lower and turns.upper - EXACTLY <= node.turns.upper
    return node.king == alone.king and within
