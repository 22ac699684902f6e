"""Exact fractions recovered from float64 values, where that can be certified."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from advisor.court.rules.cards import BY_KEY, Reroll
from advisor.court.rules.options import brings_in
from advisor.court.rules.turn import TurnState

_UNIT_ROUNDOFF = 2.0**-53


def as_fraction(probability: float, state: TurnState) -> str | None:
    """Return the exact value of a probability before or in a turn, None if it is not certain.

    Every probability of a turn is a whole number over 6^N, where N bounds the dice that can
    fall: with n dice in play at most n, n - 1, ... 1 in the rolls, and what cards re-roll. The
    value's error is at most one unit roundoff a summand, so if 6^N times that is below 1/4 the
    nearest whole number is the true one.
    """
    dice, limits = _falls(state)
    fallen = dice * (dice + 1) // 2 + sum(limits)
    denominator = 6**fallen
    if denominator * relative_error(state) >= 0.25:
        return None
    return str(Fraction(round(Fraction(probability) * denominator), denominator))


def relative_error(state: TurnState) -> float:
    """Return how far, as a share of itself, a value of worths of one sign can be off by rounding.

    At most one unit roundoff a summand, over all rolls and re-rolls of the turn.
    """
    dice, limits = _falls(state)
    summands = sum(comb(n + 5, 5) + 2 for n in range(1, dice + 1)) + 8 * sum(limits)
    return summands * _UNIT_ROUNDOFF


def _falls(state: TurnState) -> tuple[int, list[int]]:
    """Return how many dice can be in play and how many each re-rolling card lets fall again."""
    dice = min(
        sum(state.active) + state.falling + sum(brings_in(key) for key in state.unused),
        state.dice_limit,
    )
    limits = [
        a.limit or dice
        for a in (BY_KEY[key].ability for key in state.unused)
        if isinstance(a, Reroll)
    ]
    return dice, limits
