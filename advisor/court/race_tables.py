"""The table of the whole race: what is known of hands with the full supply, as rows of numbers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor import KERNEL_REVISION, tables
from advisor.court.cards import CARDS, ORDER, in_order
from advisor.court.rules import MULTIPLE, RuleSet
from advisor.court.solitaire import Hand, Node, Shares, Solitaire
from advisor.errors import CorruptTable

MODEL: Final = 1
"""Raised whenever rows mean something else."""
FIXED: Final = 6
"""Columns before the shares: hand, lower, upper, King in one turn, hand played as, expanded."""
COLUMNS: Final = FIXED + 1 + len(CARDS)


def question(rules: RuleSet) -> tables.Question:
    """Return what the table of the race answers."""
    return {
        "game": "court", "values": "race", "rules": rules.options(), "supply": "full",
        "model": MODEL,
    }  # fmt: skip


def number_of(hand: Hand) -> int:
    """Return the number of a hand: a bit a card, above them how many it has of the multiple one."""
    count = Counter(hand)
    bits = sum(1 << ORDER[key] for key in count if key != MULTIPLE)
    return bits + (count[MULTIPLE] << len(CARDS))


def hand_of(number: int) -> Hand:
    """Return the hand of a number."""
    keys = [card.key for card in CARDS if number >> ORDER[card.key] & 1]
    return in_order([*keys, *[MULTIPLE] * (number >> len(CARDS))])


def write(where: Path, race: Solitaire) -> tables.TableFile:
    """Write all that a race with the full supply knows."""
    rows = np.array([_row(node) for node in race.nodes.values() if not node.barred])
    return tables.write(where, question(race.supply.rules), KERNEL_REVISION, rows.ravel())


def _row(node: Node) -> list[float]:
    shares = [node.play.get(key, 0.0) for key in (None, *ORDER)]
    as_if = -1 if node.as_if is None else number_of(node.as_if)
    return [
        number_of(node.cards), node.lower, node.upper, node.king, as_if, node.expanded, *shares
    ]  # fmt: skip


class RaceTable:
    """Looks hands up in a table of the race."""

    def __init__(self, rows: NDArray[np.float64], fingerprint: str) -> None:
        self.rows, self.fingerprint = rows, fingerprint
        self.places = {int(number): place for place, number in enumerate(rows[:, 0])}

    def __call__(self, hand: Hand) -> Node | None:
        """Return what is known of a hand, None if nothing."""
        place = self.places.get(number_of(hand))
        if place is None:
            return None
        _, lower, upper, king, as_if, expanded, *rest = self.rows[place].tolist()
        shares: Shares = {key: x for key, x in zip((None, *ORDER), rest, strict=True) if x}
        seat = None if as_if < 0 else hand_of(int(as_if))
        return Node(hand, lower, upper, king, bool(expanded), shares, shares, seat)

    def hands(self) -> list[Hand]:
        """Return all hands of the table."""
        return [hand_of(number) for number in self.places]


def probe(where: Path, rules: RuleSet) -> RaceTable:
    """Return the table of the race in a folder; raises a TableProblem."""
    found = tables.probe(where, question(rules), KERNEL_REVISION)
    if found.count % COLUMNS:
        raise CorruptTable(
            f"table {str(found.path)!r} has {found.count} values, not a multiple of {COLUMNS}: "
            "'scripts/solve_race.py' makes it anew"
        )
    return RaceTable(found.values().reshape(-1, COLUMNS), found.fingerprint)
