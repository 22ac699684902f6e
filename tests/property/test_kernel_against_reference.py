"""The kernel against the literal turn with exact fractions, on random small states."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.court.rules.cards import has_use
from advisor.court.turn.advice import Adviser
from advisor.court.turn.reference import Reference, follow, option_paths
from advisor.court.turn.solver import TurnTable
from tests.strategies import GOALS, MEMORY, USABLE, turn_states, value_of


def check(state, goals):
    """All values, the options of a decision node and the outcomes under the policy agree."""
    adviser = Adviser(state, goals, MEMORY)
    for place, goal in enumerate(goals):
        exact = Reference(goal.literal_worth)
        assert adviser.values()[place] == pytest.approx(float(exact.value(state)), abs=1e-12)
        if place == 0:
            check_options(adviser, exact)
            check_outcomes(adviser, exact)


def check_options(adviser, exact):
    options = adviser.options(adviser.root)
    state = adviser.root
    paths = [] if state.is_chance or state.is_over else list(option_paths(state))
    if state.opening:
        paths = [path for path in paths if path]
    assert len(options) == len(paths)
    for option, path in zip(options, paths, strict=True):
        assert adviser.after(state, option) == follow(state, path)
        value = exact.value(follow(state, path))
        assert option.values[0] == pytest.approx(float(value), abs=1e-12)


def check_outcomes(adviser, exact):
    found = {
        tuple(int(n) for n in counts): p
        for counts, p in zip(adviser.results, adviser.outcome(), strict=True)
        if p > 0
    }
    expected = exact.outcomes(adviser.root)
    assert found == {result: pytest.approx(float(p), abs=1e-12) for result, p in expected.items()}


@settings(max_examples=60, deadline=None)
@given(turn_states(), st.lists(st.sampled_from(GOALS), min_size=1, max_size=3))
def test_small_states(state, goals):
    check(state, goals)


@settings(max_examples=12, deadline=None)
@given(turn_states(most_active=4, cards=["astronomer", "laborer", "fool", "maid"]),
       st.sampled_from(GOALS))  # fmt: skip
def test_copying_a_die_of_the_same_roll(state, goal):
    check(state, [goal])


@pytest.mark.parametrize("key", USABLE)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_every_card(key, data):
    assert has_use(key)
    state = data.draw(turn_states(most_cards=1, cards=[key]))
    check(state, [data.draw(st.sampled_from(GOALS))])


@settings(max_examples=10, deadline=None)
@given(turn_states(most_active=3, most_cards=4, openings=False))
def test_goals_do_not_disturb_each_other(state):
    together = value_of(TurnTable(state, GOALS, MEMORY), state)
    alone = [value_of(TurnTable(state, [goal], MEMORY), state)[0] for goal in GOALS]
    assert np.array_equal(together, alone)
