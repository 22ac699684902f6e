"""Solve the race for the King with the full supply and store what is known of every hand met.

    python scripts/solve_race.py --width 0.001 --upto 3 --minutes 20

Works on the table that is there already, saves it every minute, and can be stopped at any time.
"""

from __future__ import annotations

import argparse
import time
from itertools import combinations
from pathlib import Path

from advisor.court import race_tables
from advisor.court.cards import in_order
from advisor.court.rules import RULE_SETS
from advisor.court.solitaire import Hand, Solitaire
from advisor.court.supply import full_supply, singles
from advisor.errors import MissingTable
from advisor.memory import default_limit

PERIOD = 60.0


def main() -> None:
    options = read_options()
    rules = RULE_SETS[options.rules]
    race = Solitaire(full_supply((), rules), default_limit())
    try:
        known = race_tables.probe(options.tables, rules)
    except MissingTable:
        known = None
    if known is not None:
        race.known = known
        for hand in known.hands():
            race.node(hand)
    begin = time.monotonic()
    end = begin + 60 * options.minutes
    work = [((), options.width), *((hand, options.other) for hand in hands(options.upto))]
    saved = begin
    for hand, width in work:
        while race.node(hand).width > width and time.monotonic() < end:
            race.solve(hand, width, min(end, time.monotonic() + PERIOD))
            if time.monotonic() - saved > PERIOD:
                saved = time.monotonic()
                report(race, options.tables, begin, hand)
    report(race, options.tables, begin, ())


def hands(most: int) -> list[Hand]:
    """Return all hands of at most so many different cards."""
    chosen = (c for number in range(1, most + 1) for c in combinations(singles(), number))
    return [in_order(keys) for keys in chosen]


def report(race: Solitaire, where: Path, begin: float, hand: Hand) -> None:
    race_tables.write(where, race)
    node = race.node(hand)
    expanded = sum(node.expanded for node in race.nodes.values())
    print(
        f"{time.monotonic() - begin:.0f} s: {', '.join(hand) or 'no cards'} "
        f"{node.lower:.6f} to {node.upper:.6f}; {len(race.nodes)} hands, {expanded} expanded, "
        f"{race.passes} passes",
        flush=True,
    )


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rules", choices=list(RULE_SETS), default="rulebook")
    parser.add_argument("--width", type=float, default=1e-3, help="turns, for the empty hand")
    parser.add_argument("--upto", type=int, default=0, help="also all hands of so many cards")
    parser.add_argument("--other", type=float, default=1e-2, help="turns, for those hands")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=Path, default=Path(__file__).parents[1] / "tables")
    return parser.parse_args()


if __name__ == "__main__":
    main()
