"""Laws that every final round obeys."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import dice
from advisor.court.final.solve import FinalRound
from advisor.court.rules.cards import CARDS, has_use, in_order
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import RULEBOOK, dice_in_reach
from advisor.court.rules.seats import rolling_order, seats, to_play_next
from advisor.court.turn.advice import Adviser
from advisor.court.turn.goals import card_goal
from advisor.court.turn.solver import TurnTable

MEMORY = 1 << 30
KEYS = [card.key for card in CARDS if card.row < 5]
OPTIONAL = [key for key in KEYS if has_use(key)]

hands = st.lists(st.sampled_from(KEYS), max_size=4, unique=True).map(in_order)


def win(best, listed, holder):
    asked = seats(best, listed, holder, RULEBOOK)
    return FinalRound(asked, RULEBOOK, (dice.rank_number(best),)).solve(MEMORY).win()


@settings(max_examples=20, deadline=None)
@given(st.lists(hands, min_size=2, max_size=4), st.integers(2, 8), st.integers(1, 6), st.booleans())
def test_chances_sum_to_one_and_too_few_dice_give_exactly_none(listed, alike, value, gone):
    found = win((alike, value), listed, None if gone else len(listed) - 1)
    assert sum(found) == pytest.approx(1, abs=1e-12)
    assert all(0 <= chance <= 1 + 1e-12 for chance in found)
    for hand, chance in zip(listed[:-1], found, strict=False):
        if dice_in_reach(hand, RULEBOOK) < alike:
            assert chance == 0.0
    if not gone:
        assert found[-1] == 0.0


@settings(max_examples=20, deadline=None)
@given(st.lists(hands, min_size=2, max_size=3), st.sampled_from(OPTIONAL), st.integers(2, 7),
       st.integers(1, 6))  # fmt: skip
def test_one_more_optional_card_never_lowers_the_chance_of_the_first(listed, key, alike, value):
    first, *others = listed
    if key in first:
        return
    before = win((alike, value), listed, len(others))[0]
    after = win((alike, value), [in_order((*first, key)), *others], len(others))[0]
    assert after >= before - 1e-12


@settings(max_examples=12, deadline=None)
@given(hands, hands, st.sampled_from(OPTIONAL), st.integers(3, 7), st.integers(1, 6), st.booleans())
def test_nor_that_of_the_second_of_two(first, second, key, alike, value, gone):
    if key in second:
        return
    holder = None if gone else 1
    before = win((alike, value), [first, second], holder)[1]
    after = win((alike, value), [first, in_order((*second, key))], holder)[1]
    # With a third who is gone, the first does not play against the second alone.
    assert gone or after >= before - 1e-12


@pytest.mark.parametrize("others", [1, 2, 3, 4])
def test_rolling_order_by_seats_around_the_table(others):
    """Places clockwise, 0 takes the King; every start player in turn."""
    players = others + 1
    for start in range(players):
        turns = [(start + i) % players for i in range(players)]
        to_play = len(turns) - turns.index(0) - 1
        rightmost = (start - 1) % players
        final = [(rightmost + i) % players for i in range(players)]
        expected = [place - 1 for place in final if place]
        assert rolling_order(others, to_play) == expected
        following = [(rightmost + i) % players for i in range(players)]
        assert to_play_next(others, to_play) == players - following.index(0) - 1


def test_what_has_no_hope_is_worth_nothing_and_need_not_be_followed():
    state = to_state(
        before_first_roll(("farmer", "laborer", "astronomer", "fool"), RULEBOOK), RULEBOOK
    )
    table = TurnTable(state, [card_goal("knight"), card_goal("hunter")], MEMORY)
    utilities = np.stack([goal.worth(table.results) for goal in table.goals])
    hope = table.graph.hope(utilities)
    for u, dice_of in enumerate(table.graph.dice_of):
        if dice_of < 0:
            continue
        begin = table.graph.offsets[u]
        known = (table.results.sum(axis=1) <= dice_of).sum()
        values = table.values[:, begin : begin + known]
        assert (values[~hope[:, :known]] == 0).all()
    assert not hope.all()
    whole = [table.follow_roll(dice.NONE, state.unused, goal) for goal in (0, 1)]
    table.wanted = utilities
    for goal in (0, 1):
        part = table.follow_roll(dice.NONE, state.unused, goal)
        wanted = utilities[goal] > 0
        assert np.array_equal(part[wanted], whole[goal][wanted])
        assert part @ utilities[goal] == pytest.approx(
            table.rolled(dice.NONE, state.unused)[goal], abs=1e-13
        )


def test_the_goal_to_follow_can_be_chosen():
    state = to_state(before_first_roll(("fool", "merchant", "laborer"), RULEBOOK), RULEBOOK)
    goals = [card_goal(key) for key in ("guard", "merchant", "maid")]
    together = Adviser(state, goals, MEMORY)
    for place, goal in enumerate(goals):
        alone = Adviser(state, [goal], MEMORY)
        assert np.array_equal(together.outcome(place), alone.outcome())
