"""The fast way against fractions straight from the rules."""

import random
from fractions import Fraction

import pytest

from advisor import dice
from advisor.knights.rules.options import DICE, FACES, RULEBOOK, Combination, RuleSet, beats, rank
from advisor.knights.throw import advice, odds, play, reference
from advisor.knights.throw.tournament import seat_chances

RULE_SETS = [RuleSet(locked, kickers) for locked in (False, True) for kickers in ("one", "full")]


def random_cards(rng):
    return tuple(sorted(rng.sample(FACES, rng.randint(0, 5))))


def random_card(rng):
    return Combination(*rng.sample(FACES, 2))


def holding_number(held):
    """Return the number of a holding; dice that are missing are out."""
    return play.keep_number((*held[:5], DICE - sum(held[:5]))) - play.FIRST


def random_throw(rng):
    return dice.of_faces([rng.randint(1, 6) for _ in range(6)])


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_every_keep_of_random_throws(rules):
    rng = random.Random(7)
    for _ in range(12):
        cards, card, left = random_cards(rng), random_card(rng), rng.randint(0, 2)
        thrown = random_throw(rng)
        exact = reference.Play(lambda h, c=cards, k=card: Fraction(beats(h, c, k, rules)), rules)
        live = advice.without_sixes(thrown)
        found = advice.options(thrown, odds.beat_worth(card, cards, rules), left, rules)
        expected = {
            part: exact.keep(live, part, left) for part in exact.keeps(live, dice.NONE, left)
        }
        assert {option.keep for option in found} == set(expected)
        for option in found:
            assert option.value == pytest.approx(float(expected[option.keep]), abs=1e-12)


def test_locked_dice_limit_the_keeps():
    rules = RuleSet(kept_locked=True)
    worth = odds.beat_worth(Combination(3, 2), (), rules)
    found = advice.options(dice.parse_dice("224455"), worth, 1, rules, dice.parse_dice("22"))
    assert all(option.keep[1] == 2 for option in found)
    assert len(found) == 9


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_whole_turn_of_two_throws(rules):
    rng = random.Random(11)
    cards, card = random_cards(rng), random_card(rng)
    expected = reference.beat(card, 2, cards, rules)
    assert odds.beat(card, 2, cards, rules) == pytest.approx(float(expected), abs=1e-12)


def test_the_exact_fraction_of_three_throws():
    assert reference.beat(Combination(3, 1), 3, ()) == Fraction(36559105, 60466176)


@pytest.mark.parametrize("rules", RULE_SETS, ids=str)
def test_defence_of_one_throw(rules):
    rng = random.Random(13)
    cards, defender = random_cards(rng), random_cards(rng)[:2]
    survival = odds.survival(cards, defender, 1, rules)
    for _ in range(25):
        held = advice.without_sixes(random_throw(rng))
        expected = 1 - reference.exceed(rank(held, cards, rules), 1, defender, rules)
        assert survival[holding_number(held)] == pytest.approx(float(expected), abs=1e-12)


def test_tournament_of_one_throw():
    seats = (((2, 5), 1), ((1, 3), 1))
    expected = reference.tournament(list(seats))
    assert sum(expected) == 1
    found = seat_chances(seats, RULEBOOK)
    assert list(found) == pytest.approx(list(map(float, expected)), abs=1e-12)


@pytest.mark.parametrize("locked", [False, True])
def test_outcomes_of_two_throws(locked):
    rules, card = RuleSet(kept_locked=locked), Combination(3, 2)
    exact = reference.Play(lambda held: Fraction(beats(held, (2,), card, rules)), rules)
    found = play.outcomes(odds.beat_worth(card, (2,), rules)[:, None], 2, locked)[:, 0]
    expected = exact.outcomes(2)
    assert sum(expected.values()) == 1
    assert sum(found > 0) == len(expected)
    for held, chance in expected.items():
        assert found[holding_number(held)] == pytest.approx(float(chance), abs=1e-12)
