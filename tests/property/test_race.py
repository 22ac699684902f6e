"""Laws of the race for the King."""

from itertools import pairwise

import pytest

from advisor.court.race.course import TURNS, Pace
from advisor.court.race.hand import FixedPoint
from advisor.court.race.search import Solitaire
from advisor.court.rules.cards import in_order
from advisor.court.rules.options import RULEBOOK, bought
from advisor.court.rules.supply import full_supply, supply_of

MEMORY = 4 << 30
HAND = ("farmer", "guard", "general")


def solved(named, hand=HAND, width=1e-5):
    race = Solitaire(supply_of(named, hand, RULEBOOK), MEMORY)
    return race, race.solve(hand, width)


def test_the_interval_is_as_narrow_as_asked_and_holds_narrower_ones():
    wide, narrow = (solved(("bishop", "knight", "maid"), width=w)[1] for w in (1e-2, 1e-4))
    assert wide.turns.width <= 1e-2
    assert narrow.turns.width <= 1e-4
    assert wide.turns.lower <= narrow.turns.upper
    assert narrow.turns.lower <= wide.turns.upper


@pytest.mark.parametrize("more", ["hunter", "maid", "astronomer"])
def test_one_more_card_in_the_supply_never_costs_turns(more):
    few, many = solved(("knight",))[1], solved(("knight", more))[1]
    assert many.turns.lower <= few.turns.upper


@pytest.mark.parametrize("card", ["hunter", "philosopher", "merchant", "magician"])
def test_owning_a_card_that_need_not_be_used_never_costs_turns(card):
    race, node = solved(("knight", card))
    owner = race.solve(bought(HAND, card), 1e-5)
    assert owner.turns.lower <= node.turns.upper


def test_chances_grow_with_the_turns_and_with_their_own_aim():
    race, _ = solved(("knight", "bishop"))
    pace = Pace(race)
    within, turns = pace.within(HAND), pace.turns(HAND)
    assert len(within) == TURNS
    assert all(0 <= chance.lower <= chance.upper <= 1 for chance in within)
    assert all(a.lower <= b.lower and a.upper <= b.upper for a, b in pairwise(within))
    done = 0.0
    for share, chance in zip(turns, within, strict=False):
        done += share
        assert done <= chance.upper + 1e-9


def test_every_race_ends_with_the_king_and_buys_other_cards_once_at_most():
    race, _ = solved(("knight", "bishop"))
    pace = Pace(race)
    turns, purchases = pace.turns(HAND), pace.purchases(HAND)
    assert [now["king"] for now in purchases] == pytest.approx(turns)
    for now, chances in zip(pace.course(HAND), purchases, strict=True):
        assert sum(chances.values()) <= sum(now.values()) + 1e-12
    assert sum(turns) == pytest.approx(1, abs=1e-8)
    for key in ("knight", "bishop"):
        assert 0 < sum(now.get(key, 0.0) for now in purchases) <= 1


def test_routes_are_likeliest_first_and_end_with_the_king():
    race, _ = solved(("knight", "bishop"))
    routes = Pace(race).routes(HAND, 50)
    chances = [route.probability for route in routes]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) == pytest.approx(1)
    assert all(route.cards[-1] == "king" for route in routes)


def test_nothing_to_buy_leaves_the_chance_of_one_turn():
    race, node = solved(())
    assert node.turns.lower == pytest.approx(1 / node.king)
    assert node.turns.upper == pytest.approx(1 / node.king)
    assert Pace(race).within(HAND)[2].lower == pytest.approx(1 - (1 - node.king) ** 3)


def test_a_short_deadline_still_gives_bounds():
    race = Solitaire(full_supply((), RULEBOOK), MEMORY)
    early = race.solve((), 1e-4, deadline=0.0)
    first = (early.turns.lower, early.turns.upper)
    assert 4 <= early.turns.lower < early.turns.upper < 100
    later = race.solve((), 4.0)
    assert first[0] <= later.turns.lower < later.turns.upper <= first[1]
    assert later.turns.width <= 4.0


def test_a_fixed_point_is_bracketed_after_every_pass():
    # F(x) = 1 + min(x / 2, 3 + x / 8): its solution is 2.
    point = FixedPoint((), guess=50.0, tolerance=1e-9, error=0.0)
    while point.open:
        x = point.guess
        slope = 1 / 2 if x / 2 < 3 + x / 8 else 1 / 8
        moved = point.learn(min(x / 2, 3 + x / 8), {None: slope})
        assert point.turns.lower <= 2 <= point.turns.upper
        assert moved or not point.open
    assert point.turns.width <= 1e-9


def test_dice_decide_whether_the_king_is_in_reach():
    def reached(named, hand=()):
        return supply_of(named, hand, RULEBOOK).reaches_king(in_order(hand))

    assert reached(("fool",))
    assert not reached(("general",))
    assert not reached(("maid", "magician", "farmer"))
    assert reached(("guard", "hunter", "knight", "farmer"))
    assert reached((), ("farmer", "general", "guard"))


def test_slow_races_are_certified_as_well():
    hand, named = (), ("general", "farmer", "guard", "hunter")
    node = solved(named, hand, width=1e-3)[1]
    assert node.turns.width <= 1e-3
    assert node.turns.lower > 15


def test_a_guess_below_every_purchase_is_left_behind():
    point = FixedPoint((("guard", 5.0),), guess=2.0, tolerance=1e-9, error=0.0)
    while point.open:
        # The purchase is possible in half of the turns: x = 1 + x / 2 + 5 / 2.
        x = point.guess
        buying = 0.5 if x > 5 else 0.0
        moved = point.learn((1 - buying) * x + buying * min(x, 5), {None: 1 - buying})
        assert point.turns.lower <= 7 <= point.turns.upper
        assert moved or not point.open
