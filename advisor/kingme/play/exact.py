"""Options valued exactly: each deal that is possible solved with open goals, weighted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.kingme.play.options import Option, View, Vote
from advisor.kingme.round.payoff import GONE
from advisor.kingme.round.solve import TIE, Solution, TooMany, members_of, solve
from advisor.kingme.rules.castle import inside, moved
from advisor.kingme.rules.data import OUT, THRONE, TOP
from advisor.kingme.rules.game import Phase, Raise
from advisor.kingme.rules.goals import Goal

Array = NDArray[np.float64]

MOST_DEALS: Final = 20_000
"""Deals that are enumerated."""
WORK: Final = 60_000_000
"""Numbers (states times deals times players) up to which all deals are solved: some 20 s."""


@dataclass(frozen=True)
class Exact:
    """Values by option, how many deals and states they rest on, the chance of another's No."""

    values: dict[Option, float]
    deals: int
    states: int
    another_no: float | None = None


@dataclass(frozen=True)
class _Deals:
    """Deals that differ in the castle: goals by seat, chances, those of the own seat in them."""

    goals: list[list[Goal]]
    chances: Array


def exact(view: View, work: int = WORK) -> Exact | None:
    """Return the values of all options, None where that is too much work or while placing."""
    game = view.game
    if game.phase not in (Phase.RAISE, Phase.VOTE) or view.found.deals.number > MOST_DEALS:
        return None
    deals = _deals(view)
    most = work // (len(deals.goals) * game.players)
    try:
        return (
            _raised(view, deals, most) if game.phase is Phase.RAISE else _voted(view, deals, most)
        )
    except TooMany:
        return None


def _deals(view: View) -> _Deals:
    """Return the possible deals, those joined that do not differ in the castle."""
    here = frozenset(inside(view.game.castle))
    cards = [card & here for card in view.found.deck.cards]
    joined: dict[tuple[Goal, ...], float] = defaultdict(float)
    for deal, chance in view.found.deals.each():
        joined[tuple(cards[card] for card in deal)] += chance
    own = view.goal & here
    goals = []
    for others in joined:
        seats = dict(zip(view.found.seats, others, strict=True))
        goals.append([seats.get(seat, own) for seat in range(view.game.players)])
    return _Deals(goals, np.array(list(joined.values())))


def _raised(view: View, deals: _Deals, most: int) -> Exact:
    game = view.game
    found = solve(game.castle, game.seat, deals.goals, game.no_left, view.payoff, most)
    values: dict[Option, float] = {
        Raise(choice.character): float(deals.chances @ choice.values[:, view.me])
        for choice in found.choices
    }
    return Exact(values, len(deals.goals), found.states)


def _voted(view: View, deals: _Deals, most: int) -> Exact:
    """Return the values of the own Yes and No, the others voting by the convention."""
    game, me = view.game, view.me
    solved: dict[tuple[int, ...], Solution] = {}

    def refused(seats: Iterable[int]) -> Array:
        """Return the values by deal and seat after the No of these seats."""
        spent = tuple(sorted(seats))
        if spent not in solved:
            assert game.candidate is not None
            left = tuple(n - (seat in spent) for seat, n in enumerate(game.no_left))
            castle = moved(game.castle, game.candidate, OUT)
            turn = (game.seat + 1) % game.players
            solved[spent] = solve(castle, turn, deals.goals, left, view.payoff, most)
        return solved[spent].values

    crowned = _crowned(view, deals)
    by = np.full(len(deals.goals), -1)
    for distance in range(1, game.players + 1):
        seat = (game.seat + distance) % game.players
        if seat != me and game.no_left[seat]:
            gains = refused([seat])[:, seat] > crowned[:, seat] + TIE
            by = np.where((by < 0) & gains, seat, by)
    yes, no = crowned[:, me].copy(), np.zeros(len(by))
    may = game.no_left[me] > 0
    for seat in sorted(set(by.tolist())):
        rows = by == seat
        if seat >= 0:
            yes[rows] = refused([seat])[rows, me]
        if may:
            no[rows] = refused([me] if seat < 0 else [seat, me])[rows, me]
    values: dict[Option, float] = {Vote(False): float(deals.chances @ yes)}
    if may:
        values[Vote(True)] = float(deals.chances @ no)
    states = sum(solution.states for solution in solved.values())
    return Exact(values, len(by), states, float(deals.chances @ (by >= 0)))


def _crowned(view: View, deals: _Deals) -> Array:
    """Return the values by deal and seat if the one on the throne is crowned."""
    castle = view.game.castle
    floors = np.array([[TOP if at == THRONE else GONE if at < 0 else at for at in castle]])
    members = members_of(deals.goals, range(len(castle)))
    found: Array = view.payoff.crowned(floors, castle.index(THRONE), members)[0]
    return found
