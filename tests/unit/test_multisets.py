"""Multisets as consecutive numbers."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from advisor import dice
from advisor import multisets as fast
from tests.conftest import multisets

DICE = 6


@pytest.fixture(scope="module")
def everything():
    return multisets(DICE)


def test_ids_count_by_size_and_then_by_digits(everything):
    assert fast.table(DICE).tolist() == [list(counts) for counts in everything]
    assert fast.ids(np.array(everything, dtype=np.int8)).tolist() == list(range(len(everything)))


@pytest.mark.parametrize("number", range(fast.MAX_DICE + 1))
def test_each_size_has_its_place(number):
    assert fast.SIZES[number] == comb(number + 5, 6)
    layer = fast.of_size(number)
    assert len(layer) == comb(number + 5, 5)
    assert (layer.sum(axis=1) == number).all()
    assert fast.ids(layer).tolist() == list(range(fast.SIZES[number], fast.SIZES[number + 1]))


def test_successors_have_one_die_more(everything):
    found = fast.successors(DICE)
    for i, counts in enumerate(everything[: len(found)]):
        assert [everything[j] for j in found[i]] == [
            dice.plus(counts, dice.single(face)) for face in dice.FACES
        ]


def test_predecessors_have_one_die_less(everything):
    offsets, items = fast.predecessors(DICE)
    for i, counts in enumerate(everything):
        assert [everything[j] for j in items[offsets[i] : offsets[i + 1]]] == [
            dice.minus(counts, dice.single(face)) for face in dice.distinct(counts)
        ]


def test_weights_are_those_of_the_rolls(everything):
    ways = dict(zip(everything, fast.weights(DICE).tolist(), strict=True))
    for number in range(DICE + 1):
        assert all(ways[roll] == weight for roll, weight in dice.rolls(number))


def test_rows_keep_the_order_within_each_row():
    offsets, items = fast.rows(np.array([2, 0, 2]), np.array([7, 8, 5], dtype=np.int32), 4)
    assert offsets.tolist() == [0, 1, 1, 3, 3]
    assert items.tolist() == [8, 7, 5]
