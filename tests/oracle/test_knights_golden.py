"""Every value of the independent solver."""

import json
from pathlib import Path

import pytest

from advisor import dice
from advisor.knights.rules.options import RULEBOOK, Combination, die_cards
from advisor.knights.throw import advice, odds
from advisor.knights.throw.tournament import Thrower, win_chances

GOLDEN = json.loads((Path(__file__).parent.parent / "golden" / "knights.json").read_text())


def card(values):
    return Combination(values[0], values[3])


def test_chance_to_beat_a_card():
    assert len(GOLDEN["beat"]) == 200
    for case in GOLDEN["beat"]:
        found = odds.beat(card(case["card"]), case["throws"], die_cards(case["die_cards"]))
        assert found == pytest.approx(case["p"], abs=1e-12), case


@pytest.mark.parametrize("case", GOLDEN["attack"])
def test_attack_against_the_best_defence(case):
    cards = die_cards(case.get("attacker_die_cards", ()))
    found = odds.attack(card(case["castle"]), case["throws"], cards)
    assert found == pytest.approx(case["success"], abs=1e-11)


@pytest.mark.parametrize("case", GOLDEN["tournament"])
def test_tournament(case):
    found = win_chances([Thrower()] * case["players"])
    assert found == pytest.approx(case["win"], abs=1e-11)


@pytest.mark.parametrize("case", GOLDEN["decisions"])
def test_best_dice_to_keep(case):
    if case.get("attack"):
        worth = odds.attack_worth(card(case["castle"]), (), ())
    else:
        worth = odds.beat_worth(card(case["card"]), ())
    thrown = dice.parse_dice(case["dice"])
    best = advice.options(thrown, worth, case["throws_left"], RULEBOOK)[0]
    assert best.keep == dice.parse_dice(case["keep"])
    assert best.value == pytest.approx(case["p"], abs=1e-9)
