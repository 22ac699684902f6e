"""The race for the King against an independent solver, exact fractions and games played out."""

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path

import pytest

from advisor import dice
from advisor.court.race import course as pace
from advisor.court.race import hand as fixed_point
from advisor.court.race import search as solitaire
from advisor.court.race.course import Pace, mean
from advisor.court.race.in_turn import Pursuit
from advisor.court.race.questions import _interval
from advisor.court.race.search import Solitaire
from advisor.court.rules import supply
from advisor.court.rules.cards import BY_KEY, alike, in_order, pays
from advisor.court.rules.notation import before_first_roll, parse_position, to_state
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK, bought
from advisor.court.rules.supply import supply_of
from advisor.court.turn import payoffs
from advisor.court.turn.advice import Adviser, best
from advisor.court.turn.payoffs import TURNS, PurchasePayoff
from advisor.court.turn.reference import Reference, follow
from advisor.court.turn.solver import Stored

GOLDEN = json.loads((Path(__file__).parents[1] / "golden/court-beyond.json").read_text())
MEMORY = 4 << 30


@pytest.mark.parametrize("entry", GOLDEN["solitaire"], ids=lambda e: "+".join(e["owned"]))
def test_intervals_of_the_independent_solver(entry):
    hand = in_order(entry["owned"])
    stock = supply_of(entry["supply"], hand, RULEBOOK)
    answer = _interval(Solitaire(stock, MEMORY).solve(hand, 9.8e-5).turns, 1e-4)
    assert answer["width"] <= 1e-4
    assert answer["lower"] <= entry["upper"] + 1e-9
    assert answer["upper"] >= entry["lower"] - 1e-9
    middle = (answer["lower"] + answer["upper"]) / 2
    assert middle == pytest.approx((entry["lower"] + entry["upper"]) / 2, abs=1e-4)


# ---------------------------------------------------------------- a King that fewer dice pay for


@pytest.fixture
def cheap_king(monkeypatch):
    """Let fewer dice pay for the King, so that exact fractions stay small."""

    def cheap(number):
        king = replace(BY_KEY["king"], cost=alike(number))
        monkeypatch.setitem(BY_KEY, "king", king)
        for module in (supply, fixed_point, solitaire, pace, payoffs):
            monkeypatch.setattr(module, "KING", king)
        payoffs._paid.cache_clear()

    yield cheap
    payoffs._paid.cache_clear()


def exact_turns(hand, supply):
    """The expected turns by policy iteration in fractions."""
    return exact_turns_to(BY_KEY["king"], hand, supply)


@cache
def exact_turns_to(king, hand, supply):
    """The same for this King, worked out once."""
    after = {key: exact_turns(bought(hand, key), supply) for key in supply.purchases(hand)}
    after[king.key] = Fraction(0)
    state = to_state(before_first_roll(hand, supply.rules), supply.rules)

    def left(stay):
        return lambda r: min([stay, *(v for k, v in after.items() if pays(BY_KEY[k].cost, r))])

    turns = max(after.values()) + 1
    while True:
        least, found, stays = left(turns), Fraction(1), Fraction(0)
        for result, p in Reference(lambda r, f=least: -f(r)).outcomes(state).items():
            if least(result) == turns:
                stays += p
            else:
                found += p * least(result)
        better = found / (1 - stays)
        if better == turns:
            return turns
        turns = better


@pytest.mark.parametrize(
    ("number", "hand", "named", "rules"),
    [
        (2, "", "", RULEBOOK),
        (3, "", "farmer", RULEBOOK),
        (3, "fool", "maid", RULEBOOK),
        (3, "guard", "philosopher", BRETTSPIELWELT),
        (3, "", "guard", RULEBOOK),
        (4, "laborer", "", RULEBOOK),
        (4, "farmer", "astronomer", RULEBOOK),
    ],
)
def test_exact_fractions(cheap_king, number, hand, named, rules):
    cheap_king(number)
    owned = in_order(hand.split(",")) if hand else ()
    stock = supply_of(named.split(",") if named else (), owned, rules)
    node = Solitaire(stock, MEMORY).solve(owned, 2e-9)
    turns = exact_turns(owned, stock)
    assert Fraction(node.turns.lower) <= turns <= Fraction(node.turns.upper)
    assert node.turns.width <= 2e-9


