"""Ends of rounds of King Me!: outside values, and the literal recursion as a twin."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from advisor.kingme.round import reference
from advisor.kingme.round.payoff import Payoff
from advisor.kingme.round.solve import TooMany, solve, states_at_most
from advisor.kingme.rules import goals as cards
from advisor.kingme.rules.data import NO_CARDS, NUMBER, OUT, THRONE
from advisor.kingme.rules.game import Game, Raise

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "kingme.json").read_text(encoding="utf-8")
)
DECK = cards.default().cards


@pytest.mark.parametrize("number", range(len(GOLDEN)))
def test_outside_values(number):
    golden = GOLDEN[number]
    goals = [frozenset(goal) for goal in golden["goals"]]
    castle, nothing = tuple(golden["floors"]), (0,) * golden["players"]
    found = solve(castle, golden["turn"], [goals], nothing)
    assert found.values[0] == pytest.approx(golden["values"], abs=1e-9)
    # The other solver knows fewer interchangeable characters.
    assert found.states <= min(golden["states"], states_at_most(castle, goals, nothing))


def drawn(rng: random.Random, players: int):
    """Return a small castle, goals and No cards left."""
    number = rng.choice((2, 3, 4))
    castle = [OUT] * NUMBER
    for character in rng.sample(range(NUMBER), number):
        castle[character] = rng.choice((1, 3, 4, 5, 5))
    left = [rng.choice((0, 0, 1, 2)) for _ in range(players)]
    while sum(left) >= number:
        left[left.index(max(left))] -= 1
    return tuple(castle), rng.sample(DECK, players), tuple(left)


@pytest.mark.parametrize("seed", range(60))
def test_the_literal_recursion_agrees(seed):
    rng = random.Random(seed)
    players = rng.choice((3, 4, 5))
    castle, goals, left = drawn(rng, players)
    totals = tuple(rng.randrange(12) for _ in range(players))
    turn = rng.randrange(players)
    game = Game(players, left, totals, 3, castle, turn)
    for payoff, worth in (
        (Payoff(), reference.own_points),
        (Payoff(totals=totals), reference.win_shares),
    ):
        found = solve(castle, turn, [goals], left, payoff)
        expected = reference.values(game, goals, worth)
        assert found.values[0] == pytest.approx(expected, abs=1e-12)
        assert [choice.character for choice in found.choices] != []
        assert {Raise(choice.character) for choice in found.choices} == set(game.legal_moves())
        for choice in found.choices:
            if choice.to < THRONE:
                after = reference.values(game.apply(Raise(choice.character)), goals, worth)
                assert choice.values[0] == pytest.approx(after, abs=1e-12)
        assert found.states <= states_at_most(castle, goals, left)


@pytest.mark.parametrize("seed", range(8))
def test_deals_side_by_side_are_as_each_alone(seed):
    rng = random.Random(seed)
    castle, _, left = drawn(rng, 3)
    deals = [rng.sample(DECK, 3) for _ in range(7)]
    together = solve(castle, 1, deals, left)
    for number, deal in enumerate(deals):
        alone = solve(castle, 1, [deal], left)
        assert together.values[number] == pytest.approx(alone.values[0], abs=1e-12)
        for one, many in zip(
            sorted(alone.choices, key=lambda choice: choice.character),
            sorted(together.choices, key=lambda choice: choice.character),
            strict=True,
        ):
            assert many.values[number] == pytest.approx(one.values[0], abs=1e-12)
            assert one.by is None or many.by[number] == one.by[0]


def test_interchangeable_characters_count_as_many_equal_choices():
    """Three strangers on one floor: raising any of them is one of three equal choices."""
    castle = (4, 4, 4, 5, *[OUT] * 9)
    goals = [frozenset({3}), frozenset({4}), frozenset({5})]
    found = solve(castle, 1, [goals], (0, 0, 0))
    strangers = [choice for choice in found.choices if choice.character < 3]
    assert len(strangers) == 3
    assert len({tuple(choice.values[0]) for choice in strangers}) == 1
    game = Game(3, (0, 0, 0), (0, 0, 0), 1, castle, 1)
    assert found.values[0] == pytest.approx(reference.values(game, goals), abs=1e-12)


def test_everybody_maximises_the_own_value():
    for golden in GOLDEN[:10]:
        goals = [frozenset(goal) for goal in golden["goals"]]
        turn = golden["turn"]
        found = solve(tuple(golden["floors"]), turn, [goals], (0,) * golden["players"])
        best = max(choice.values[0, turn] for choice in found.choices)
        assert found.values[0, turn] == pytest.approx(best, abs=1e-10)


def test_too_many_states_are_refused():
    castle = tuple(GOLDEN[5]["floors"])
    goals = [frozenset(goal) for goal in GOLDEN[5]["goals"]]
    with pytest.raises(TooMany):
        solve(castle, 0, [goals], (0, 0, 0), most=1000)
    assert states_at_most((0,) * NUMBER, goals, (NO_CARDS[3],) * 3) > 10**7


def test_no_cards_only_matter_with_somebody_who_uses_them():
    """A player whom every king suits never says No."""
    everyone = frozenset(range(NUMBER))
    castle = tuple(GOLDEN[1]["floors"])
    plain = solve(castle, 0, [[everyone] * 3], (0, 0, 0))
    with_cards = solve(castle, 0, [[everyone] * 3], (1, 1, 1))
    assert np.allclose(plain.values, with_cards.values, atol=1e-12)
