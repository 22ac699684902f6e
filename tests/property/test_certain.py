"""What is called certain, or a bound, is one: each of the steps that it rests on."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from advisor.court.race.course import Pace
from advisor.court.race.hand import FINEST, FixedPoint
from advisor.court.race.in_turn import Pursuit, _covered
from advisor.court.race.purchases import Stakes
from advisor.court.race.search import Node, Solitaire
from advisor.court.rules.cards import KING
from advisor.court.rules.notation import parse_position, to_state
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.supply import Supply, full_supply
from advisor.court.turn.advice import Option, offered
from advisor.dice import single
from advisor.intervals import Interval
from advisor.ties import TIE

MEMORY = 1 << 30
SHARES = {None: 0.5, KING.key: 0.5}


def race_with(**spans):
    """A race in which these hands after one purchase, and every other, have stated bounds."""

    def known(hand):
        return Node(hand, spans.get("_".join(hand) or "none", Interval(7, 8)), 0.1,
                    shares=SHARES, play=SHARES)  # fmt: skip

    return Solitaire(full_supply((), RULEBOOK), MEMORY, known)


@pytest.mark.parametrize(
    ("more", "covered"), [((), False), (("hunter",), True), (("laborer", "hunter"), True)]
)
def test_an_end_is_covered_by_one_with_its_unused_cards_only(more, covered):
    end = replace(to_state(parse_position("12/2d:-"), RULEBOOK), unused=("hunter",))
    assert _covered(end, {replace(end, unused=more)}) == covered


def test_the_policy_shown_is_the_one_that_keeps_what_the_upper_bounds_promise():
    race = race_with(farmer=Interval(5, 6), guard=Interval(3, 9))
    answer = Pursuit(parse_position("/222:-"), race, MEMORY).answer("en")
    assert {row.card: row.probability for row in answer.buys} == {"farmer": 1.0, None: 0.0}


def test_options_lie_outside_what_their_values_say():
    race = race_with(farmer=Interval(5, 6), guard=Interval(4, 5.5))
    pursuit = Pursuit(parse_position("/123:-"), race, MEMORY, every=True)
    for option in pursuit.adviser.options(pursuit.state):
        upper, lower = (1 - float(value) for value in option.values[:2])
        (shown,) = (known for known in pursuit.known if known == option)
        assert -shown.values[1] < lower
        assert -shown.values[2] > upper


def test_buying_nothing_is_bounded_by_cards_that_need_not_be_used():
    race = race_with(none=Interval(2, 10), hunter=Interval(5, 40), general=Interval(6, 12))
    spans = Stakes(race, ()).spans()
    # The Hunter can be left alone, the General's dice cannot.
    assert spans[None].lower == max(
        span.lower for key, span in spans.items() if key and key not in ("general", "farmer")
    )
    assert spans["hunter"].upper == spans[None].upper == 10
    assert spans["general"] == Interval(6, 12)


def test_what_a_race_promises_is_what_the_play_it_names_takes():
    race = Solitaire(Supply(frozenset({"general", "bishop", "maid"}), RULEBOOK), MEMORY)
    race.solve(("farmer", "guard", "hunter", "knight"), 0.5)
    course, inherited = Pace(race), 0
    for cards, node in race.nodes.items():
        if node.turns.upper < inf:
            played = course.turns(cards)
            assert sum(played) > 1 - 1e-6
            mean = sum(number * share for number, share in enumerate(played, 1))
            assert mean <= node.turns.upper + 1e-5
            inherited += node.as_if is not None
    assert inherited, "no hand is played like a smaller one: nothing was tested"


def test_a_tangent_allows_for_what_its_policy_loses_by_ties():
    stay, guess, lost = 0.9, 5.0, 0.9 * 32 * TIE
    point = FixedPoint((("farmer", 1.0),), guess, FINEST, 0.0)
    point.learn(4.0, {None: stay, "farmer": 1 - stay})
    # A policy with this share of staying that is worse than the best by no more than ties.
    fixed = (1 + 4.0 + lost - stay * guess) / (1 - stay)
    assert point.turns.upper >= fixed


@pytest.mark.parametrize(("gain", "kinds"), [(0.0, ["use"]), (0.9 * TIE, ["use"]),
                                             (3 * TIE, ["use", "aside_then_use"])])  # fmt: skip
def test_an_early_copy_is_offered_only_where_it_is_better(gain, kinds):
    plain = Option("use", np.array([0.5]), card="astronomer")
    early = Option("aside_then_use", np.array([0.5 + gain]), single(3), "astronomer")
    assert [option.kind for option in offered([plain, early], every=False)] == kinds
