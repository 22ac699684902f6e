"""What results are worth: every fast way against the literal one."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from advisor.court.rules.cards import BY_KEY, pays
from advisor.court.turn.goals import card_goal, rank_goal
from advisor.court.turn.payoffs import (
    BY_RANK,
    TURNS,
    PurchasePayoff,
    RankPayoff,
    payer,
    results_of,
    undominated,
)
from advisor.dice import RANKS, parse_dice, rank, rank_number

ASIDE = parse_dice("3355")
RESULTS = results_of(ASIDE, 5)
LEFT = (("guard", 4.5), ("hunter", 3.25), ("maid", 4.5), ("king", 0.0), ("knight", 9.0))
PAYOFFS = [
    card_goal("guard", "hunter"),
    PurchasePayoff(LEFT, 5.0, TURNS),
    PurchasePayoff(LEFT, 4.5, TURNS, BY_RANK),
    PurchasePayoff((("guard", 0.5), ("hunter", 0.25)), 0.375),
    rank_goal(4, 3),
    RankPayoff(tuple(number / 128 for number in range(RANKS)), (3, 1), wins=True),
]


def counts(results):
    return [tuple(row) for row in results.tolist()]


@pytest.mark.parametrize("payoff", PAYOFFS, ids=range(len(PAYOFFS)))
def test_the_fast_worth_is_the_literal_one(payoff):
    exact = [float(payoff.literal_worth(result)) for result in counts(RESULTS)]
    assert payoff.worth(RESULTS).tolist() == pytest.approx(exact, abs=1e-15)
    # Of results that are no turn's, too, in whatever shape.
    some = RESULTS[[7, 300, 12, 461]].reshape(2, 2, 6)
    assert payoff.worth(some).ravel().tolist() == payoff.worth(RESULTS)[[7, 300, 12, 461]].tolist()


def test_a_king_is_better_by_the_rank_of_its_result_but_by_less_than_anything_else():
    plain, ranked = PurchasePayoff(LEFT, 5.0, TURNS), PurchasePayoff(LEFT, 5.0, TURNS, BY_RANK)
    king, better = parse_dice("55555553"), parse_dice("66666663")
    assert plain.literal_worth(king) == plain.literal_worth(better)
    gains = [float(ranked.literal_worth(r) - plain.literal_worth(r)) for r in (king, better)]
    assert gains == pytest.approx([BY_RANK * rank_number(rank(r)) for r in (king, better)])
    assert 0 < gains[0] < gains[1] < 1e-6
    assert ranked.literal_worth(parse_dice("555")) == plain.literal_worth(parse_dice("555"))


@pytest.mark.parametrize("payoff", PAYOFFS[:4], ids=range(4))
def test_each_result_goes_to_its_best_purchase_and_to_nothing_where_that_is_as_good(payoff):
    outcome = np.random.default_rng(1).dirichlet(np.ones(len(RESULTS)))
    exact = defaultdict(float)
    for result, share in zip(counts(RESULTS), outcome, strict=True):
        paid = [(None, payoff.stay)]
        paid += [(k, value) for k, value in payoff.values if pays(BY_KEY[k].cost, result)]
        exact[max(paid, key=lambda item: payoff.sign * item[1])[0]] += share
    assert payoff.shares(RESULTS, outcome) == pytest.approx(exact, abs=1e-12)


def test_what_pays_is_found_whether_or_not_the_results_are_those_of_a_turn():
    shuffled = np.random.default_rng(2).permutation(RESULTS)
    for key in BY_KEY:
        for results in (RESULTS, shuffled):
            exact = [pays(BY_KEY[key].cost, result) for result in counts(results)]
            assert payer(results)(key).tolist() == exact


def test_cards_never_bought_are_left_out():
    worths = [("farmer", 1.0), ("guard", 1.0), ("hunter", 2.0), ("maid", 0.5), ("knight", 1.5)]
    kept = (("farmer", 1.0), ("maid", 0.5), ("hunter", 2.0))
    assert undominated(worths) == kept
    turned = [[(key, -worth) for key, worth in each] for each in (worths, kept)]
    assert undominated(turned[0], -1) == tuple(turned[1])
    every = results_of(parse_dice(""), 6)
    with_all, without = PurchasePayoff(tuple(worths)), PurchasePayoff(kept)
    assert with_all.worth(every).tolist() == without.worth(every).tolist()
