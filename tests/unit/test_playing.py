"""Turns played fast take the options that all options together would show."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from advisor import dice
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK
from advisor.court.rules.turn import start
from advisor.court.turn.advice import Adviser, best
from advisor.court.turn.goals import card_goal, parse_goal, rank_goal
from advisor.court.turn.payoffs import TURNS, PurchasePayoff
from advisor.court.turn.playing import Kept, SolvedTurn, taken

MEMORY = 1 << 30
RACE = PurchasePayoff((("hunter", 4.0), ("maid", 4.5)), 5.0, TURNS)
CASES = [
    ((), RULEBOOK, card_goal("guard")),
    (("fool", "farmer", "astronomer"), RULEBOOK, rank_goal(4, 2)),
    (("laborer", "astronomer", "merchant"), RULEBOOK, parse_goal("values:hunter=2,maid=1")),
    (("guard", "noblewoman", "magician"), BRETTSPIELWELT, card_goal("knight")),
    (("philosopher", "astronomer"), RULEBOOK, RACE),
]


@pytest.mark.parametrize(("hand", "rules", "worth"), CASES)
def test_the_option_taken_is_the_best_of_all(hand, rules, worth):
    rng, root = random.Random(3), start(hand, rules)
    solved = SolvedTurn(root, worth)
    assert solved.value == Adviser(root, [worth], MEMORY).values()[0]
    for _ in range(25):
        state = root
        while not state.is_over:
            if state.is_chance:
                roll = dice.of_faces([rng.randint(1, 6) for _ in range(state.falling)])
                state = replace(state, active=dice.plus(state.active, roll), falling=0)
                continue
            option = solved.option(state)
            wanted = best(Adviser(state, [worth], MEMORY).options(state))
            assert option == wanted
            assert option.values[0] == pytest.approx(wanted.values[0], abs=1e-12)
            for step in taken(option, state):
                state = state.apply(step)


def test_so_many_turns_are_kept_as_fit():
    root = start((), RULEBOOK)
    one = SolvedTurn(root, card_goal("guard"))
    kept = Kept(2 * one.size)
    for name in "abc":
        kept.get(name, lambda: one)
    solved = []
    for name in "cba":
        kept.get(name, lambda name=name: solved.append(name) or one)
    assert solved == ["a"]
