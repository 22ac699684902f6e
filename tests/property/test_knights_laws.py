"""What must hold whatever the cards: sums, monotone chances, simulation."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.errors import InvalidOption
from advisor.knights.rules.options import FACES, RULEBOOK, THROWS, Combination, RuleSet
from advisor.knights.throw import odds, play
from advisor.knights.throw.tournament import Thrower, win_chances

CARDS = sorted(Combination(*pair) for pair in permutations(FACES, 2))
RULE_SETS = [RuleSet(locked, kickers) for locked in (False, True) for kickers in ("one", "full")]
ROUNDING = 1e-12

hands = st.sets(st.sampled_from(list(FACES))).map(lambda values: tuple(sorted(values)))
cards = st.sampled_from(CARDS)
rule_sets = st.sampled_from(RULE_SETS)


@settings(deadline=None, max_examples=25)
@given(cards, st.integers(1, 3), hands, rule_sets)
def test_more_throws_never_lower_the_chance(card, throws, hand, rules):
    assert odds.beat(card, throws + 1, hand, rules) >= odds.beat(card, throws, hand, rules)


@settings(deadline=None, max_examples=25)
@given(cards, st.integers(1, 4), hands, st.sampled_from(list(FACES)), rule_sets)
def test_another_die_card_never_lowers_the_chance(card, throws, hand, value, rules):
    more = tuple(sorted({*hand, value}))
    fewer = odds.beat(card, throws, hand, rules)
    assert odds.beat(card, throws, more, rules) >= fewer - ROUNDING


@settings(deadline=None, max_examples=25)
@given(st.integers(0, len(CARDS) - 2), st.integers(1, 4), hands, rule_sets)
def test_a_lower_card_never_lowers_the_chance(place, throws, hand, rules):
    low, high = CARDS[place : place + 2]
    assert odds.beat(low, throws, hand, rules) >= odds.beat(high, throws, hand, rules) - ROUNDING


@settings(deadline=None, max_examples=25)
@given(cards, st.integers(1, 4), hands)
def test_free_dice_are_at_least_as_good_as_locked_ones(card, throws, hand):
    locked = odds.beat(card, throws, hand, RuleSet(kept_locked=True))
    assert odds.beat(card, throws, hand) >= locked - ROUNDING


@settings(deadline=None, max_examples=3)
@given(cards, hands, hands, rule_sets)
def test_a_defence_lowers_the_chance(card, hand, defender, rules):
    with_defence = odds.attack(card, THROWS, hand, defender, rules)
    assert 0 <= with_defence <= odds.beat(card, THROWS, hand, rules)


@settings(deadline=None, max_examples=5)
@given(st.lists(st.builds(Thrower, hands, st.booleans()), min_size=2, max_size=3))
def test_tournament_chances_sum_to_one(players):
    chances = win_chances(players)
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert min(chances) >= 0


def test_tournament_of_six():
    chances = win_chances([Thrower()] * 6)
    assert sum(chances) == pytest.approx(1, abs=1e-12)
    assert chances[0] == max(chances), "the organiser has a throw more"
    assert chances[1:] == sorted(chances[1:]), "later is better with equal throws"


@pytest.mark.parametrize("number", [1, 7])
def test_tournaments_that_are_not(number):
    with pytest.raises(InvalidOption, match="2 to 6"):
        win_chances([Thrower()] * number)


def test_a_champion_is_worth_a_throw():
    plain = win_chances([Thrower(), Thrower()])
    champion = win_chances([Thrower(), Thrower(champion=True)])
    organiser = win_chances([Thrower(champion=True), Thrower()])
    assert champion[1] > plain[1]
    assert organiser == plain, "the organiser never has five throws"


@pytest.mark.parametrize("locked", [False, True])
def test_outcomes_are_a_distribution_with_the_value_as_mean(locked):
    worth = np.stack(
        [
            odds.beat_worth(Combination(3, 2), (2,)),
            odds.attack_worth(Combination(4, 2), (), (3,)),
        ],
        axis=1,
    )
    chance = play.outcomes(worth, 3, locked)
    assert chance.sum(axis=0) == pytest.approx([1, 1], abs=1e-12)
    mean = (chance * worth).sum(axis=0)
    assert mean == pytest.approx(play.start(worth, 3, locked), abs=1e-12)


def test_the_throne_is_a_card_of_its_own():
    assert odds.throne() == odds.beat(Combination(5, 1), 3, (), RULEBOOK)
    assert odds.throne((5,)) > odds.throne()
