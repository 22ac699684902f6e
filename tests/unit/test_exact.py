"""Fractions recovered from floating point against those of the reference."""

from __future__ import annotations

from fractions import Fraction
from math import nextafter

import pytest

from advisor.court.rules.cards import BY_KEY, pays
from advisor.court.rules.turn import start
from advisor.court.turn.exact import as_fraction
from advisor.court.turn.reference import Reference


@pytest.mark.parametrize("goal", ["farmer", "guard", "maid", "laborer"])
@pytest.mark.parametrize("cards", [(), ("fool",), ("maid",), ("astronomer",), ("magician",)])
def test_a_fraction_is_that_of_the_reference_in_spite_of_rounding(cards, goal):
    state = start(cards)
    exact = Reference(lambda result: Fraction(pays(BY_KEY[goal].cost, result))).value(state)
    for value in (float(exact), nextafter(float(exact), 0), nextafter(float(exact), 2)):
        assert as_fraction(value, state) == str(exact)


@pytest.mark.parametrize("cards", [("general", "farmer"), ("merchant", "laborer", "guard")])
def test_what_cannot_be_certified_is_left_out(cards):
    assert as_fraction(0.5, start(cards)) is None
