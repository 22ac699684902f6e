"""The table of the whole race: what is known of hands with the full supply, in columns."""

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

MODEL: Final = 2
"""Raised whenever the columns mean something else."""
COLUMNS: Final = 6
"""Number of the hand, lower, upper, King in one turn, hand played as, purchases listed."""
KEYS: Final = (None, *ORDER)
"""What a turn can end with, in the order of the bits that say what is listed."""


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


# ---------------------------------------------------------------- writing


def write(where: Path, race: Solitaire) -> tables.TableFile:
    """Write all that a race with the full supply knows."""
    found = sorted((number_of(n.cards), n) for n in race.nodes.values() if not n.barred)
    rows = np.array([_row(number, node) for number, node in found])
    # Closed hands go for the King alone: nothing to list.
    shares = [x for _, node in found if node.expanded for x in _listed(node).values()]
    values = np.concatenate([[len(rows)], rows.T.ravel(), shares])
    return tables.write(where, question(race.supply.rules), KERNEL_REVISION, values)


def _row(number: int, node: Node) -> list[float]:
    as_if = -1 if node.as_if is None else number_of(node.as_if)
    bits = sum(1 << KEYS.index(key) for key in _listed(node)) if node.expanded else 0
    return [number, node.lower, node.upper, node.king, as_if, bits]


def _listed(node: Node) -> Shares:
    return {key: node.play[key] for key in KEYS if node.play.get(key)}


# ---------------------------------------------------------------- reading


class RaceTable:
    """Looks hands up in a table of the race."""

    def __init__(self, columns: NDArray[np.float64], shares: NDArray[np.float64], name: str):
        """Take over the columns (COLUMNS, hands), sorted by hand, and the shares listed."""
        self.columns, self.shares, self.fingerprint = columns, shares, name
        self.bits = columns[-1].astype(np.int64)
        listed = sum((self.bits >> place & 1 for place in range(len(KEYS))), start=0 * self.bits)
        self.ends = np.cumsum(listed)

    def __call__(self, hand: Hand) -> Node | None:
        """Return what is known of a hand, None if nothing."""
        number = number_of(hand)
        place = int(np.searchsorted(self.columns[0], number))
        if place == len(self.bits) or self.columns[0, place] != number:
            return None
        _, lower, upper, king, as_if, _ = self.columns[:, place].tolist()
        bits = int(self.bits[place])
        keys = [key for bit, key in enumerate(KEYS) if bits >> bit & 1]
        end = int(self.ends[place])
        shares: Shares = dict(zip(keys, self.shares[end - len(keys) : end].tolist(), strict=True))
        if not keys:
            shares = {"king": king, None: 1 - king} if king else {None: 1.0}
        seat = None if as_if < 0 else hand_of(int(as_if))
        return Node(hand, lower, upper, king, bool(keys), shares, shares, seat)

    def __len__(self) -> int:
        """Return the number of hands."""
        return len(self.bits)

    def hands(self) -> list[Hand]:
        """Return all hands of the table."""
        return [hand_of(int(number)) for number in self.columns[0]]


def probe(where: Path, rules: RuleSet) -> RaceTable:
    """Return the table of the race in a folder; raises a TableProblem."""
    found = tables.probe(where, question(rules), KERNEL_REVISION)
    values = found.values()
    hands = int(values[0]) if found.count else 0
    columns = values[1 : 1 + COLUMNS * hands].reshape(COLUMNS, -1)
    table = RaceTable(columns, values[1 + COLUMNS * hands :], found.fingerprint)
    if not hands or table.ends[-1] != len(table.shares):
        raise CorruptTable(
            f"table {str(found.path)!r} does not hold what it lists: 'advisor precompute --goal "
            "turns' makes it anew"
        )
    return table
