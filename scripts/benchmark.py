"""A fixed suite of solves: medians, ratios, peak memory, and one checksum of all values.

    python scripts/benchmark.py                     # everything, a few minutes
    python scripts/benchmark.py --quick             # the small cases only
    python scripts/benchmark.py --save now.json     # keep the results ...
    python scripts/benchmark.py --baseline now.json # ... and compare a later run on this machine

Seconds depend on the machine and on what else it does; ratios within one run, and runs compared
with a baseline of the same machine, say more. The checksum must not change unless values should.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, Final

import numpy as np
from tabulate import tabulate

from advisor import KERNEL_REVISION
from advisor.court.race import known as race_tables
from advisor.court.rules.names import format_codes, parse_cards
from advisor.court.rules.notation import before_first_roll, parse_position, to_state
from advisor.court.rules.options import RULEBOOK, start_dice
from advisor.court.rules.turn import TurnState
from advisor.court.turn import stored
from advisor.court.turn.goals import card_goal
from advisor.court.turn.reference import Reference
from advisor.court.turn.solver import TurnTable
from advisor.storage import places, tables

EIGHT: Final = "farmer,maid,laborer,guard,hunter,astronomer,merchant,general"
TWELVE: Final = EIGHT + ",fool,philosopher,noblewoman,magician"
KING: Final = ("king",)
GOALS: Final = (
    "king", "knight", "bishop", "nobleman", "alchemist", "pawnbroker", "noblewoman", "magician",
)  # fmt: skip
MEMORY: Final = 16 << 30


@dataclass(frozen=True)
class Case:
    """One solve: from the start with these cards, or from a position."""

    name: str
    cards: str = ""
    position: str = ""
    goals: tuple[str, ...] = KING
    large: bool = False

    def state(self) -> TurnState:
        """Return the turn state that is solved."""
        owned = parse_cards(self.cards) if self.cards else ()
        start = before_first_roll(owned, RULEBOOK)
        return to_state(parse_position(self.position) if self.position else start, RULEBOOK)


CASES: Final = (
    Case("3 dice, no cards", goals=("guard",)),
    Case("Laborer, Astronomer: Hunter", "laborer,astronomer", goals=("hunter",)),
    Case("8 cards: King", EIGHT),
    Case("8 cards: 8 goals", EIGHT, goals=GOALS),
    Case("8 cards, mid-turn: King", position="3/233456:Fa,Ma,La,Gu,As,Me,Ge-Hu"),
    Case("12 cards: King", TWELVE, large=True),
    Case("12 cards: 8 goals", TWELVE, goals=GOALS, large=True),
    Case("12 cards, mid-turn: King", position="333/2345:Fo,Fa,Ma,Ph,La,Gu,As,Me,Nw,Mg,Ge-Hu",
         large=True),
)  # fmt: skip
SMALL: Final = CASES[:2]
FINAL: Final = ["final", "--best", "7x5"] + [
    part
    for hand in (
        "farmer,general,knight,bishop,astronomer,magician,merchant,hunter",
        "farmer,general,charlatan,guard,pawnbroker,noblewoman,laborer,fool",
        "farmer,charlatan,hunter,knight,bishop,nobleman,alchemist,maid",
    )
    for part in ("--player", hand)
]
"""A final round of three players with eight cards each."""


def states(table: TurnTable) -> int:
    """Return the number of decision nodes of a table's graph."""
    return sum(
        comb(k + 5, 5) * comb(n - k + 5, 5) for n in map(int, table.graph.dice_of) for k in range(n)
    )


