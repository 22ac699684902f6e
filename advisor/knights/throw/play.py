"""Dice play as arrays: 462 holdings, 924 keeps, best play for many worths side by side.

A holding is a multiset of exactly six dice whose sixes are out; a keep is a multiset of at most six
dice, the kept ones and the sixes, and the rest is thrown. Both are numbered as in
`advisor.multisets`. Worths and values have one row a holding or keep and one column a worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor import multisets
from advisor.dice import Counts
from advisor.knights.rules.options import DICE, DieCards, RuleSet, rank
from advisor.multisets import SIZES
from advisor.ties import TIE

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]

FIRST: Final = int(SIZES[DICE])
"""The number of the first keep of all six dice: a holding is a keep with all dice kept."""

HOLDINGS: Final = int(SIZES[DICE + 1]) - FIRST
_SCALE: Final = 6**10
_BLOCK: Final = 64


@dataclass(frozen=True)
class Graph:
    """What can be thrown after a keep and kept after a throw.

    `fall_*`: the possible (keep, decision node) pairs ordered by keep. A decision node is a
    holding, or with locked dice a holding and what was kept before. `keep_*`: the keeps at each
    node in the order of ties (more dice first, then the smaller digit string).
    """

    fall_begin: Numbers
    fall_keep: Numbers
    fall_node: Numbers
    fall_chance: Values
    keep_begin: Numbers
    keep_to: Numbers
    node_holding: Numbers


@lru_cache(maxsize=2)
def graph(kept_locked: bool) -> Graph:
    """Return the arrays for free or locked dice."""
    keeps = multisets.table(DICE)
    holdings = keeps[FIRST:]
    fallen = holdings[None, :, :] - keeps[:, None, :]
    possible = (fallen >= 0).all(axis=2)
    keep, holding = np.nonzero(possible)
    number = DICE - keeps[keep].sum(axis=1, dtype=np.int64)
    ways = multisets.weights(DICE)[multisets.ids(fallen[keep, holding])]
    # What is kept of a holding: a part of it with all its sixes.
    kept_of, kept = _ordered_parts(possible & (fallen[:, :, 5] == 0))
    if kept_locked:
        node, node_holding = np.arange(len(keep)), holding
        owner, kept = _locked_parts(keeps, keep, holding, kept_of, kept)
    else:
        node, node_holding, owner = holding, np.arange(HOLDINGS), kept_of
    return Graph(
        fall_begin=_begins(keep, len(keeps)),
        fall_keep=keep,
        fall_node=node,
        fall_chance=ways / 6.0**number,
        keep_begin=_begins(owner, len(node_holding)),
        keep_to=kept,
        node_holding=node_holding,
    )


def _ordered_parts(possible: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """Return (holding, keep) for every part that may be kept, in the order of ties."""
    kept, holding = np.nonzero(possible)
    size = multisets.table(DICE).sum(axis=1, dtype=np.int64)[kept]
    order = np.lexsort((kept, -size, holding))
    return holding[order], kept[order]


def _locked_parts(
    keeps: NDArray[np.int8], before: Numbers, holding: Numbers, kept_of: Numbers, kept: Numbers
) -> tuple[Numbers, Numbers]:
    begin = _begins(kept_of, HOLDINGS + 1)
    owners, parts = [], []
    for node, (locked, held) in enumerate(zip(before, holding, strict=True)):
        found = kept[begin[held] : begin[held + 1]]
        found = found[(keeps[found, :5] >= keeps[locked, :5]).all(axis=1)]
        owners.append(np.full(len(found), node))
        parts.append(found)
    return np.concatenate(owners), np.concatenate(parts)


def _begins(owner: Numbers, count: int) -> Numbers:
    return np.searchsorted(owner, np.arange(count))


# ---------------------------------------------------------------- numbers of holdings and keeps


def keep_number(dice: Counts) -> int:
    """Return the number of a keep: kept dice and sixes."""
    return int(multisets.ids(np.array(dice, dtype=np.int8)))


@lru_cache(maxsize=128)
def codes(cards: DieCards, rules: RuleSet) -> Numbers:
    """Return each holding's rank together with Die cards as one number, in the order of ranks."""
    return np.array(
        [code(rank(tuple(map(int, held)), cards, rules)) for held in multisets.of_size(DICE)]
    )


