"""Ends of rounds by plain recursion over the literal game; for the tests only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from advisor.kingme.rules.data import ROUNDS
from advisor.kingme.rules.game import Game, Phase, Votes, points, score, shares
from advisor.kingme.rules.goals import Goal

Vector = tuple[float, ...]

TIE = 1e-11


def own_points(game: Game, goals: Sequence[Goal]) -> Vector:
    """Return everybody's points of the round."""
    return tuple(float(points(game.castle, goal)) for goal in goals)


def win_shares(game: Game, goals: Sequence[Goal]) -> Vector:
    """Return everybody's share of the victory after the last round."""
    totals = [
        old + score(game.castle, goal, ROUNDS) for old, goal in zip(game.totals, goals, strict=True)
    ]
    return shares(totals, [sum(game.castle[c] >= 0 for c in goal) for goal in goals])


def values(
    game: Game,
    goals: Sequence[Goal],
    worth: Callable[[Game, Sequence[Goal]], Vector] = own_points,
) -> Vector:
    """Return everybody's value of a game while characters rise."""
    return _values(game, tuple(goals), worth)


@cache
def _values(
    game: Game, goals: tuple[Goal, ...], worth: Callable[[Game, Sequence[Goal]], Vector]
) -> Vector:
    if game.phase is Phase.REVEAL:
        return worth(game, goals)
    options = [_after(game.apply(move), goals, worth) for move in game.legal_moves()]
    best = max(option[game.seat] for option in options)
    ties = [option for option in options if option[game.seat] >= best - TIE]
    return tuple(sum(column) / len(ties) for column in zip(*ties, strict=True))


def _after(
    game: Game, goals: tuple[Goal, ...], worth: Callable[[Game, Sequence[Goal]], Vector]
) -> Vector:
    """Return the values after a move, the vote on a candidate included."""
    if game.phase is not Phase.VOTE:
        return _values(game, goals, worth)
    crowned = _values(_voted(game, None), goals, worth)
    for distance in range(1, game.players + 1):
        seat = (game.seat + distance) % game.players
        if game.no_left[seat]:
            refused = _values(_voted(game, seat), goals, worth)
            if refused[seat] > crowned[seat] + TIE:
                return refused
    return crowned


def _voted(game: Game, refusing: int | None) -> Game:
    return game.apply(Votes(tuple(seat == refusing for seat in range(game.players))))
