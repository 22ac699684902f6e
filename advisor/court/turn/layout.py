"""Rules laid out as arrays: what each ability does to every multiset of active dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.court.rules.cards import Ability, AddPips, BringIn, MovePips, Reroll, SetValue
from advisor.dice import FACES, NONE, Counts, single
from advisor.multisets import SIZES, Ids, Rows, dictionary_order, ids, of_size, rows, table


class Copies(NamedTuple):
    """Uses of a card that copies a set-aside die.

    `direct`: ranks of the active dice after copying face `needs` (0 to 5) that lies aside already.
    `pulled`: one die of a face is set aside first and another turned into it; the items are
    face * (multisets of one die less) + rank of the dice still active.
    """

    direct: Rows
    needs: Ids
    pulled: Rows


class Uses(NamedTuple):
    """What each use of an ability takes and gives: counts of shape (uses, 6), in order of ties."""

    take: NDArray[np.int8]
    give: NDArray[np.int8]


@lru_cache(maxsize=512)
def moves(ability: Ability, active: int) -> Rows:
    """Return for each multiset of `active` dice the ranks of the dice after every use, by text."""
    owner, target, _ = _pairs(_uses(ability, active), active)
    return rows(owner, target, len(of_size(active)))


def _uses(ability: Ability, active: int) -> Uses:
    """Return the uses that take at most `active` dice; the fast twin of `turn.effects`."""
    match ability:
        case BringIn(values):
            return Uses(_counts([NONE] * len(values)), _counts([single(value) for value in values]))
        case SetValue():
            return _turned_one()
        case AddPips(amounts, limit):
            return _by_text(*_raised(amounts, min(limit or active, active)))
        case MovePips(limit):
            return _taking_at_most(active, _shifted(limit))
    raise TypeError(f"{ability} is not used by changing dice")


def _turned_one() -> Uses:
    pairs = [(a, b) for a in FACES for b in FACES if a != b]
    return Uses(_counts([single(a) for a, _ in pairs]), _counts([single(b) for _, b in pairs]))


def _raised(amounts: Sequence[int], most: int) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """Return what is taken and given where each of at most `most` dice gains the same amount."""
    parts = table(most)[1:]
    takes = [parts[~parts[:, 6 - amount :].any(axis=1)] for amount in amounts]
    gives = [np.roll(take, amount, axis=1) for take, amount in zip(takes, amounts, strict=True)]
    return np.concatenate(takes), np.concatenate(gives)


@lru_cache(maxsize=8)
def _shifted(limit: int) -> Uses:
    """Return every redistribution of the pips of at most `limit` dice; those that stay left out."""
    found = set()
    for size in range(2, limit + 1):
        parts = of_size(size)
        pips = parts @ np.arange(1, 7)
        for one, other in np.argwhere(pips[:, None] == pips):
            both = np.minimum(parts[one], parts[other])
            if one != other:
                found.add((tuple(parts[one] - both), tuple(parts[other] - both)))
    return _by_text(_counts([take for take, _ in found]), _counts([give for _, give in found]))


def _taking_at_most(active: int, uses: Uses) -> Uses:
    some = uses.take.sum(axis=1) <= active
    return Uses(uses.take[some], uses.give[some])


def _by_text(take: NDArray[np.int8], give: NDArray[np.int8]) -> Uses:
    """Return uses in the order of their texts.

    `turn 1 1 2 into ...` before `turn 1 1 into ...`, and `turn a 1 into ...` after all of them.
    """
    keys = [*_letters(give).T[::-1], *_letters(take).T[::-1], take.sum(axis=1) == 1]
    order = np.lexsort(keys)
    return Uses(take[order], give[order])


def _letters(counts: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return the values of the dice, ascending, one column a die; behind the last one a 7."""
    most = int(counts.sum(axis=1).max(initial=0))
    ends = np.cumsum(counts, axis=1)
    letters: NDArray[np.int64] = 1 + (ends[:, None, :] <= np.arange(most)[:, None]).sum(axis=2)
    return letters