def code(ranked: tuple[int, ...]) -> int:
    """Return a rank as one number; a missing die beside the group counts as 0."""
    size, value, *rest = ranked
    beside: int = sum(die * 6 ** (9 - place) for place, die in enumerate(rest))
    return (size * 6 + value) * _SCALE + beside


# ---------------------------------------------------------------- best play


def solve(worth: Values, throws: int, kept_locked: bool) -> list[Values]:
    """Return the values of all keeps with 0, 1, ... `throws` throws left, best play after.

    `worth` has one row a holding. With no throw left only the keeps of all dice have a value.
    """
    links = graph(kept_locked)
    stop = np.full((FIRST, *worth.shape[1:]), -np.inf)
    found = [np.concatenate((stop, worth))]
    for _ in range(throws):
        decided = _best(found[-1], links)[links.fall_node]
        chance = links.fall_chance.reshape(-1, *[1] * (worth.ndim - 1))
        values = np.add.reduceat(chance * decided, links.fall_begin, axis=0)
        values[FIRST:] = worth
        found.append(values)
    return found


def _best(values: Values, links: Graph) -> Values:
    best: Values = np.maximum.reduceat(values[links.keep_to], links.keep_begin, axis=0)
    return best


def start(worth: Values, throws: int, kept_locked: bool) -> Values:
    """Return the value before the first of so many throws, one number a worth."""
    blocks = [solve(part, throws, kept_locked)[throws][0] for part in _columns(worth)]
    return np.concatenate(blocks)


def outcomes(worth: Values, throws: int, kept_locked: bool) -> Values:
    """Return the chance of each final holding under best play; ties go to the first keep."""
    blocks = [_outcomes(part, throws, kept_locked) for part in _columns(worth)]
    return np.concatenate(blocks, axis=1)


def _columns(worth: Values) -> list[Values]:
    return [worth[:, at : at + _BLOCK] for at in range(0, worth.shape[1], _BLOCK)]


def _outcomes(worth: Values, throws: int, kept_locked: bool) -> Values:
    links = graph(kept_locked)
    values = solve(worth, throws, kept_locked)
    lanes = np.arange(worth.shape[1])
    before = np.zeros((FIRST + HOLDINGS, len(lanes)))
    before[0] = 1.0
    done = np.zeros((HOLDINGS, len(lanes)))
    for left in range(throws - 1, -1, -1):
        fallen = links.fall_chance[:, None] * before[links.fall_keep]
        chance = np.zeros((len(links.node_holding), len(lanes)))
        np.add.at(chance, links.fall_node, fallen)
        if left == 0:
            np.add.at(done, links.node_holding, chance)
            break
        before = np.zeros_like(before)
        np.add.at(before, (choices(values[left], links), lanes), chance)
        done += before[FIRST:]
        before[FIRST:] = 0.0
    return done


def choices(values: Values, links: Graph) -> Numbers:
    """Return the keep chosen at each node: the first of those within 1e-12 of the best."""
    offered = values[links.keep_to]
    best = np.maximum.reduceat(offered, links.keep_begin, axis=0)
    sizes = np.diff(np.append(links.keep_begin, len(links.keep_to)))
    good = offered >= np.repeat(best, sizes, axis=0) - TIE
    place = np.arange(len(links.keep_to)).reshape(-1, *[1] * (values.ndim - 1))
    first = np.minimum.reduceat(np.where(good, place, len(links.keep_to)), links.keep_begin, axis=0)
    return links.keep_to[first]
