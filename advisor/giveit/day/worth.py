"""What a day is played for, as arrays: the chance to reach the throne, or gold.

With purses in the state every set of purses that can come about, with its captain, is a money
state; otherwise there is one. A transition leads to one money state, or to several among which the
old captain chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.giveit.rules import captain as gold
from advisor.giveit.rules.corridor import MESSENGERS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Money = tuple[gold.Purses, int]
"""Purses and captain."""

ABSENT: Final = -1


@dataclass(frozen=True)
class Change:
    """Where money goes from each money state.

    `gains` [states, 4]; `to` [choices, states]: the money states after it, ABSENT beyond the last
    choice; `chooser` [states]: whose choice that is.
    """

    gains: Floats
    to: Ints
    chooser: Ints

    @property
    def stays(self) -> NDArray[np.bool_]:
        """Which money states a change leaves as they are."""
        found: NDArray[np.bool_] = self.to[0] == np.arange(self.to.shape[1])
        return found


@dataclass(frozen=True)
class Worth:
    """What a day is played for, in each part of the board.

    `throne[part]` [states, movers, messengers, 4]: what everybody gets when the mover leads a
    messenger in; `carpet[mover][messenger]`: from the states of the open part to the other;
    `blame[part]`; `order[part]`: groups of states, each after those that its passes lead to.
    """

    players: int
    throne: tuple[Floats, Floats]
    carpet: tuple[tuple[Change, ...], ...]
    blame: tuple[Change, Change]
    order: tuple[tuple[Ints, ...], tuple[Ints, ...]]
    states: tuple[tuple[Money, ...], tuple[Money, ...]] = ((), ())

    @property
    def sizes(self) -> tuple[int, int]:
        """Number of money states in each part."""
        return len(self.throne[0]), len(self.throne[1])


def reach(players: int) -> Worth:
    """Return the worth of reaching the throne: 1 to the messenger that does."""
    throne = np.tile(np.eye(MESSENGERS), (1, players, 1, 1))
    return _fixed(players, throne, lambda active, messenger: (0,) * players, (0,) * players)


def fixed_gold(players: int, deliver: Sequence[float], captain: int) -> Worth:
    """Return the worth of gold with a captain who stays and purses without limit."""
    throne = np.zeros((1, players, MESSENGERS, MESSENGERS))
    for active in range(players):
        for messenger in range(MESSENGERS):
            throne[0, active, messenger] = delivery(players, deliver, active, messenger)
    return _fixed(
        players,
        throne,
        lambda active, messenger: gold.carpet(messenger, active, captain, players),
        gold.blame(captain, players),
    )


def delivery(players: int, deliver: Sequence[float], active: int, messenger: int) -> Floats:
    """Return what everybody gains when a messenger enters, purses aside."""
    gains = np.zeros(MESSENGERS)
    if messenger < players:
        gains[messenger] = deliver[messenger]
    else:
        gains[:players] = gold.trainee_led(active, players)
    return gains


def _fixed(
    players: int,
    throne: Floats,
    carpet: Callable[[int, int], Sequence[float]],
    blame: Sequence[float],
) -> Worth:
    here = np.zeros((1, 1), dtype=np.int64)

    def change(gains: Sequence[float]) -> Change:
        return Change(_row(gains)[None], here, here[0])

    return Worth(
        players,
        (throne, throne),
        tuple(
            tuple(change(carpet(active, messenger)) for messenger in range(MESSENGERS))
            for active in range(players)
        ),
        (change(blame), change(blame)),
        ((here[0],), (here[0],)),
    )


def _row(gains: Iterable[float]) -> Floats:
    row = np.zeros(MESSENGERS)
    listed = list(gains)
    row[: len(listed)] = listed
    return row


# ---------------------------------------------------------------- purses


def purse_gold(deliver: Sequence[float], captain: int, purses: gold.Purses, taken: bool) -> Worth:
    """Return the worth of gold with purses: payments as far as they go, captains who change.

    The first money state of its part is the one asked for; `taken`: the carpet has been reached.
    """
    players = len(purses)
    start: Money = (purses, captain)
    before = [] if taken else _closure([start], players)
    landed = [start] if taken else []
    for state in before:
        for active in range(players):
            for messenger in range(MESSENGERS):
                landed += _after(state, gold.carpet(messenger, active, state[1], players))[1]
    after = _closure(landed, players)
    places = [{state: place for place, state in enumerate(part)} for part in (before, after)]
    return Worth(
        players,
        (_thrones(before, players, deliver), _thrones(after, players, deliver)),
        tuple(
            tuple(_landing(before, places[1], active, messenger) for messenger in range(MESSENGERS))
            for active in range(players)
        ),
        (_blame(before, places[0]), _blame(after, places[1])),
        (_order(before), _order(after)),
        (tuple(before), tuple(after)),
    )


def _after(state: Money, gains: Sequence[int]) -> tuple[tuple[int, ...], list[Money]]:
    """Return what everybody gains in truth, and the states among which the captain chooses."""
    purses, captain = state
    true = gold.afforded(gains, purses)
    left = tuple(purse + gain for purse, gain in zip(purses, true, strict=True))
    return true, [(left, heir) for heir in gold.heirs(left, captain)]


def _closure(states: Iterable[Money], players: int) -> list[Money]:
    """Return all that passes can make of some money states, these first."""
    found = dict.fromkeys(states)
    new = list(found)
    while new:
        _, more = _after(new[0], gold.blame(new[0][1], players))
        more = [state for state in more if state not in found]
        found.update(dict.fromkeys(more))
        new = new[1:] + more
    return list(found)


def _thrones(states: Sequence[Money], players: int, deliver: Sequence[float]) -> Floats:
    throne = np.zeros((len(states), players, MESSENGERS, MESSENGERS))
    for place, (purses, _) in enumerate(states):
        for active in range(players):
            for messenger in range(MESSENGERS):
                gains = delivery(players, deliver, active, messenger)
                throne[place, active, messenger] = np.maximum(gains, -_row(purses))
    return throne


def _change(found: Sequence[tuple[tuple[int, ...], list[int]]], choosers: Sequence[int]) -> Change:
    most = max((len(to) for _, to in found), default=1)
    to = np.full((most, len(found)), ABSENT, dtype=np.int64)
    for place, (_, choices) in enumerate(found):
        to[: len(choices), place] = choices
    gains = np.array([_row(gains) for gains, _ in found]).reshape(-1, MESSENGERS)
    return Change(gains, to, np.array(choosers, dtype=np.int64))


def _landing(
    states: Sequence[Money], places: dict[Money, int], active: int, messenger: int
) -> Change:
    found = []
    for state in states:
        gains, choices = _after(state, gold.carpet(messenger, active, state[1], len(state[0])))
        found.append((gains, [places[choice] for choice in choices]))
    return _change(found, [captain for _, captain in states])


def _blame(states: Sequence[Money], places: dict[Money, int]) -> Change:
    found = []
    for state in states:
        gains, choices = _after(state, gold.blame(state[1], len(state[0])))
        found.append((gains, [places[choice] for choice in choices]))
    return _change(found, [captain for _, captain in states])


def _order(states: Sequence[Money]) -> tuple[Ints, ...]:
    totals = np.array([sum(purses) for purses, _ in states], dtype=np.int64)
    return tuple(np.flatnonzero(totals == total) for total in np.unique(totals))
