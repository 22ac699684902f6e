"""Final rounds against an independent solver, exact fractions, and rounds played out."""

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from advisor import dice
from advisor.court.final.solve import FinalRound
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK
from advisor.court.rules.seats import seats
from advisor.court.turn import advice
from advisor.court.turn.payoffs import RankPayoff, rank_numbers
from advisor.court.turn.reference import Reference

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/court-beyond.json").read_text())
MEMORY = 1 << 30
QUEEN = ("queen",)


def solved(best, hands, holder, rules=RULEBOOK):
    """The final round of these players, `holder` by place or None."""
    asked = seats(dice.parse_rank(best), hands, holder, rules)
    return FinalRound(asked, rules, (dice.rank_number(asked.best),)).solve(MEMORY)


@pytest.mark.parametrize("entry", GOLDEN["finals"], ids=lambda e: f"{e['best']}-{len(e['win'])}")
def test_win_chances_of_the_independent_solver(entry):
    found = solved(entry["best"], entry["players"], entry["queen_owner"]).win()
    assert found[:-1] == pytest.approx(entry["win"], abs=1e-8)
    assert found[-1] == 0


def test_the_goldens_are_all_there():
    assert len(GOLDEN["finals"]) == 6


def start(hand, rules):
    return to_state(before_first_roll(hand, rules), rules)


def exactly(best, hands, holder, rules):
    """Win chances as fractions, straight from the rules: players in turn, then one who is gone."""
    states = [start(hand, rules) for hand in (*hands[:-1], hands[-1] + QUEEN)]
    last = len(hands) - 1

    def chances(place, best, holder):
        if place > last:
            return [Fraction(holder == who) for who in (*range(last + 1), None)]
        if place == holder == last:
            return chances(last + 1, best, holder)

        def after(result):
            rank = dice.rank(result)
            if rank > best or (rank == best and place == last):
                return known(place + 1, rank, place)
            return known(place + 1, best, holder)

        turn = Reference(lambda result: after(result)[place])
        total = [Fraction(0)] * (last + 2)
        for result, p in turn.outcomes(states[place]).items():
            total = [t + p * c for t, c in zip(total, after(result), strict=True)]
        return total

    memo = {}

    def known(*question):
        if question not in memo:
            memo[question] = chances(*question)
        return memo[question]

    return known(0, best, holder)


@pytest.mark.parametrize(
    ("best", "hands", "holder", "rules"),
    [
        ("2x3", [(), ()], 1, RULEBOOK),
        ("3x5", [("laborer",), ()], 1, RULEBOOK),
        ("3x4", [("astronomer",), ()], None, RULEBOOK),
        ("3x2", [()], None, RULEBOOK),
        ("3x6", [("laborer",), ()], 1, BRETTSPIELWELT),
        ("3x3", [(), ("fool",), ()], 2, RULEBOOK),
        ("3x4", [(), (), ()], None, RULEBOOK),
        ("3x4", [(), ()], 0, RULEBOOK),
    ],
)
def test_small_rounds_against_exact_fractions(best, hands, holder, rules):
    exact = exactly(dice.parse_rank(best), hands, holder, rules)
    assert sum(exact) == 1
    found = solved(best, hands, holder, rules).win()
    assert found == pytest.approx([float(chance) for chance in exact], abs=1e-12)


def test_complete_rounds_played_out():
    """Dice thrown at random, everybody's best options taken: within four standard errors."""
    rng = np.random.default_rng(20261130)
    hands = [("laborer",), ("astronomer",), ()]
    round_ = solved("3x1", hands, 2)
    expected, games = np.array(round_.win()), 300
    advisers = {}
    wins = np.zeros(4)
    for _ in range(games):
        wins[played(round_, rng, advisers)] += 1
    error = np.sqrt(expected * (1 - expected) / games)
    assert (np.abs(wins / games - expected) <= 4 * error).all()


def played(round_, rng, advisers):
    """The place of the winner of one round."""
    best, holder = round_.seats.best, round_.seats.holder
    for place in range(len(round_.seats.hands)):
        if place == holder == round_.seats.last:
            continue
        number = dice.rank_number(best)
        goal = round_.payoff(place, number, round_.survival[place])
        state = start(round_.seats.hands[place], round_.rules)
        while not state.is_over:
            if state.is_chance:
                weights, states = zip(*state.chance_outcomes(), strict=True)
                state = states[rng.choice(len(states), p=np.array(weights) / sum(weights))]
                continue
            if (place, number, state) not in advisers:
                adviser = advice.Adviser(state, [goal], MEMORY)
                advisers[place, number, state] = adviser.after(
                    state, advice.best(adviser.options(state))
                )
            state = advisers[place, number, state]
        rank = dice.rank(state.aside)
        if dice.rank_number(rank) >= round_.least(place, number):
            best, holder = rank, place
    return holder


def test_rank_numbers_and_their_fast_twin():
    results = [roll for n in range(6) for roll, _ in dice.rolls(n)]
    numbers = [dice.rank_number(dice.rank(result)) for result in results]
    assert rank_numbers(np.array(results, dtype=np.int8)).tolist() == numbers
    for result, number in zip(results, numbers, strict=True):
        if any(result):
            assert dice.numbered_rank(number) == dice.rank(result)
            assert dice.parse_rank(dice.format_rank(dice.rank(result))) == dice.rank(result)
    ranks = sorted({dice.rank(result) for result in results})
    assert [dice.rank_number(rank) for rank in ranks] == sorted(set(numbers))


def test_a_result_is_worth_what_its_rank_is_worth():
    goal = RankPayoff(tuple(number / 100 for number in range(dice.RANKS)), (2, 3), wins=True)
    results = [roll for roll, _ in dice.rolls(4)]
    fast = goal.worth(np.array(results, dtype=np.int8))
    assert fast.tolist() == [float(goal.literal_worth(result)) for result in results]
