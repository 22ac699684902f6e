"""Exact fractions: reference and kernel on the worked numbers of the rules."""

from fractions import Fraction
from pathlib import Path

import pytest

from advisor import dice
from advisor.court.rules.names import parse_cards
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.turn import TurnState
from advisor.court.turn.exact import as_fraction
from advisor.court.turn.goals import card_goal, parse_goal, rank_goal
from advisor.court.turn.reference import Reference
from advisor.court.turn.solver import TurnTable

GOLDEN = Path(__file__).parents[1] / "golden"
MEMORY = 1 << 30


def worked_numbers():
    for line in (GOLDEN / "fractions.txt").read_text().splitlines():
        if not line.startswith("#"):
            yield pytest.param(*(part.strip() for part in line.split(";")), id=line)


@pytest.mark.parametrize(("cards", "goal", "value"), list(worked_numbers()))
def test_worked_number(cards, goal, value):
    owned = () if cards == "-" else parse_cards(cards)
    state = to_state(before_first_roll(owned, RULEBOOK), RULEBOOK)
    wanted, exact = parse_goal(goal), Fraction(value)
    table = TurnTable(state, [wanted], MEMORY)
    found = table.rolled(dice.NONE, state.unused)[0]
    assert found == pytest.approx(float(exact), abs=1e-15)
    assert Reference(wanted.literal_worth).value(state) == exact
    assert as_fraction(found, state) in (str(exact), None)


def roll_of(number):
    return TurnState(dice.NONE, dice.NONE, (), falling=number)


@pytest.mark.parametrize("number", range(3, 13))
def test_all_odd_or_all_even_is_one_half_for_every_number_of_dice(number):
    goals = [card_goal("maid"), card_goal("philosopher")]
    table = TurnTable(roll_of(number), goals, MEMORY)
    assert table.rolled(dice.NONE, ()).tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("number", "value"),
    [(3, 269 / 1944), (4, 5459 / 69984), (5, 3400573 / 68024448), (6, 0.035218446082),
     (7, 0.026809190334), (8, 0.021677575726), (12, 0.013161369226)],
)  # fmt: skip
def test_all_dice_alike(number, value):
    table = TurnTable(roll_of(number), [rank_goal(number, 1)], MEMORY)
    assert table.rolled(dice.NONE, ())[0] == pytest.approx(value, abs=1e-12)


def test_fractions_are_certified_up_to_five_dice_and_refused_beyond():
    assert as_fraction(0.5, roll_of(5)) == "1/2"
    assert as_fraction(1 / 3, roll_of(4)) == "1/3"
    assert as_fraction(0.5, roll_of(6)) is None


@pytest.mark.parametrize("cards", ["guard", "fool", "laborer,astronomer", "merchant", "maid"])
def test_fractions_from_float64_are_those_of_the_reference(cards):
    state = to_state(before_first_roll(parse_cards(cards), RULEBOOK), RULEBOOK)
    goals = [card_goal(key) for key in ("farmer", "hunter", "philosopher")]
    table = TurnTable(state, goals, MEMORY)
    for goal, value in zip(goals, table.rolled(dice.NONE, state.unused), strict=True):
        assert as_fraction(value, state) == str(Reference(goal.literal_worth).value(state))
