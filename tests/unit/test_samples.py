"""Intervals of shares and errors of means, against known numbers."""

from collections import Counter
from math import sqrt
from statistics import mean, stdev

import pytest

from advisor.samples import mean_and_error, wilson


@pytest.mark.parametrize(
    ("hits", "trials", "lower", "upper"),
    [(0, 10, 0.0, 0.27753), (5, 10, 0.23659, 0.76341), (10, 10, 0.72247, 1.0), (0, 0, 0.0, 1.0)],
)
def test_the_interval_of_wilson(hits, trials, lower, upper):
    assert wilson(hits, trials) == pytest.approx((lower, upper), abs=1e-5)


def test_an_interval_always_holds_its_share():
    for trials in range(1, 40):
        for hits in range(trials + 1):
            lower, upper = wilson(hits, trials)
            assert 0 <= lower <= hits / trials <= upper <= 1


def test_mean_and_standard_error():
    numbers = [6, 7, 7, 8, 5, 9, 7]
    found = mean_and_error(Counter(numbers))
    assert found == pytest.approx((mean(numbers), stdev(numbers) / sqrt(len(numbers))))
    assert mean_and_error(Counter()) == (None, None)
    assert mean_and_error(Counter([4])) == (4, None)
