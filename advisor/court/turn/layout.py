"""Rules laid out as arrays: what each ability does to every multiset of active dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor import dice
from advisor.court.rules.cards import Ability, BringIn, Reroll
from advisor.court.rules.turn import Effect, bring_in, changes, taken_sizes, turn_one
from advisor.dice import FACES, Counts
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


@lru_cache(maxsize=512)
def moves(ability: Ability, active: int) -> Rows:
    """Return for each multiset of `active` dice the ranks of the dice after every use, by text."""
    return _applied(_effects(ability, active), active)


@lru_cache(maxsize=512)
def _effects(ability: Ability, active: int) -> tuple[Effect, ...]:
    if isinstance(ability, BringIn):
        return tuple(bring_in(value) for value in ability.values)
    smallest, largest = taken_sizes(ability, active)
    found = {
        effect
        for size in range(smallest, min(largest, active) + 1)
        for part, _ in dice.rolls(size)
        for effect in changes(ability, part)
    }
    return tuple(sorted(found, key=lambda effect: effect.text))


@lru_cache(maxsize=32)
def copies(active: int) -> Copies:
    """Return the uses of a card that copies a die set aside, for each multiset of active dice."""
    singles = [turn_one(a, b) for a in FACES for b in FACES if a != b]
    singles.sort(key=lambda effect: effect.text)
    owner, target, which = _pairs(singles, active)
    needs = _copied(singles)
    count = len(of_size(active))
    direct, needed = rows(owner, target, count), rows(owner, needs[which], count).items
    # Setting aside b and turning a into b leaves the active dice without one a.
    pulls = [replace(effect, take=dice.plus(effect.take, effect.give)) for effect in singles]
    pulls.sort(key=lambda effect: (dice.faces(effect.give), effect.text))
    owner, target, which = _pairs(pulls, active)
    plane = len(of_size(active - 1))
    return Copies(direct, needed, rows(owner, _copied(pulls)[which] * plane + target, count))


def _copied(effects: Sequence[Effect]) -> Ids:
    return np.array([dice.faces(effect.give)[0] - 1 for effect in effects], dtype=np.int32)


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


def _applied(effects: tuple[Effect, ...], active: int) -> Rows:
    owner, target, _ = _pairs(effects, active)
    return rows(owner, target, len(of_size(active)))


def _pairs(
    effects: Sequence[Effect], active: int
) -> tuple[NDArray[np.intp], Ids, NDArray[np.intp]]:
    """Return (rank before, rank after, number of the effect) of all applications, by effect."""
    parts: list[tuple[Ids, Ids, NDArray[np.intp]]] = []
    for size in sorted({sum(effect.take) for effect in effects}):
        if size > active:
            continue
        which = np.array([i for i, effect in enumerate(effects) if sum(effect.take) == size])
        take = _counts([effects[i].take for i in which])
        give = _counts([effects[i].give for i in which])
        rest = of_size(active - size)
        before, after = ids(take[:, None, :] + rest), ids(give[:, None, :] + rest)
        change = int(give[0].sum()) - size
        parts.append(
            (
                before - SIZES[active],
                after - SIZES[active + change],
                np.broadcast_to(which[:, None], before.shape),
            )
        )
    if not parts:
        empty = np.zeros(0, dtype=np.int32)
        return empty.astype(np.intp), empty, empty.astype(np.intp)
    owner, target, number = (np.concatenate([p[i].ravel() for p in parts]) for i in range(3))
    sort = np.argsort(number, kind="stable")
    return owner[sort].astype(np.intp), target[sort].astype(np.int32), number[sort]


def _counts(multisets: list[Counts]) -> NDArray[np.int8]:
    return np.array(multisets, dtype=np.int8)