def median(runs: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the median of the seconds of some runs, and what the last one returned."""
    seconds, result = [], None
    for _ in range(runs):
        result = None
        begin = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - begin)
    return statistics.median(seconds), result


def run_case(case: Case, runs: int) -> dict[str, Any]:
    """Measure one case in this process."""
    state, goals = case.state(), [card_goal(key) for key in case.goals]
    # The first solve of a process lays the rules out as well.
    cold, _ = median(1, lambda: TurnTable(state, goals[:1], MEMORY))
    seconds, table = median(1 if case.large and len(goals) > 1 else runs,
                            lambda: TurnTable(state, goals, MEMORY))  # fmt: skip
    count = states(table)
    return {
        "seconds": seconds,
        "cold": cold,
        "from_table": from_table(case, runs) if case.position else None,
        "states": count,
        "per_second": count * len(goals) / seconds,
        "estimate": table.graph.memory(len(goals)),
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        "checksum": hashlib.sha256(np.ascontiguousarray(table.values).tobytes()).hexdigest(),
    }  # fmt: skip


def from_table(case: Case, runs: int) -> float:
    """Return the seconds to read the value of a position from a table of its whole turn."""
    cards, goals = parse_position(case.position).cards, [card_goal(*case.goals)]
    root = stored.root(RULEBOOK, cards)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        values = TurnTable(root, goals, MEMORY).values[0]
        question = stored.question(RULEBOOK, cards, goals[0])
        tables.write(folder, question, KERNEL_REVISION, values)

        def read() -> float:
            known, _ = stored.probe(folder, RULEBOOK, cards, goals)
            state = case.state()
            table = TurnTable(state, goals, MEMORY, known)
            return float(table.node(state.active, state.unused)[0])

        seconds, value = median(runs, read)
    assert value == TurnTable(case.state(), goals, MEMORY).node(
        case.state().active, case.state().unused)[0]  # fmt: skip
    return seconds


def in_own_process(case: Case, runs: int) -> dict[str, Any]:
    """Measure one case in a process of its own, for an honest peak of memory."""
    command = [sys.executable, __file__, "--case", case.name, "--runs", str(runs)]
    found: dict[str, Any] = json.loads(subprocess.run(
        command, check=True, capture_output=True, text=True).stdout)  # fmt: skip
    return found


def reference_ratio(case: Case, seconds: float) -> float:
    """Return how many times longer the Python reference takes for a small case."""
    goal = card_goal(*case.goals)
    slow, _ = median(3, lambda: Reference(goal.literal_worth).value(case.state()))
    return slow / seconds


def whole_process(runs: int, *arguments: str, cache: str) -> float:
    """Return the median seconds of a command from start to end."""
    environment = os.environ | {"ADVISOR_CACHE": cache}
    command = [sys.executable, *arguments]
    seconds, _ = median(runs, lambda: subprocess.run(
        command, check=True, capture_output=True, env=environment))  # fmt: skip
    return seconds


def processes(runs: int) -> dict[str, float]:
    """Measure whole processes: import, help, cold and cached answers."""
    final = ["-m", "advisor", *FINAL]
    question = ["-m", "advisor", "keep", "16/225:Fa,Hu,Me-La", "--goal", "knight"]
    with tempfile.TemporaryDirectory() as folder:
        return {
            "import click": whole_process(runs, "-c", "import click", cache=folder),
            "advisor --help": whole_process(runs, "-m", "advisor", "--help", cache=folder),
            "keep, solved": whole_process(runs, *question, "--no-cache", cache=folder),
            "keep, cached": whole_process(runs + 1, *question, cache=folder),
            "final, 3 x 8 cards, solved": whole_process(runs, *final, "--no-cache", cache=folder),
            "final, 3 x 8 cards, cached": whole_process(runs + 1, *final, cache=folder),
        }


def race(hands: int) -> dict[str, tuple[float, float]]:
    """Measure advice for random hands of the shipped table: median and worst of whole processes."""
    known = race_tables.probe(places.shipped(), RULEBOOK)
    draw = random.Random(1)
    found = {}
    for name, least, most in (("1 to 5 cards", 1, 5), ("6 to 8 cards", 6, 8)):
        chosen = draw.sample([h for h in known.hands() if least <= len(h) <= most], hands)
        for command in ("keep", "buy"):
            seconds = []
            for hand in chosen:
                dice = "".join(draw.choices("123456", k=start_dice(hand, RULEBOOK)))
                cards = format_codes(hand)
                asked = [f"/{dice}:{cards}-"] if command == "keep" else [dice, "--cards", cards]
                seconds.append(
                    whole_process(1, "-m", "advisor", command, *asked, "--no-cache", cache="none")
                )
            found[f"{command}, {name}"] = statistics.median(seconds), max(seconds)
    return found


def machine() -> str:
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--quick", action="store_true", help="leave the large cases out")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--save", type=Path, metavar="FILE")
    parser.add_argument("--baseline", type=Path, metavar="FILE")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.case:
        case = next(case for case in CASES if case.name == chosen.case)
        print(json.dumps(run_case(case, chosen.runs)))
        return
    report(chosen)


def report(chosen: argparse.Namespace) -> None:
    """Run the suite and print its tables."""
    cases = [case for case in CASES if not (case.large and chosen.quick)]
    results = {case.name: in_own_process(case, chosen.runs) for case in cases}
    times = processes(chosen.runs)
    earlier = json.loads(chosen.baseline.read_text()) if chosen.baseline else None
    rows = []
    for case in cases:
        found = results[case.name]
        before = earlier and earlier["cases"].get(case.name)
        rows.append([
            case.name, f"{found['seconds']:.4f}", f"{found['cold']:.3f}",
            f"{found['from_table']:.4f}" if found["from_table"] else "", f"{found['states']:,}",
            f"{found['per_second'] / 1e6:.1f}", f"{found['peak'] / 2**20:.0f}",
            f"{reference_ratio(case, found['seconds']):.0f}" if case in SMALL else "",
            f"{found['seconds'] / before['seconds']:.2f}" if before else "",
        ])  # fmt: skip
    headers = ["solve, one thread", "seconds", "first in process", "from a table", "states",
               "M states x goals / s", "peak MiB",
               "reference / kernel", "now / baseline"]  # fmt: skip
    print(f"{time.strftime('%Y-%m-%d')}, {machine()}, medians of {chosen.runs}\n")
    print(tabulate(rows, headers, disable_numparse=True, colalign=["left"] + ["right"] * 8))
    for few, many in (
        ("8 cards: King", "8 cards: 8 goals"),
        ("12 cards: King", "12 cards: 8 goals"),
    ):
        if many in results:
            ratio = results[many]["seconds"] / results[few]["seconds"]
            print(f"\n{many} / {few}: {ratio:.1f}")
    print("\n" + tabulate(
        [[name, f"{seconds:.3f}", f"{seconds / times['import click']:.2f}"]
         for name, seconds in times.items()],
        ["whole process", "seconds", "/ import click"], disable_numparse=True,
        colalign=["left", "right", "right"]))  # fmt: skip
    print("\n" + tabulate(
        [[name, f"{middle:.3f}", f"{worst:.3f}"]
         for name, (middle, worst) in race(4 if chosen.quick else 20).items()],
        ["random hands of the shipped table", "seconds", "worst"], disable_numparse=True,
        colalign=["left", "right", "right"]))  # fmt: skip
    digest = hashlib.sha256("".join(results[c.name]["checksum"] for c in cases).encode())
    print(f"\nchecksum {digest.hexdigest()[:16]}")
    if earlier:
        same = all(earlier["cases"][n]["checksum"] == f["checksum"]
                   for n, f in results.items() if n in earlier["cases"])  # fmt: skip
        print("values as in the baseline" if same else "VALUES DIFFER FROM THE BASELINE")
    if chosen.save:
        chosen.save.write_text(json.dumps({"machine": machine(), "cases": results,
                                           "processes": times}, indent=1))  # fmt: skip


if __name__ == "__main__":
    main()