@lru_cache(maxsize=32)
def copies(active: int) -> Copies:
    """Return the uses of a card that copies a die set aside, for each multiset of active dice."""
    singles = _turned_one()
    owner, target, which = _pairs(singles, active)
    count = len(of_size(active))
    direct = rows(owner, target, count)
    needed = rows(owner, _copied(singles)[which], count).items
    # Setting aside b and turning a into b leaves the active dice without one a.
    pulls = Uses(singles.take + singles.give, singles.give)
    by_copied = np.argsort(_copied(pulls), kind="stable")
    pulls = Uses(pulls.take[by_copied], pulls.give[by_copied])
    owner, target, which = _pairs(pulls, active)
    plane = len(of_size(active - 1))
    return Copies(direct, needed, rows(owner, _copied(pulls)[which] * plane + target, count))


def _copied(uses: Uses) -> Ids:
    copied: Ids = uses.give.argmax(axis=1).astype(np.int32)
    return copied


@lru_cache(maxsize=32)
def set_asides(active: int) -> Rows:
    """Return for each multiset of active dice the ids of what can be set aside, by preference."""
    parts = np.concatenate([of_size(number) for number in range(active, 0, -1)])
    return _kept(parts, active)


@lru_cache(maxsize=32)
def rerolls(ability: Reroll, active: int) -> Rows:
    """Return for each multiset of active dice the ids of what a re-roll keeps, by its text."""
    largest = min(ability.limit or active, active)
    parts = table(largest)[dictionary_order(largest)[1:]]
    return _kept(parts, active, kept=False)


def _kept(parts: NDArray[np.int8], active: int, *, kept: bool = True) -> Rows:
    """Return for each multiset the ids of the `parts` in it (or of what is left without them)."""
    owners, items, order = [], [], []
    sizes = parts.sum(axis=1)
    for size in np.unique(sizes):
        chosen, rest = parts[sizes == size], of_size(active - size)
        whole = chosen[:, None, :] + rest
        owners.append((ids(whole) - SIZES[active]).ravel())
        shown = ids(chosen)[:, None] if kept else ids(rest)
        items.append(np.broadcast_to(shown, whole.shape[:2]).ravel())
        places = np.flatnonzero(sizes == size)[:, None]
        order.append(np.broadcast_to(places, whole.shape[:2]).ravel())
    sort = np.argsort(np.concatenate(order), kind="stable")
    return rows(np.concatenate(owners)[sort], np.concatenate(items)[sort], len(of_size(active)))


def _pairs(uses: Uses, active: int) -> tuple[NDArray[np.intp], Ids, NDArray[np.intp]]:
    """Return (rank before, rank after, number of the use) of all applications, by use."""
    parts: list[tuple[Ids, Ids, NDArray[np.intp]]] = []
    sizes = uses.take.sum(axis=1)
    for size in np.unique(sizes[sizes <= active]):
        which = np.flatnonzero(sizes == size)
        take, give, rest = uses.take[which], uses.give[which], of_size(active - size)
        after = active - size + int(give[0].sum())
        parts.append(
            (
                ids(take[:, None, :] + rest) - SIZES[active],
                ids(give[:, None, :] + rest) - SIZES[after],
                np.broadcast_to(which[:, None], (len(which), len(rest))),
            )
        )
    if not parts:
        empty = np.zeros(0, dtype=np.int32)
        return empty.astype(np.intp), empty, empty.astype(np.intp)
    owner, target, number = (np.concatenate([p[i].ravel() for p in parts]) for i in range(3))
    sort = np.argsort(number, kind="stable")
    return owner[sort].astype(np.intp), target[sort].astype(np.int32), number[sort]


def _counts(multisets: list[Counts]) -> NDArray[np.int8]:
    return np.array(multisets, dtype=np.int8).reshape(len(multisets), 6)
