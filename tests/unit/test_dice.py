"""Multisets of dice as counts."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import dice
from advisor.errors import InvalidDice
from tests.conftest import multisets


@pytest.mark.parametrize("text", ["6552", "6,5,5,2", "2 5 5 6", "5, 6, 2, 5"])
def test_order_and_separators_of_dice_do_not_matter(text):
    assert dice.parse_dice(text) == (0, 1, 0, 0, 2, 1)


@pytest.mark.parametrize(("text", "culprit"), [("7", "7"), ("120", "0"), ("1x", "x"), ("１", "１")])
def test_no_die_value_is_refused_by_name(text, culprit):
    with pytest.raises(InvalidDice, match=f"'{text}'.*'{culprit}'"):
        dice.parse_dice(text)


@given(st.text())
def test_any_text_is_dice_or_refused(text):
    try:
        counts = dice.parse_dice(text)
    except InvalidDice:
        return
    assert dice.parse_dice(dice.format_dice(counts)) == counts


@given(st.lists(st.integers(1, 6), max_size=12))
def test_dice_are_printed_ascending_and_read_back(values):
    text = dice.format_dice(dice.of_faces(values))
    assert text == "".join(map(str, sorted(values)))
    assert dice.faces(dice.parse_dice(text)) == sorted(values)


@pytest.mark.parametrize("number", range(6))
def test_rolls_are_the_ordered_throws_counted(number):
    thrown = Counter(dice.of_faces(throw) for throw in product(dice.FACES, repeat=number))
    assert dict(dice.rolls(number)) == thrown


@pytest.mark.parametrize("number", range(13))
def test_rolls_of_many_dice_are_complete(number):
    rolls = dice.rolls(number)
    assert len({roll for roll, _ in rolls}) == len(rolls) == comb(number + 5, 5)
    assert sum(weight for _, weight in rolls) == 6**number


@pytest.mark.parametrize("text", ["", "1", "112", "123456", "66655"])
def test_parts_are_the_distinct_choices_of_dice(text):
    chosen = {
        dice.of_faces([int(d) for d, taken in zip(text, choice, strict=True) if taken])
        for choice in product([0, 1], repeat=len(text))
    }
    parts = dice.parts(dice.parse_dice(text))
    assert set(parts) == chosen
    assert len(parts) == len(chosen)


@pytest.mark.parametrize("whole", multisets(3))
def test_parts_and_what_is_left_make_the_whole(whole):
    for part in dice.parts(whole):
        assert dice.plus(part, dice.minus(whole, part)) == whole


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("11111111", "6666666"),
        ("666", "555"),
        ("1112", "66554433"),
        ("6", "5"),
        ("1", ""),
        ("44455", "333222"),
    ],
)
def test_results_rank_by_number_alike_then_value(better, worse):
    assert dice.rank(dice.parse_dice(better)) > dice.rank(dice.parse_dice(worse))


def test_further_dice_do_not_change_the_rank():
    assert dice.rank(dice.parse_dice("555")) == dice.rank(dice.parse_dice("555661")) == (3, 5)
