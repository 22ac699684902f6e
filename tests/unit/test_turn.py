"""The turn, one literal step at a time. T and C numbers are those of the rules."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from advisor import dice
from advisor.court.rules.options import BRETTSPIELWELT, RuleSet
from advisor.court.rules.turn import Roll, SetAside, TurnState, Use, effects, start
from advisor.dice import NONE, format_dice, parse_dice
from tests.conftest import multisets


def position(aside="", active="", unused=(), **more):
    return TurnState(parse_dice(aside), parse_dice(active), tuple(unused), **more)


def play(state, *steps):
    """Return the state after steps that must be legal where they are taken."""
    for step in steps:
        assert step in state.legal_steps(), f"{step} is not legal in {state}"
        state = state.apply(step)
    return state


def fall(state, roll):
    """Return the state after the dice in the air have fallen so."""
    assert state.is_chance
    (after,) = (after for _, after in state.chance_outcomes() if after.active == parse_dice(roll))
    return after


def use(state, card, text):
    """Return the use of a card with this text."""
    (effect,) = (effect for effect in effects(card, state) if effect.text == text)
    return Use(card, effect)


def uses(state):
    return [step for step in state.legal_steps() if isinstance(step, Use)]


def test_example_turn_with_laborer_guard_and_astronomer():
    state = fall(start(("laborer", "guard", "astronomer")), "256")
    state = play(state, SetAside(2), use(state, "laborer", "bring in a 1"), Roll())
    assert state.falling == 3
    state = fall(state, "335")
    # Only the die brought in is set aside; that frees the other three to be rolled again.
    state = play(state, use(state, "guard", "bring in a 2"), SetAside(2), Roll())
    assert state.falling == 3
    state = fall(state, "456")
    state = play(state, use(state, "astronomer", "turn a 4 into a 2"), SetAside(2), Roll())
    state = play(fall(state, "23"), SetAside(2), Roll())
    state = play(fall(state, "4"), SetAside(4))
    assert state.is_over
    assert format_dice(state.aside) == "22224"
    assert state.unused == ()


@pytest.mark.parametrize(
    ("cards", "number"),
    [((), 3), (("farmer",), 4), (("charlatan",) * 2, 5), (("farmer", "general"), 6)],
)
def test_start_dice_are_all_rolled_at_once(cards, number):
    state = start(cards)
    assert state.is_chance
    assert state.falling == number
    assert state.unused == ()
    assert state.legal_steps() == []


def test_a_die_must_be_set_aside_before_the_next_roll():
    state = fall(start(()), "125")
    assert state.legal_steps() == [SetAside(1), SetAside(2), SetAside(5)]
    state = play(state, SetAside(5))
    assert state.legal_steps() == [SetAside(1), SetAside(2), Roll()]
    state = fall(play(state, Roll()), "66")
    assert Roll() not in state.legal_steps()


def test_rolling_again_means_all_active_dice():
    state = play(position("1", "2345", may_roll=True), Roll())
    assert (state.falling, state.active, state.may_roll) == (4, NONE, False)


def test_nothing_can_be_done_after_the_last_die():
    state = play(position("11", "1", ["laborer", "fool"]), SetAside(1))
    assert state.is_over
    assert state.legal_steps() == []


@pytest.mark.parametrize("may_roll", [False, True])
@pytest.mark.parametrize("card", ["fool", "merchant"])
def test_a_reroll_by_a_card_neither_creates_nor_lifts_the_duty(card, may_roll):
    state = position("1", "25", [card], may_roll=may_roll)
    state = fall(play(state, use(state, card, "re-roll 2")), "45")
    assert state.may_roll is may_roll
    assert (Roll() in state.legal_steps()) is may_roll


def test_a_reroll_leaves_the_other_dice_as_they_are():
    state = position("", "2255", ["merchant"])
    state = play(state, use(state, "merchant", "re-roll 2 5"))
    assert (state.falling, format_dice(state.active)) == (2, "25")
    assert {format_dice(after.active) for _, after in state.chance_outcomes()} >= {"1125", "2566"}


def test_each_card_is_used_once():
    state = position("", "123", ["laborer", "maid"])
    state = play(state, use(state, "laborer", "bring in a 1"))
    assert state.unused == ("maid",)
    assert {step.card for step in uses(state)} == {"maid"}


def test_the_astronomer_copies_a_die_of_the_same_roll():
    state = position("", "335", ["astronomer"])
    assert uses(state) == []
    state = play(state, SetAside(3), SetAside(3))
    state = play(state, use(state, "astronomer", "turn a 5 into a 3"), SetAside(3))
    assert (state.is_over, format_dice(state.aside)) == (True, "333")


def test_cards_that_act_by_themselves_are_never_used():
    assert start(("farmer", "charlatan", "general", "laborer")).unused == ("laborer",)


@pytest.mark.parametrize(("dice_there", "allowed"), [(11, True), (12, False)])
def test_no_die_beyond_the_dice_limit(dice_there, allowed):
    state = position("1" * (dice_there - 2), "12", ["laborer", "queen"])
    assert bool(uses(state)) is allowed


def test_a_smaller_box_limits_start_dice_and_cards():
    rules = RuleSet("small box", dice_limit=4)
    state = start(("farmer", "general", "laborer"), rules)
    assert state.falling == 4
    assert uses(fall(state, "1234")) == []


def test_the_queen_brings_in_any_value():
    state = position("", "1", ["queen"])
    assert [step.effect.text for step in uses(state)] == [f"bring in a {n}" for n in range(1, 7)]


def test_opening_offers_the_die_bringing_cards_and_the_roll():
    state = start(("fool", "laborer", "guard", "astronomer"), BRETTSPIELWELT)
    assert not state.is_chance
    assert {step.card for step in uses(state)} == {"laborer", "guard"}
    assert Roll() in state.legal_steps()
    state = play(state, use(state, "laborer", "bring in a die"))
    assert (state.falling, state.active, state.unused) == (4, NONE, ("fool", "guard", "astronomer"))
    state = play(state, Roll())
    assert state.is_chance
    assert state.falling == 4
    assert not any(after.opening or after.may_roll for _, after in state.chance_outcomes())


def test_opening_stops_at_the_dice_limit():
    rules = replace(BRETTSPIELWELT, name="small box", dice_limit=4)
    state = start(("laborer", "guard"), rules)
    state = play(state, use(state, "guard", "bring in a die"))
    assert state.legal_steps() == [Roll()]


@pytest.mark.parametrize("number", range(1, 6))
def test_chances_sum_to_one(number):
    state = position("1", "", falling=number)
    assert sum(weight for weight, _ in state.chance_outcomes()) == 6**number


# ---------------------------------------------------------------- abilities, thrown out longhand


def subsets(active, sizes):
    places = range(len(active))
    return [chosen for size in sizes for chosen in combinations(places, size)]


def moved(active, limit):
    """All ways to share the pips of at most `limit` dice out anew."""
    for chosen in subsets(active, range(2, limit + 1)):
        for values in product(range(1, 7), repeat=len(chosen)):
            if sum(values) == sum(active[i] for i in chosen):
                yield [values[chosen.index(i)] if i in chosen else v for i, v in enumerate(active)]


def raised(active, amounts, limit):
    for amount in amounts:
        for chosen in subsets(active, range(1, limit + 1)):
            after = [v + amount * (i in chosen) for i, v in enumerate(active)]
            if max(after) <= 6:
                yield after


def turned(active, values):
    for i, value in product(range(len(active)), values):
        yield [*active[:i], value, *active[i + 1 :]]


LONGHAND = {
    "maid": lambda active: raised(active, (1, 2, 3), 1),
    "philosopher": lambda active: moved(active, 2),
    "laborer": lambda active: [[*active, 1]],
    "guard": lambda active: [[*active, 2]],
    "hunter": lambda active: [[*active, 3]],
    "astronomer": lambda active: turned(active, (2, 5)),
    "noblewoman": lambda active: raised(active, (1,), len(active)),
    "pawnbroker": lambda active: [[*active, 4]],
    "knight": lambda active: [[*active, 5]],
    "magician": lambda active: turned(active, range(1, 7)),
    "alchemist": lambda active: moved(active, min(3, len(active))),
    "bishop": lambda active: [[*active, 6]],
    "nobleman": lambda active: raised(active, (2,), len(active)),
    "queen": lambda active: [[*active, value] for value in range(1, 7)],
}


@pytest.mark.parametrize("card", LONGHAND)
def test_abilities_reach_what_the_rules_say_and_nothing_else(card):
    for active in multisets(4, smallest=1):
        values = dice.faces(active)
        state = TurnState(parse_dice("225"), active, (card,))
        reached = [format_dice(state.apply(step).active) for step in uses(state)]
        wanted = {"".join(map(str, sorted(after))) for after in LONGHAND[card](values)}
        assert set(reached) == wanted - {format_dice(active)}, values
        assert len({step.effect for step in uses(state)}) == len(reached)


@pytest.mark.parametrize(("card", "limit"), [("fool", 1), ("merchant", 4)])
def test_rerolls_offer_every_choice_of_dice(card, limit):
    for active in multisets(4, smallest=1):
        state = TurnState(NONE, active, (card,))
        taken = {step.effect.take: step.effect.reroll for step in uses(state)}
        assert taken == {p: sum(p) for p in dice.parts(active) if 1 <= sum(p) <= limit}
