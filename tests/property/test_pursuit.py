"""Laws of the advice in a turn for the fewest turns to the King."""

import time
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, inf, prod

import pytest

from advisor.court.race import known as race_tables
from advisor.court.race.in_turn import Pursuit
from advisor.court.race.purchases import ENOUGH, Precision, Stakes, settle
from advisor.court.race.search import Solitaire
from advisor.court.rules.notation import before_first_roll, parse_position
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.supply import full_supply, supply_of
from advisor.dice import of_faces
from advisor.intervals import Interval
from advisor.storage import places

MEMORY = 4 << 30
HANDS = ["", "Fa", "Fa,La", "Gu,Hu,As", "Fo,Fa,Gu", "Fa,La,Gu,Hu,As,Ma"]


@cache
def known():
    return race_tables.probe(places.shipped(), RULEBOOK)


@pytest.fixture(scope="module")
def race():
    return Solitaire(full_supply((), RULEBOOK), MEMORY, known=known())


def start(cards):
    return before_first_roll(parse_position(f"/1:{cards}-").cards, RULEBOOK)


@pytest.mark.parametrize("cards", HANDS)
def test_before_the_roll_the_turns_are_those_of_the_hand(race, cards):
    position = start(cards)
    span, hand = Pursuit(position, race, MEMORY).span(), race.node(position.cards)
    assert hand.turns.lower - 1e-9 <= span.lower <= span.upper <= hand.turns.upper + 1e-9
    assert span.width <= hand.turns.width + 1e-9


@pytest.mark.parametrize("text", ["/3d:-", "11/2d:Fa-", "1/3d:-La", "2/2d:As-"])
def test_before_a_roll_the_turns_are_the_mean_of_those_after_it(race, text):
    position = parse_position(text)
    number, mean = position.to_roll, [0.0, 0.0]
    for roll in combinations_with_replacement(range(1, 7), number):
        ways = factorial(number) // prod(map(factorial, of_faces(roll)))
        rolled = text.replace(f"{number}d", "".join(map(str, roll)))
        span = Pursuit(parse_position(rolled), race, MEMORY).span()
        mean[0] += ways / 6**number * span.lower
        mean[1] += ways / 6**number * span.upper
    span = Pursuit(position, race, MEMORY).span()
    assert mean == pytest.approx([span.lower, span.upper], abs=1e-9)


@pytest.mark.parametrize("text", ["16/225:Fa,Hu,Me-La", "/2556:Fa-", "2/13+:Fa-", "/1245:Fa,As-"])
def test_the_best_option_is_as_good_as_the_position(race, text):
    pursuit = Pursuit(parse_position(text), race, MEMORY, every=True)
    spans, whole = pursuit.spans(), pursuit.span()
    assert min(span.lower for span in spans) == pytest.approx(whole.lower, abs=1e-11)
    assert min(span.upper for span in spans) == pytest.approx(whole.upper, abs=1e-11)
    middles = [span.middle for span in spans]
    assert middles == pytest.approx(sorted(middles), abs=1e-11)


def test_more_work_narrows_every_option():
    position = parse_position("/1344:Fa-")
    supply = supply_of(("guard", "hunter", "knight", "astronomer"), position.cards, RULEBOOK)
    pursuit = Pursuit(position, Solitaire(supply, MEMORY), MEMORY)
    before = {
        option.text(): span for option, span in zip(pursuit.options, pursuit.spans(), strict=True)
    }
    for width in (1.0, 0.1, 1e-3):
        pursuit.narrow(Precision(width), time.monotonic() + 60, lambda race, node: None)
        for option, span in zip(pursuit.options, pursuit.spans(), strict=True):
            wider = before[option.text()]
            assert wider.lower - 1e-9 <= span.lower <= span.upper <= wider.upper + 1e-9
            assert span.width <= width
            before[option.text()] = span


def test_what_the_table_knows_takes_no_solving(race):
    passes = race.passes
    pursuit = Pursuit(parse_position("16/225:Fa,Hu,Me-La"), race, MEMORY)
    pursuit.narrow(Precision(ENOUGH, inf), time.monotonic() + 60, lambda race, node: None)
    assert race.passes == passes
    assert max(span.width for span in pursuit.spans()[:2]) <= ENOUGH


def test_bounds_that_cost_nothing_hold_what_is_solved():
    hand = ("farmer", "guard", "hunter", "knight")
    supply = supply_of(("laborer", "fool"), hand, RULEBOOK)
    stakes = Stakes(Solitaire(supply, MEMORY), hand)
    before = stakes.spans()
    settle(stakes, list(before), Precision(1e-4), time.monotonic() + 60, lambda race, node: None)
    for key, span in stakes.spans().items():
        assert before[key].lower <= span.lower <= span.upper <= before[key].upper
        assert span.width <= 1e-4


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("44446/4:Mg,Fa,Ge-", ("philosopher", "merchant", "knight", "alchemist", "bishop")),
        ("2233/12:Mg,Fa,Ge-", ("guard", "astronomer", "knight", "bishop", "nobleman")),
    ],
)
def test_unlike_hands_with_the_same_cheap_bounds_are_no_tie(text, named):
    position = parse_position(text)
    supply = supply_of(named, position.cards, RULEBOOK)
    pursuit = Pursuit(position, Solitaire(supply, MEMORY), MEMORY)
    assert pursuit.spans()[0].is_same(pursuit.spans()[1])
    assert not pursuit.certain()


def test_an_option_that_is_not_offered_can_be_the_better_one():
    position = parse_position("44446/4:Mg,Fa,Ge-")
    supply = supply_of(("knight", "bishop"), position.cards, RULEBOOK)
    pursuit = Pursuit(position, Solitaire(supply, MEMORY), MEMORY)
    most = pursuit.spans()[0].upper
    hidden = [o for o in pursuit.known if o not in pursuit.options and -o.values[1] < most]
    pursuit.known = [*pursuit.options[:1], *hidden]
    assert hidden
    assert not pursuit.certain()


def test_ways_to_the_same_sure_purchase_are_a_tie():
    position = parse_position("2233/12:Mg,Fa,Ge-")
    named = ("guard", "astronomer", "knight", "bishop", "nobleman")
    supply = supply_of(named, position.cards, RULEBOOK)
    pursuit = Pursuit(position, Solitaire(supply, MEMORY), MEMORY)
    pursuit.narrow(Precision(1e-3), time.monotonic() + 60, lambda race, node: None)
    first, second, *_ = pursuit.spans()
    assert not first.is_below(second)
    assert pursuit.certain()


def test_the_same_play_in_another_order_is_a_tie(race):
    pursuit = Pursuit(parse_position("1/222:Fa,Hu,La,Gu-"), race, MEMORY)
    first, *rest = pursuit.spans()
    assert any(not first.is_below(span) for span in rest)
    assert pursuit.certain()


@pytest.mark.parametrize(
    ("slack", "spans", "expected"),
    [
        (None, [Interval(1, 1.1), Interval(3, 3.5)], [1]),
        (0.0, [Interval(1, 1.1), Interval(3, 3.5)], []),
        (0.0, [Interval(1, 1.1), Interval(1.2, 1.8)], [1]),
        (inf, [Interval(1, 1.1), Interval(1.2, 1.8)], []),
        (inf, [Interval(1, 1.1), Interval(1.02, 1.8)], []),
        (inf, [Interval(1, 1.1), Interval(0.9, 1.8)], [1]),
        (inf, [Interval(1, 1.3)], [0]),
        (inf, [], []),
    ],
)
def test_what_is_not_known_well_enough(slack, spans, expected):
    assert Precision(0.2, slack).vague(spans) == expected
