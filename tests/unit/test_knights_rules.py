"""Ranks, cards and the example turns of the rulebook."""

import pytest

from advisor.dice import parse_dice
from advisor.errors import InvalidCards, InvalidCombination, InvalidDice, InvalidOption
from advisor.knights.rules.options import (
    RULEBOOK,
    RuleSet,
    beats,
    die_cards,
    format_die_cards,
    parse_combination,
    parse_die_cards,
    rank,
)
from advisor.knights.throw import advice, odds

FULL = RuleSet(kickers="full")


@pytest.mark.parametrize(
    ("dice", "expected"),
    [
        ("555326", (3, 5, 3)),
        ("333344", (4, 3, 4)),
        ("2233", (2, 3, 2)),
        ("111222", (3, 2, 1)),
        ("666666", (0, 0, 0)),
        ("5", (1, 5, 0)),
    ],
)
def test_rank(dice, expected):
    assert rank(parse_dice(dice)) == expected


def test_die_cards_join_the_dice():
    assert rank(parse_dice("33666"), (3,)) == (3, 3, 0)
    assert rank(parse_dice("33366"), (5,)) == (3, 3, 5)
    assert rank(parse_dice("666666"), (1, 4)) == (1, 4, 1)


def test_full_kickers_compare_all_other_dice():
    assert rank(parse_dice("555321"), (), FULL) == (3, 5, 3, 2, 1)
    assert rank(parse_dice("55532"), (), FULL) < rank(parse_dice("555321"), (), FULL)


def example(dice, card, cards=()):
    return beats(parse_dice(dice), cards, parse_combination(card), RULEBOOK)


def test_captures_of_the_rulebook():
    assert example("2222", "3332")
    assert example("3334", "3332")
    assert not example("3331", "3332")
    assert not example("3332", "3332"), "a tie takes nothing"
    assert example("555", "3332"), "what Alice ends with"
    assert example("444526", "4441"), "Boris takes the special card"
    assert not example("416666", "3334"), "Boris cannot take Alice's special card any more"
    assert example("444366", "4442"), "Christina's throw is enough"
    assert rank(parse_dice("444516")) > rank(parse_dice("444366")), "Boris defends"
    assert not example("444116", "4442"), "Boris fails against Christina's castle"


def test_the_tournament_of_the_rulebook():
    dinara, boris, christina = map(rank, map(parse_dice, ("333346", "444431", "111116")))
    assert dinara < boris < christina


def test_alice_keeps_two_fives():
    worth = odds.beat_worth(parse_combination("3332"), ())
    best = advice.options(parse_dice("552366"), worth, 2, RULEBOOK)[0]
    assert best.text == "keep 5 5, throw 2"
    after = advice.options(parse_dice("554666"), worth, 1, RULEBOOK)[0]
    assert after.text == "keep 5 5, throw 1"


def test_stopping_is_an_option_and_keeps_the_whole_throw():
    worth = odds.beat_worth(parse_combination("3332"), ())
    best = advice.options(parse_dice("555236"), worth, 2, RULEBOOK)[0]
    assert (best.text, best.value, best.loss) == ("stop", 1.0, 0.0)


def test_losses_and_ranks():
    worth = odds.beat_worth(parse_combination("3332"), ())
    found = advice.options(parse_dice("552366"), worth, 2, RULEBOOK)
    assert [option.rank for option in found] == list(range(1, len(found) + 1))
    assert all(option.loss >= 0 for option in found)
    assert found == sorted(found, key=lambda option: option.loss)
    for option in found:
        assert option.loss == pytest.approx(found[0].value - option.value)


@pytest.mark.parametrize("text", ["3332", "3,3,3,2", "5551"])
def test_cards_read_and_write(text):
    assert parse_combination(str(parse_combination(text))) == parse_combination(text)


@pytest.mark.parametrize(
    "text", ["6662", "3336", "3322", "333", "33325", "3333", "0001", "abc", ""]
)
def test_texts_that_are_no_card(text):
    with pytest.raises(InvalidCombination, match="write"):
        parse_combination(text)


def test_die_cards_read_and_write():
    assert parse_die_cards("5,3") == (3, 5)
    assert parse_die_cards("-") == parse_die_cards("") == ()
    assert parse_die_cards(format_die_cards((1, 4))) == (1, 4)
    assert format_die_cards(()) == "-"


@pytest.mark.parametrize("text", ["3,3", "6", "0", "x", "3;4"])
def test_die_cards_nobody_owns(text):
    with pytest.raises(InvalidCards, match=text):
        parse_die_cards(text)
    with pytest.raises(InvalidCards):
        die_cards((2, 2))


@pytest.mark.parametrize(
    ("dice", "left", "rules", "kept", "error"),
    [
        ("5566123", 2, RULEBOOK, "", InvalidDice),
        ("", 2, RULEBOOK, "", InvalidDice),
        ("552366", 4, RULEBOOK, "", InvalidOption),
        ("552366", -1, RULEBOOK, "", InvalidOption),
        ("552366", 1, RULEBOOK, "55", InvalidOption),
        ("552366", 1, RuleSet(kept_locked=True), "6", InvalidDice),
        ("552366", 1, RuleSet(kept_locked=True), "44", InvalidDice),
    ],
)
def test_throws_that_cannot_be(dice, left, rules, kept, error):
    with pytest.raises(error):
        advice.check(parse_dice(dice), left, rules, parse_dice(kept))


def test_unknown_kickers():
    with pytest.raises(InvalidOption, match="one or full"):
        RuleSet(kickers="two")
