"""Intervals hold what they should for certain: every operation against exact fractions."""

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.intervals import Interval

numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
intervals = st.tuples(numbers, numbers).map(lambda ends: Interval(*sorted(ends)))


@given(intervals, st.floats(1e-14, 0.1))
def test_a_relative_error_moves_both_bounds_outward(bounds, error):
    found = Interval.of(bounds.lower, bounds.upper, error)
    assert found.lower <= bounds.lower <= bounds.upper <= found.upper
    for end, moved in ((bounds.lower, found.lower), (bounds.upper, found.upper)):
        assert abs(moved - end) == pytest.approx(abs(end) * error, rel=0.2)


@given(intervals, numbers)
def test_a_sum_holds_the_exact_sum(bounds, number):
    found = bounds + number
    assert Fraction(found.lower) < Fraction(bounds.lower) + Fraction(number)
    assert Fraction(bounds.upper) + Fraction(number) < Fraction(found.upper)
    assert found.width <= bounds.width + 1e-9


@given(intervals, intervals)
def test_a_difference_holds_every_exact_difference(bounds, other):
    found = bounds - other
    assert Fraction(found.lower) < Fraction(bounds.lower) - Fraction(other.upper)
    assert Fraction(bounds.upper) - Fraction(other.lower) < Fraction(found.upper)
    assert found.width <= bounds.width + other.width + 1e-9


@given(intervals, st.integers(0, 8))
def test_rounded_bounds_are_bounds_still_and_the_narrowest(bounds, digits):
    found, step = bounds.rounded(digits), Fraction(1, 10**digits)
    assert found.lower <= bounds.lower
    assert bounds.upper <= found.upper
    assert Fraction(bounds.lower) - Fraction(found.lower) < step + Fraction(1, 10**9)
    assert Fraction(found.upper) - Fraction(bounds.upper) < step + Fraction(1, 10**9)


def test_a_bound_just_beside_a_decimal_is_rounded_past_it():
    # A thousand times either of these is a whole number in floating point.
    below, above = 1.1219999999999999, 1.1260000000000001
    assert (below * 1000, above * 1000) == (1122, 1126)
    assert Interval(below, above).rounded(3) == Interval(1.121, 1.127)
    assert Interval(below, above).text(3) == "1.121 to 1.127"


@given(intervals, intervals, numbers)
def test_what_both_hold_is_held_by_the_intersection(bounds, other, number):
    both = bounds & other
    held = [each.lower <= number <= each.upper for each in (bounds, other, both)]
    assert held[2] == (held[0] and held[1])


@given(intervals, numbers)
def test_the_nearest_number_is_in_the_interval(bounds, number):
    found = bounds.nearest(number)
    assert bounds.lower <= found <= bounds.upper
    assert found == number or number < bounds.lower or bounds.upper < number


def test_without_an_upper_bound():
    least = Interval(2.5)
    assert (least.upper, least.width, least.middle) == (inf, inf, 2.5)
    assert (least + 1).upper == least.rounded(2).upper == Interval.of(2.5, inf, 0.0).upper == inf
    assert Interval(1.0, 2.0).middle == 1.5


@pytest.mark.parametrize(
    ("first", "other", "expected"),
    [
        (Interval(1, 2), Interval(2, 3), True),
        (Interval(1, 2), Interval(1.9, 3), False),
        (Interval(1, 2), Interval(1, 2), False),
        (Interval(2, 2 + 1e-13), Interval(2, 2 + 1e-13), True),
    ],
)
def test_one_is_below_for_sure_where_the_intervals_part_or_are_one_point(first, other, expected):
    assert first.is_below(other) is expected


def test_bounds_within_a_tie_are_the_same():
    assert Interval(1, 2).is_same(Interval(1 + 5e-13, 2 - 5e-13))
    assert not Interval(1, 2).is_same(Interval(1, 2 + 5e-12))
    assert not Interval(1, 2).is_same(Interval(1 + 5e-12, 2))
