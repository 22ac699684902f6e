"""The table of the whole race: what is known of hands with the full supply, in columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import reduce
from math import inf
from operator import and_
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor import KERNEL_REVISION
from advisor.court.race.files import folders, question
from advisor.court.race.hand import FINEST
from advisor.court.race.search import Node, Solitaire
from advisor.court.rules.cards import CARDS, ORDER, in_order
from advisor.court.rules.options import MULTIPLE, Hand, RuleSet
from advisor.court.turn.payoffs import Shares
from advisor.errors import CorruptTable, MissingTable, TableProblem
from advisor.intervals import Interval
from advisor.storage import tables

COLUMNS: Final = 6
"""Number of the hand, lower, upper, King in one turn, hand played as, purchases listed."""
CHECKSUM: Final = 12
"""Digits of a checksum that are shown."""
KEYS: Final = (None, *ORDER)
"""What a turn can end with, in the order of the bits that say what is listed."""


def number_of(hand: Hand) -> int:
    """Return the number of a hand: a bit a card, above them how many it has of the multiple one."""
    count = Counter(hand)
    bits = sum(1 << ORDER[key] for key in count if key != MULTIPLE)
    return bits + (count[MULTIPLE] << len(CARDS))


def hand_of(number: int) -> Hand:
    """Return the hand of a number."""
    keys = [card.key for card in CARDS if number >> ORDER[card.key] & 1]
    return in_order([*keys, *[MULTIPLE] * (number >> len(CARDS))])


def counts_of(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many of each card the hands of some numbers have: shape (hands, cards)."""
    counts = numbers[:, None] >> np.arange(len(CARDS)) & 1
    counts[:, ORDER[MULTIPLE]] = numbers >> len(CARDS)
    return counts


# ---------------------------------------------------------------- writing


def write(where: Path, race: Solitaire) -> tables.TableFile:
    """Write all that a race with the full supply knows."""
    found = sorted((number_of(node.cards), node) for node in worth_writing(race))
    listed = [_listed(node) for _, node in found]
    rows = np.array([_row(*each, keys) for each, keys in zip(found, listed, strict=True)])
    shares = [share for each in listed for share in each.values()]
    values = np.concatenate([[len(rows)], rows.T.ravel(), shares])
    return tables.write(where, question(race.supply.rules), KERNEL_REVISION, values)


def worth_writing(race: Solitaire) -> list[Node]:
    """Return the hands that more is known of than that their turn is too large."""
    return [node for node in race.nodes.values() if not (node.barred and node.turns.upper == inf)]


def _row(number: int, node: Node, listed: Shares) -> list[float]:
    as_if = -1 if node.as_if is None else number_of(node.as_if)
    bits = sum(1 << KEYS.index(key) for key in listed)
    return [number, node.turns.lower, node.turns.upper, node.king, as_if, bits]


def _listed(node: Node) -> Shares:
    """Return the purchases to list; closed hands go for the King alone, which needs no list."""
    if not node.expanded:
        return {}
    return {key: node.play[key] for key in KEYS if node.play.get(key)}


# ---------------------------------------------------------------- reading


class RaceTable:
    """Looks hands up in a table of the race."""

    def __init__(self, columns: NDArray[np.float64], shares: NDArray[np.float64], checksum: str):
        """Take over the columns (COLUMNS, hands), sorted by hand, and the shares listed."""
        self.columns, self.shares, self.checksum = columns, shares, checksum
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
        return Node(hand, Interval(lower, upper), king, bool(keys), shares, shares, seat)

    def __len__(self) -> int:
        """Return the number of hands."""
        return len(self.bits)

    def hands(self) -> list[Hand]:
        """Return all hands of the table."""
        return [hand_of(int(number)) for number in self.columns[0]]


class Joined:
    """Several tables as one: of every hand the narrowest bounds."""

    def __init__(self, tables: Sequence[RaceTable]) -> None:
        self.tables = tables
        self.checksum = " ".join(table.checksum[:CHECKSUM] for table in tables)

    def __call__(self, hand: Hand) -> Node | None:
        """Return what is known of a hand, None if nothing."""
        nodes = [node for table in self.tables if (node := table(hand))]
        if len(nodes) < 2:
            return nodes[0] if nodes else None
        node = min(nodes, key=lambda node: node.turns.upper)
        return replace(node, turns=reduce(and_, (other.turns for other in nodes)))

    def hands(self) -> list[Hand]:
        """Return all hands of the tables."""
        return list(dict.fromkeys(hand for table in self.tables for hand in table.hands()))

    def bounds(self) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the numbers of all hands, ascending, and their lower and their upper bounds."""
        columns = np.concatenate([table.columns[:3] for table in self.tables], axis=1)
        order = np.argsort(columns[0], kind="stable")
        every, lower, upper = columns[:, order]
        numbers, first = np.unique(every.astype(np.int64), return_index=True)
        return numbers, np.maximum.reduceat(lower, first), np.minimum.reduceat(upper, first)


def find(
    where: Path | None, rules: RuleSet, warn: Callable[[str], None] = lambda message: None
) -> Joined | None:
    """Return what the table of a folder and the shipped one know together, None without any.

    `warn` hears of tables that cannot be trusted.
    """
    found: dict[str, RaceTable] = {}
    for folder in folders(where):
        try:
            table = probe(folder, rules)
        except MissingTable:
            continue
        except TableProblem as problem:
            warn(str(problem))
        else:
            found.setdefault(table.checksum, table)
    return Joined(list(found.values())) if found else None


def probe(where: Path, rules: RuleSet) -> RaceTable:
    """Return the table of the race in a folder; raises a TableProblem."""
    found = tables.probe(where, question(rules), KERNEL_REVISION)
    # Small, and single numbers are looked up: a plain array is quicker than a mapped file.
    values = np.array(found.values())
    hands = int(values[0]) if found.count and 1 <= values[0] < found.count else 0
    split = 1 + COLUMNS * hands
    if hands and split <= found.count:
        columns = values[1:split].reshape(COLUMNS, hands)
        if _sound(columns, values[split:]):
            table = RaceTable(columns, values[split:], found.checksum())
            if table.ends[-1] == len(table.shares):
                return table
    raise CorruptTable(
        f"table {str(found.path)!r} does not hold what it lists: 'advisor precompute --goal "
        "turns' makes it anew"
    )


def _sound(columns: NDArray[np.float64], shares: NDArray[np.float64]) -> bool:
    """Return whether columns can be those of a table: nothing but numbers, bounds not crossed."""
    number, lower, upper, king, as_if, listed = columns
    bits = 2.0 ** len(KEYS)
    return bool(
        (np.diff(number) > 0).all()
        and (lower >= 1).all() and (lower <= upper).all()
        and (king >= 0).all() and (king <= 1).all()
        and (as_if >= -1).all() and (as_if < 1 << 62).all()
        and (listed >= 0).all() and (listed < bits).all()
        and (shares >= 0).all() and (shares <= 1 + FINEST).all()
    )  # fmt: skip
