"""What is as good: within 1e-12 of the best, in the order given."""

from hypothesis import given
from hypothesis import strategies as st

from advisor import _kernel
from advisor.ties import TIE, ranked


def test_ties_are_those_of_the_kernel():
    assert TIE == _kernel.TIE


def test_rounding_decides_nothing_and_order_does():
    items = [("a", 0.5), ("b", 0.5 + 4e-13), ("c", 0.7), ("d", 0.5 - 4e-13), ("e", 0.5 - 2e-12)]
    assert [name for name, _ in ranked(items, lambda item: item[1])] == [*"cabde"]


def test_no_bucket_has_an_edge():
    # Between 1.5e-12 and 1.4999e-12 lies the edge of rounding to whole multiples of 1e-12.
    items = [("a", 1.4999e-12), ("b", 1.5e-12)]
    assert [name for name, _ in ranked(items, lambda item: item[1])] == [*"ab"]


def test_equal_ones_are_ranked_by_the_next_value():
    items = [("a", 1.0, 1), ("b", 1.0 + 1e-13, 3), ("c", 2.0, 0), ("d", 1.0, 3)]
    first, second = (lambda item: item[1]), (lambda item: item[2])
    assert [name for name, *_ in ranked(items, first, second)] == [*"cbda"]


@given(st.lists(st.integers(0, 30)))
def test_against_a_literal_ranking(steps):
    items = [(place, step * TIE / 3) for place, step in enumerate(steps)]
    found, rest = [], list(items)
    while rest:
        top = max(value for _, value in rest)
        found += [item for item in rest if item[1] >= top - TIE]
        rest = [item for item in rest if item[1] < top - TIE]
    assert ranked(items, lambda item: item[1]) == found
