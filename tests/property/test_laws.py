"""Laws that values obey whatever the position."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import _kernel, multisets
from advisor.court.rules.notation import before_first_roll, parse_position, to_state
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK
from advisor.court.turn import advice
from advisor.court.turn.advice import Adviser
from advisor.court.turn.goals import card_goal, parse_goal, rank_goal
from advisor.court.turn.payoffs import POINTS
from advisor.court.turn.solver import TurnTable
from tests.strategies import GOALS, MEMORY, USABLE, copying_states, turn_states, value_of


@settings(max_examples=40, deadline=None)
@given(turn_states(most_active=5, most_cards=4), st.sampled_from(GOALS))
def test_value_is_the_best_option_and_the_expectation_of_the_policy(state, goal):
    adviser = Adviser(state, [goal], MEMORY)
    value, outcome = adviser.values()[0], adviser.outcome()
    assert outcome.sum() == pytest.approx(1, abs=1e-12)
    assert outcome.min() >= 0
    assert outcome @ goal.worth(adviser.results) == pytest.approx(value, abs=1e-11)
    options = adviser.options(state)
    if options:
        assert max(o.values[0] for o in options) == pytest.approx(value, abs=1e-13)
    if goal.unit != POINTS:
        assert 0 <= value <= 1


COPYING_GOALS = [
    *(card_goal(key) for key in ("magician", "alchemist", "bishop", "nobleman", "king")),
    parse_goal("values:magician=2,noblewoman=1"),
    parse_goal("values:pawnbroker=4,general=5,magician=4,alchemist=1"),
    rank_goal(4, 1),
]
EARLY_COPIES = [
    ("/122:Ph,La,As,Kn-Me", "magician"),
    ("5/113:Fa,As,Me,Kn,Nm-Ph", "magician"),
    ("36/24456+:Fa,Ma,Ph,As,Ge-Bi", "alchemist"),
    ("5/11:Ph,As,Pb,Kn,Al-", "rank:4x1"),
    ("4/2335:Ph,As,Ge-", "values:magician=2,noblewoman=1"),
    ("55/1245:Fa,Ph,As,Ge-", "values:magician=2,noblewoman=1"),
]


def check_policy(state, goal):
    """The kernel's policy is the adviser's and has the value it promises."""
    adviser = Adviser(state, [goal], MEMORY)
    outcome = adviser.outcome()
    kernel = adviser.table.follow_node(state.active, state.unused, may_roll=state.may_roll)
    assert np.abs(outcome - kernel).max() < 1e-12
    assert outcome @ goal.worth(adviser.results) == pytest.approx(adviser.values()[0], abs=1e-11)


@settings(max_examples=150, deadline=None)
@given(copying_states(), st.sampled_from(COPYING_GOALS))
def test_early_copies_keep_their_probability(state, goal):
    check_policy(state, goal)


@pytest.mark.parametrize(("text", "goal"), EARLY_COPIES)
def test_early_copies_that_matter(text, goal):
    check_policy(to_state(parse_position(text), RULEBOOK), parse_goal(goal))


@settings(max_examples=30, deadline=None)
@given(turn_states(most_active=4, most_cards=3), st.sampled_from(USABLE))
def test_an_unused_card_never_lowers_a_value(state, key):
    if key in state.unused:
        return
    more = replace(state, unused=(*state.unused, key))
    more = replace(more, unused=tuple(k for k in USABLE if k in more.unused))
    low = value_of(TurnTable(state, GOALS, MEMORY), state)
    high = value_of(TurnTable(more, GOALS, MEMORY), more)
    assert (high >= low - 1e-13).all()


@pytest.mark.parametrize("cards", [("laborer", "guard"), ("farmer", "knight", "bishop", "queen")])
def test_using_cards_before_the_first_roll_is_an_option_not_a_duty(cards):
    goals = [card_goal(key) for key in ("hunter", "merchant", "noblewoman")]
    values = [
        Adviser(to_state(before_first_roll(cards, rules), rules), goals, MEMORY).values()
        for rules in (RULEBOOK, BRETTSPIELWELT)
    ]
    assert (values[1] >= values[0] - 1e-13).all()


def test_the_policy_played_out_reaches_its_value():
    """Dice thrown at random, the options of the adviser taken: within four standard errors."""
    rng = np.random.default_rng(20261130)
    goal = card_goal("noblewoman")
    cards = ("charlatan", "philosopher", "laborer", "astronomer", "merchant")
    start = to_state(before_first_roll(cards, RULEBOOK), RULEBOOK)
    value = Adviser(start, [goal], MEMORY).values()[0]
    games = 300
    wins = sum(played(start, goal, rng) for _ in range(games))
    error = (value * (1 - value) / games) ** 0.5
    assert abs(wins / games - value) <= 4 * error


def played(state, goal, rng):
    while not state.is_over:
        if state.is_chance:
            weights, states = zip(*state.chance_outcomes(), strict=True)
            share = np.array(weights) / sum(weights)
            state = states[rng.choice(len(states), p=share)]
        else:
            adviser = Adviser(state, [goal], MEMORY)
            state = adviser.after(state, advice.best(adviser.options(state)))
    return float(goal.literal_worth(state.aside))


def test_every_reachable_value_is_set_and_the_others_stay_empty():
    state = to_state(before_first_roll(("farmer", "guard", "astronomer"), RULEBOOK), RULEBOOK)
    table = TurnTable(state, GOALS, MEMORY)
    assert np.isfinite(table.values).all()
    assert table.values.shape == (len(GOALS), table.graph.size)


def test_the_kernel_refuses_more_than_it_can_hold():
    space = multisets.space(3)
    with pytest.raises(ValueError, match="17 cards"):
        _kernel.TurnGraph(3, 3, 0, 0, [(_kernel.MOVE, 0, [])] * 17, space)
