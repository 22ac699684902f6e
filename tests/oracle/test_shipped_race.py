"""The shipped table of the race for the King."""

from __future__ import annotations

import importlib
import random
from pathlib import Path

import pytest

from advisor.court.race import known as race_tables
from advisor.court.race.course import Pace, mean
from advisor.court.race.hand import Turn
from advisor.court.race.search import Solitaire
from advisor.court.rules.options import RULEBOOK, bought, dice_in_reach
from advisor.court.rules.supply import full_supply, singles
from advisor.court.tables.making_race import hands_upto
from advisor.court.turn.payoffs import TURNS, PurchasePayoff
from advisor.storage import places

MEMORY = 4 << 30
WIDTH = 0.02
"""Turns: how well all hands of at most five cards are known."""
SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture(scope="module")
def known():
    return race_tables.probe(places.shipped(), RULEBOOK)


@pytest.fixture
def race(known):
    return Solitaire(full_supply((), RULEBOOK), MEMORY, known=known)


def test_the_empty_hand_is_known_to_a_thousandth_of_a_turn(race):
    assert race.node(()).turns.width <= 0.001


def test_the_play_found_takes_as_long_as_the_interval_says(race):
    node = race.node(())
    turns = Pace(race).turns(())
    assert sum(turns) == pytest.approx(1, abs=1e-6)
    assert node.turns.lower - 1e-4 <= mean(turns) <= node.turns.upper + 1e-4


def test_every_hand_that_the_play_found_reaches_is_there(race, known):
    for node, _ in race.reached(race.node(())):
        assert known(node.cards) is not None


def test_hands_that_play_for_the_lower_bounds_reaches_are_there(race, known):
    waiting, seen = [()], set()
    while waiting:
        hand = waiting.pop()
        node = known(hand)
        assert node is not None
        if not node.expanded or len(hand) > 2 or hand in seen:
            continue
        seen.add(hand)
        shares = race.task(race.node(hand), 1e-4).solve().shares
        waiting += [bought(hand, key) for key, share in shares.items() if key and key != "king"]
    assert len(seen) > 20


def test_every_hand_of_at_most_five_cards_is_known(known):
    for hand in hands_upto(5, RULEBOOK):
        assert known(hand).turns.width <= WIDTH


def test_no_interval_is_empty(known):
    assert all(0 < lower <= upper for _, lower, upper, *_ in known.columns.T.tolist())


def _payoff(node, after, bound):
    values = (("king", 0.0), *((key, getattr(n.turns, bound)) for key, n in after.items()))
    return PurchasePayoff(values, getattr(node.turns, bound), TURNS)


def test_bounds_solved_again_from_the_table_agree(race, known):
    small = [h for h in known.hands() if known(h).expanded and dice_in_reach(h, RULEBOOK) <= 8]
    for hand in random.Random(7).sample(sorted(small), 12):
        node, after = race.node(hand), race.after(race.node(hand))
        turn = Turn(hand, race.supply, MEMORY)
        low = _payoff(node, after, "lower")
        high = _payoff(node, after, "upper")
        least, most = turn.values([low, high])
        # What is stored may come from wider bounds of other hands, never from narrower ones.
        assert 1 + least >= node.turns.lower - 1e-9
        assert 1 + most <= node.turns.upper + 1e-9


@pytest.fixture
def strategy(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("strategy")


@pytest.fixture
def numbers(strategy):
    return strategy.Numbers()


def test_the_page_about_strategy_is_what_the_table_says(strategy, numbers):
    assert strategy.PAGE.read_text(encoding="utf-8") == strategy.page(numbers)


def test_a_missing_card_costs_turns_and_the_soonest_king_is_no_rarer_than_play_has_it(numbers):
    least = numbers.bounds(()).lower
    assert set(numbers.without) == set(singles())
    for turns in numbers.without.values():
        assert least <= turns.upper
        assert 0 <= turns.width <= 5e-3
    assert numbers.turns[4] <= numbers.soonest.upper
    assert numbers.soonest.width < 1e-9


def test_the_drawings_are_the_same_on_every_run(strategy, numbers, tmp_path):
    pytest.importorskip("matplotlib")
    plots = importlib.import_module("strategy_plots")
    drawn = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        plots.draw(numbers, tmp_path / name)
        drawn.append({file.name: file.read_bytes() for file in (tmp_path / name).iterdir()})
    assert drawn[0] == drawn[1]
    assert set(drawn[0]) == {file.name for file in strategy.PAGE.parent.glob("strategy-*.svg")}
