"""What results are worth: the fast way against the literal one, and goals as text."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from advisor.court.rules.cards import CARDS
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK
from advisor.court.turn.goals import card_goal, check_goal, parse_goal, rank_goal
from advisor.court.turn.payoffs import POINTS, PurchasePayoff
from advisor.dice import parse_dice
from advisor.errors import AdvisorError, InvalidGoal
from tests.conftest import multisets

RESULTS = multisets(8)
GOALS = [
    *(card.key for card in CARDS),
    "hunter,knight",
    "maid,philosopher,nobleman",
    "values:farmer=3,guard=2.5,hunter=7",
    "values:fool=0,king=100",
    *(f"rank:{alike}x{value}" for alike, value in ("12", "16", "21", "33", "46", "71", "85", "96")),
]


@pytest.mark.parametrize("text", GOALS)
def test_fast_worth_is_the_literal_worth(text):
    goal = parse_goal(text)
    fast = goal.worth(np.array(RESULTS, dtype=np.int8))
    assert fast.tolist() == [float(goal.literal_worth(result)) for result in RESULTS]


@pytest.mark.parametrize(
    ("text", "result", "worth"),
    [
        ("hunter", "33335", 1),
        ("hunter,knight", "33335", 1),
        ("hunter,knight", "3335", 0),
        ("values:farmer=3,guard=2.5", "555", 3),
        ("values:farmer=1,guard=2.5", "555", 2.5),
        ("values:farmer=1,guard=2.5", "123", 0),
        ("rank:3x4", "444", 1),
        ("rank:3x4", "333", 0),
        ("rank:3x4", "1111", 1),
        ("rank:3x4", "666333", 1),
    ],
)
def test_worth_of_single_results(text, result, worth):
    assert parse_goal(text).literal_worth(parse_dice(result)) == Fraction(worth)


@pytest.mark.parametrize(
    ("text", "canonical", "unit"),
    [
        ("hunter", "hunter", "probability"),
        (" Kn , Jäger,hunter", "hunter,knight", "probability"),
        ("VALUES:Gu=2.5,Fa=3", "values:farmer=3,guard=2.5", "points"),
        ("Rank:8X3", "rank:8x3", "probability"),
        ("rank:12x6", "rank:12x6", "probability"),
    ],
)
def test_canonical_goals(text, canonical, unit):
    goal = parse_goal(text)
    assert (goal.format(), goal.unit) == (canonical, unit)
    assert parse_goal(goal.format()) == goal


KEYS = st.sampled_from([card.key for card in CARDS])


@given(st.builds(rank_goal, st.integers(1, 12), st.integers(1, 6)))
def test_rank_goals_survive_being_written_and_read(goal):
    assert parse_goal(goal.format()) == goal


@given(st.sets(KEYS, min_size=1))
def test_card_goals_survive_being_written_and_read(keys):
    goal = card_goal(*keys)
    assert parse_goal(goal.format()) == goal


@given(st.dictionaries(KEYS, st.just(0.0) | st.floats(1e-6, 1e9), min_size=1))
@example({"guard": 1000001.0})
@example({"guard": 2.0000001})
def test_goals_by_values_keep_every_digit(values):
    keys = [card.key for card in CARDS if card.key in values]
    goal = PurchasePayoff(tuple((key, values[key]) for key in keys), unit=POINTS)
    assert parse_goal(goal.format()) == goal


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "''"),
        ("  ", "'  '"),
        ("huntr", "huntr.*hunter"),
        ("hunter,", "''"),
        ("rank:", "rank:"),
        ("rank:8", "rank:8"),
        ("rank:0x3", "rank:0x3"),
        ("rank:13x3", "rank:13x3"),
        ("rank:8x7", "rank:8x7"),
        ("rank:-8x3", "rank:-8x3"),
        ("values:", "example"),
        ("values:guard", "'guard'.*guard=2.5"),
        ("values:guard=", "'guard='"),
        ("values:guard=x", "'guard=x'"),
        ("values:guard=-1", "'guard=-1'"),
        ("values:guard=nan", "'guard=nan'"),
        ("values:guard=inf", "'guard=inf'"),
        ("values:guard=1,Gu=2", "Guard twice"),
        ("worth:guard=1", "worth:guard=1.*values:"),
    ],
)
def test_unreadable_goals_are_refused_by_name(text, named):
    with pytest.raises(AdvisorError, match=named) as refusal:
        parse_goal(text)
    assert refusal.value.exit_code == 2


@given(st.text() | st.text(alphabet="values:rnkx=0123456789.,farmeguhd", max_size=20))
def test_any_text_is_a_goal_or_refused(text):
    try:
        goal = parse_goal(text)
    except AdvisorError:
        return
    assert parse_goal(goal.format()).format() == goal.format()


@pytest.mark.parametrize(
    ("goal", "owned", "reason"),
    [
        ("guard", ["guard"], "owned already"),
        ("values:farmer=1,guard=2", ["guard"], "owned already"),
        ("queen", [], "comes with the King; aim for king"),
        ("charlatan", [], "needs a Fool.*aim for fool"),
        ("fool", ["fool"], "owned already"),
        ("fool", ["charlatan"] * 5, "run out"),
    ],
)
def test_goals_that_cannot_be_bought_are_refused(goal, owned, reason):
    with pytest.raises(InvalidGoal, match=reason):
        check_goal(parse_goal(goal), owned, BRETTSPIELWELT)


@pytest.mark.parametrize(
    ("goal", "owned"),
    [("king", []), ("charlatan", ["fool"]), ("fool", ["charlatan"] * 5), ("rank:8x3", ["guard"])],
)
def test_goals_that_can_be_reached_are_accepted(goal, owned):
    check_goal(parse_goal(goal), owned, RULEBOOK)
