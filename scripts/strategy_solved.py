"""Work out the numbers of docs/strategy.md that no table holds, into docs/strategy.json.

    nice python scripts/strategy_solved.py

The race from no cards without each card in turn, and the greatest chance of the King in the fewest
turns. About 15 minutes on one core, each race being saved as it is done. These are certified bounds
by themselves: a table that knows more does not make them wrong. What the file has is kept; delete
it to begin anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from advisor.court.race import known as race_tables
from advisor.court.race.course import Pace
from advisor.court.race.search import Solitaire
from advisor.court.rules.cards import BY_KEY, BringIn, StartDice
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.supply import Supply, singles, supply_for
from advisor.storage import places
from advisor.units import default_limit

FILE: Final = Path(__file__).parents[1] / "docs/strategy.json"
WIDTH: Final = 5e-3
"""Of the intervals without a card, in turns."""
FEWEST: Final = 5
"""Turns: with three dice at the start and four purchases before the one of the King."""


def main() -> None:
    found = load() if FILE.exists() else {"without": {}}
    for key in singles():
        if key not in found["without"]:
            found["without"][key] = race_without(key)
            save(found)
            print(key, found["without"][key], flush=True)
    found["soonest"] = soonest()
    save(found)


def load() -> dict[str, Any]:
    """Return what was worked out: intervals by missing card, bounds of the soonest King."""
    loaded: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return loaded


def save(found: dict[str, Any]) -> None:
    FILE.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def race_without(key: str) -> list[float]:
    """Return bounds of the turns from no cards when a card (and its line) is not for sale."""
    known = race_tables.probe(places.shipped(), RULEBOOK)
    supply = supply_for((), RULEBOOK, [key])
    node = Solitaire(supply, default_limit(), floor=known).solve((), WIDTH)
    return [node.turns.lower, node.turns.upper]


def soonest() -> list[float]:
    """Return bounds of the greatest chance of the King in the fewest turns.

    Four purchases must bring four dice: three of one die each before six alike can pay for the
    General, so that nothing but cards that bring dice in or add them at the start is of use.
    """
    cards = frozenset(k for k in singles() if isinstance(BY_KEY[k].ability, StartDice | BringIn))
    pace = Pace(Solitaire(Supply(cards, RULEBOOK), default_limit()))
    within = pace.within(())
    assert within[FEWEST - 2].upper == 0
    return [within[FEWEST - 1].lower, within[FEWEST - 1].upper]


if __name__ == "__main__":
    main()