@pytest.mark.parametrize(
    ("number", "text", "named", "rules"),
    [
        (2, "/113:-", "", RULEBOOK),
        (3, "/3d:-", "guard", RULEBOOK),
        (3, "/125:-", "guard", RULEBOOK),
        (3, "1/15+:-", "guard", RULEBOOK),
        (3, "3/35:Fo-", "maid", RULEBOOK),
        (3, "/135:Fo-", "maid", RULEBOOK),
        (3, "/3d:Gu-", "philosopher", BRETTSPIELWELT),
        (3, "2/24:-Gu", "philosopher", RULEBOOK),
        (4, "1/156:-La", "", RULEBOOK),
        (4, "/1344:Fa-", "astronomer", RULEBOOK),
        (4, "/1344:Fa,As-", "", RULEBOOK),
    ],
)
def test_advice_in_a_turn_against_exact_fractions(cheap_king, number, text, named, rules):
    cheap_king(number)
    position = parse_position(text)
    hand, state = position.cards, to_state(position, rules)
    stock = supply_of(named.split(",") if named else (), hand, rules)
    after = {key: exact_turns(bought(hand, key), stock) for key in (None, *stock.purchases(hand))}
    after["king"] = Fraction(0)

    def worth(result):
        return -min(v for k, v in after.items() if k is None or pays(BY_KEY[k].cost, result))

    reference, race = Reference(worth), Solitaire(stock, MEMORY)
    race.solve(hand, 1e-6)
    pursuit = Pursuit(position, race, MEMORY, every=True)
    span = pursuit.span()
    assert Fraction(span.lower) <= 1 - reference.value(state) <= Fraction(span.upper)
    assert span.width <= 1e-6
    literal = (
        {follow(state, path): 1 - v for path, v in reference.options(state)}
        if (pursuit.options)
        else {}
    )
    for option, bounds in zip(pursuit.options, pursuit.spans(), strict=True):
        exact = literal[pursuit.adviser.after(state, option)]
        assert Fraction(bounds.lower) <= exact <= Fraction(bounds.upper)
    answer = pursuit.answer("en")
    assert sum(row.probability for row in answer.buys) == pytest.approx(1, abs=1e-12)
    outcome = reference.outcomes(state)
    for key in stock.purchases(hand):
        paid = sum(p for result, p in outcome.items() if pays(BY_KEY[key].cost, result))
        assert answer.purchases[key] == pytest.approx(float(paid), abs=1e-9)


def played(race, hand, rng):
    """The number of turns of one game, every die rolled and every step taken by the rules."""
    number = 0
    while True:
        number += 1
        worth, _, state = turn_of(race, hand)
        while not state.is_over:
            if state.falling and not state.opening:
                fallen = dice.of_faces(rng.choices(dice.FACES, k=state.falling))
                active = dice.plus(state.active, fallen)
                state = replace(state, active=active, falling=0, may_roll=False)
            adviser, option = first_option(race, hand, state)
            state = adviser.after(state, option)
        keys = [k for k, v in worth.values if pays(BY_KEY[k].cost, state.aside)]
        worths = dict(worth.values)
        key = min(keys, key=worths.__getitem__, default=None)
        if key == "king":
            return number
        if key and worths[key] < worth.stay:
            hand = bought(hand, key)


@cache
def turn_of(race, hand):
    node = race.node(hand)
    after = {key: child.turns.upper for key, child in race.after(node).items()}
    worth = PurchasePayoff((("king", 0.0), *after.items()), node.turns.upper, TURNS)
    state = to_state(before_first_roll(hand, race.supply.rules), race.supply.rules)
    values = Adviser(state, [worth], MEMORY).table.values
    return worth, Stored(state, values), state


@cache
def first_option(race, hand, state):
    worth, stored, _ = turn_of(race, hand)
    adviser = Adviser(state, [worth], MEMORY, stored)
    return adviser, best(adviser.options(state))


def test_games_played_out_take_as_long_as_expected(cheap_king):
    cheap_king(4)
    hand = ("farmer",)
    race = Solitaire(supply_of(("fool", "guard"), hand, replace(RULEBOOK, dice_limit=5)), MEMORY)
    node = race.solve(hand, 1e-6)
    rng = random.Random(20)
    games = [played(race, hand, rng) for _ in range(800)]
    turns = Pace(race).turns(hand)
    assert mean(turns) == pytest.approx(node.turns.upper, abs=1e-5)
    spread = sqrt(sum(n * n * p for n, p in enumerate(turns, 1)) - mean(turns) ** 2)
    assert abs(sum(games) / len(games) - node.turns.upper) < 4 * spread / sqrt(len(games))
    done = 0.0
    within = Pace(race).within(hand)
    for number in range(1, 8):
        done += turns[number - 1]
        share = sum(game <= number for game in games) / len(games)
        error = 4 * sqrt(done * (1 - done) / len(games))
        assert abs(share - done) < error
        assert share < within[number - 1].upper + error
        assert done <= within[number - 1].upper + 1e-12
