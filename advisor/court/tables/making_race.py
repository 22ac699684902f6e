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
from math import inf
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from advisor.court.race import known as race_tables
from advisor.court.race.files import question
from advisor.court.race.hand import Bounds, Spread, in_turn
from advisor.court.race.known import Joined
from advisor.court.race.search import Node, Solitaire
from advisor.court.rules.cards import has_use, in_order
from advisor.court.rules.options import MULTIPLE, RULE_SETS, Hand, RuleSet, start_dice
from advisor.court.rules.supply import full_supply, singles
from advisor.errors import TableProblem, UsageProblem
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
    return tuple(
        in_order([*keys, *[MULTIPLE] * copies])
        for number in range(most + 1)
        for copies in range(number + 1)
        for keys in itertools.combinations(singles(), number - copies)
        if start_dice([*keys, *[MULTIPLE] * copies], rules) <= rules.dice_limit
    )


def status(known: Joined | None, aims: Sequence[Aim]) -> dict[str, int]:
    """Return how many of the hands wanted are known well enough, and how many are not."""
    wanted = sum(len(aim.hands) for aim in aims)
    left = sum(len(aim.open(known)) for aim in aims)
    return {"there": wanted - left, "open": left}


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


def run(
    where: Path,
    rules: RuleSet,
    aims: Sequence[Aim],
    memory: int,
    spread: Spread = in_turn,
    seconds: float = inf,
    told: Callable[[Solitaire, Node], None] = lambda race, node: None,
    warn: Callable[[str], None] = lambda message: None,
) -> dict[str, int]:
    """Make the table know the hands of all aims; return what was done.

    Raises Busy if another run has the table.
    """
    with _alone(where):
        tables.remove_drafts(where, question(rules))
        known = race_tables.find(where, rules, warn)
        race = Solitaire(full_supply((), rules), memory, known, spread=spread)
        # All that was known is kept.
        for hand in known.hands() if known else ():
            race.node(hand)
        begin = time.monotonic()
        Run(where, race, begin).solve(aims, begin + seconds, told)
    nodes = race.nodes
    left = sum(hand not in nodes or nodes[hand].width > a.width for a in aims for hand in a.hands)
    return {
        "hands": len(race_tables.worth_writing(race)),
        "expanded": sum(node.expanded for node in nodes.values()),
        "passes": race.passes,
        "open": left,
        "large": sum(node.barred is not None for node in nodes.values()),
    }


@contextmanager
def _alone(where: Path) -> Iterator[None]:
    with tables.writing(where):
        (where / ".locks").mkdir(parents=True, exist_ok=True)
    lock = FileLock(where / ".locks/race.lock")
    try:
        with tables.writing(where):
            lock.acquire(timeout=0)
    except Timeout as error:
        raise Busy(
            f"another run is making the table of the race in {str(where)!r}: wait for it, or give "
            "another folder with --tables"
        ) from error
    try:
        yield
    finally:
        lock.release()


def _width(known: Joined | None, hand: Hand) -> float:
    node = known(hand) if known else None
    return node.width if node else inf


# ---------------------------------------------------------------- verifying


def verify(where: Path, sample: int, seed: int, memory: int) -> Iterator[tuple[Path, str]]:
    """Yield the tables of the race in which one of `sample` hands cannot be what is stored.

    Hands whose turn does not fit into the memory are passed over.
    """
    for rules in RULE_SETS.values():
        try:
            known = race_tables.probe(where, rules)
        except TableProblem:
            continue
        race = Solitaire(full_supply((), rules), memory, known)
        hands = known.hands()
        for hand in random.Random(seed).sample(hands, min(sample, len(hands))):
            if not _sound(race, race.node(hand)):
                path = where / tables.name_of(question(rules))
                owned = ", ".join(hand) or "no cards"
                yield path, (
                    f"table {str(path)!r} has bounds for {owned} that solving again contradicts: "
                    "remove it and run 'advisor precompute --goal turns'"
                )  # fmt: skip
                break


def _sound(race: Solitaire, node: Node) -> bool:
    """Return whether the bounds of a hand can have been worked out from what the table holds.

    Bounds of other hands have only become narrower since, so no bound may be narrower than what
    they give now.
    """
    alone = Solitaire(race.supply, race.memory).node(node.cards)
    if alone.barred:
        return True
    lower, upper = [alone.lower], [alone.upper]
    if node.expanded:
        task = race.task(node, EXACTLY / 2)
        found = task.solve() if task else None
        if not isinstance(found, Bounds):
            return True
        # A card that need not be used can be ignored for good.
        free = (child.lower for key, child in race.after(node).items() if has_use(key))
        lower, upper = [*lower, found.lower, *free], [*upper, found.upper]
    if node.as_if is not None:
        upper.append(race.node(node.as_if).upper)
    narrow = node.lower > max(lower) + EXACTLY or node.upper < min(upper) - EXACTLY
    return node.king == alone.king and not narrow
