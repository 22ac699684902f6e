"""A small graph of the kernel written by hand, and calls of it with arguments spoilt at random.

Run as a program, it makes many such calls; a fault of the kernel ends the process.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from itertools import product

import numpy as np

from advisor import _kernel, multisets
from advisor.errors import ForeignValues
from advisor.multisets import SIZES, Rows

MOST = 4


def listed(number, found):
    """Return Rows over the multisets of `number` dice from a list of (rank, item)."""
    owner = np.array([rank for rank, _ in found], dtype=np.intp)
    items = np.array([item for _, item in found], dtype=np.int32)
    return multisets.rows(owner, items, len(multisets.of_size(number)))


def rank(counts):
    return int(multisets.ids(np.array(counts, dtype=np.int8)) - SIZES[sum(counts)])


def changed(counts, *changes):
    """Return counts with (face, number) added, None if there are not so many dice."""
    after = [int(count) for count in counts]
    for face, number in changes:
        after[face] += number
    return None if min(after) < 0 else after


@cache
def brings(number):
    """One more die, showing 1."""
    return listed(number, [(i, rank(changed(counts, (0, 1))))
                           for i, counts in enumerate(multisets.of_size(number))])  # fmt: skip


@cache
def copies(number):
    """(moves, needs, pulled) of a card that copies a die set aside."""
    direct, needs, pulled = [], [], []
    plane = len(multisets.of_size(number - 1))
    for i, counts in enumerate(multisets.of_size(number)):
        for old in range(6):
            for new in range(6):
                if old != new and changed(counts, (old, -1)):
                    direct.append((i, rank(changed(counts, (old, -1), (new, 1)))))
                    needs.append(new)
                    left = changed(counts, (old, -1), (new, -1))
                    if left:
                        copied = changed(counts, (new, -1), (old, -1), (new, 1))
                        pulled.append((i, new * plane + rank(copied)))
    return listed(number, direct), np.array(needs, dtype=np.int32), listed(number, pulled)


@cache
def sets(number):
    """One die takes any other value."""
    return listed(number, [
        (i, rank(changed(counts, (old, -1), (new, 1))))
        for i, counts in enumerate(multisets.of_size(number))
        for old in range(6) for new in range(6) if new != old and counts[old]
    ])  # fmt: skip


@cache
def raises(number, pips):
    """Each of any number of dice gains so many pips."""
    found = []
    for i, counts in enumerate(multisets.of_size(number)):
        for raised in product(*(range(n + 1) for n in counts[: 6 - pips])):
            after = counts.copy()
            after[: 6 - pips] -= raised
            after[pips:] += raised
            found.append((i, rank(after)))
    return listed(number, found)


@cache
def parts(number, least, below):
    """Rows of the ids of all parts of `least` to below `below` dice."""
    every = multisets.table(number)
    return listed(number, [
        (i, part) for i, counts in enumerate(multisets.of_size(number))
        for part in range(SIZES[least], SIZES[below]) if (every[part] <= counts).all()
    ])  # fmt: skip


def arguments():
    """Return what a graph of three to four dice with a card of each kind is made of."""
    cards = [
        (_kernel.MOVE, 0, [None, *(brings(n) for n in range(1, MOST))]),
        (_kernel.REROLL, 2, []),
        (_kernel.COPY, 0, []),
        (_kernel.REROLL, MOST, []),
        (_kernel.SET, 0, []),
        (_kernel.RAISE, 2, []),
    ]
    return [3, MOST, 1, 4, cards, multisets.space(MOST)]


def by_number(found):
    return [None, *(found(number) for number in range(1, MOST + 1))]


def order():
    """Return the lists by which `follow` chooses: set-asides and uses by card."""
    return by_number(lambda n: parts(n, 1, n + 1)), [
        [],
        by_number(lambda n: parts(n, max(n - 2, 0), n)),
        by_number(copies),
        by_number(lambda n: parts(n, 0, n)),
        by_number(sets),
        by_number(lambda n: raises(n, 2)),
    ]


def utilities(goals=2):
    counts = multisets.table(MOST).astype(np.float64)
    return np.stack([counts[:, 1] == 2, (counts @ np.arange(1, 7)) >= 15][:goals]).astype(float)


def calls():
    """Return (method, arguments) of one sound call of each method."""
    graph = _kernel.TurnGraph(*arguments())
    values = graph.solve(utilities())
    asides, uses = order()
    hope = graph.hope(utilities())[0]
    nodes, shares = np.array([0, 7, 9]), np.array([0.5, 0.25, 0.25])
    everything = [values[0], asides, uses, 63, 1, np.array([0, 1]), np.ones(2) / 2, True, hope]
    return graph, {
        "memory": [2],
        "solve": [utilities(), 0],
        "hope": [utilities()],
        "nodes": [values, 2, False, 63],
        "follow": [values[0], asides, uses, 63, 0, nodes, shares, False, None],
        "follow of a die set aside": everything,
    }


ODD = [-1, 0, 1, 3, 5, 64, 10**6, 2**31, 2**32 + 1, 2**63, -(2**63), 10**30, None, 1.5, "x", True,
       [], (), [None] * 5, b"abc", object()]  # fmt: skip


def spoilt(value, draw):
    """Return something like `value` that is wrong somewhere, or may be."""
    if isinstance(value, np.ndarray) and draw.random() < 0.8:
        return spoilt_array(value, draw)
    if isinstance(value, list | tuple) and len(value) and draw.random() < 0.9:
        place = draw.randrange(len(value))
        left = [*value[:place], spoilt(value[place], draw), *value[place + 1 :]]
        if draw.random() < 0.1:
            left = left[:place]
        whole = isinstance(value, Rows) and len(left) == 2
        return Rows(*left) if whole else left if isinstance(value, list) else tuple(left)
    return draw.choice(ODD)


def spoilt_array(array, draw):
    kinds = [
        lambda: array.astype(draw.choice([np.int8, np.int32, np.int64, np.float32, np.float64])),
        lambda: array[: draw.randrange(len(array) + 1)],
        lambda: np.concatenate([array, array]),
        lambda: np.repeat(array, 2, axis=0)[::2],
        lambda: array[::-1],
        lambda: array[None],
        lambda: array.ravel(),
        lambda: np.frombuffer(b"\0" + array.tobytes(), dtype=np.uint8)[1:].view(array.dtype),
        lambda: array.newbyteorder() if hasattr(array, "newbyteorder") else array.byteswap(),
        lambda: changed_entry(array, draw),
        lambda: changed_entry(array, draw),
        lambda: changed_entry(array, draw),
    ]
    return draw.choice(kinds)()


def changed_entry(array, draw):
    """Return a copy with one entry a little or very different."""
    after = array.copy()
    if after.size:
        place = draw.randrange(after.size)
        odd = [1, -1, 2, 60, 1e3, -1e6, 2e9]
        odd += [np.nan, np.inf, -np.inf] if after.dtype.kind == "f" else []
        with np.errstate(all="ignore"):
            after.flat[place] = (after.flat[place] + draw.choice(odd)).astype(after.dtype)
    return after


def try_calls(number, seed):
    """Make spoilt calls; return how many were refused and how many answered."""
    draw = random.Random(seed)
    graph, sound = calls()
    there = np.zeros((2, graph.size))
    sound["solve into"] = [utilities(), 1, there, bytearray(1)]
    made = arguments()
    refused = answered = 0
    for _ in range(number):
        method = draw.choice(["new", *sound])
        given = list(made if method == "new" else sound[method])
        place = draw.randrange(len(given))
        given[place] = spoilt(given[place], draw)
        try:
            if method == "new":
                other = _kernel.TurnGraph(*given)
                other.solve(np.zeros((1, SIZES[other.most_dice + 1])) + 0.5)
            else:
                getattr(graph, method.split()[0])(*given)
            answered += 1
        except (ValueError, TypeError, ForeignValues):
            refused += 1
    return refused, answered


if __name__ == "__main__":
    print(*try_calls(int(sys.argv[1]), int(sys.argv[2])))
