"""Whatever the rules allow is read back from every form and any order of its dice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor import dice
from advisor.court.play.effects import SeveralUses, read_use, short
from advisor.court.play.moves import (
    aside_of,
    format_move,
    format_step,
    parse_step,
    read_move,
    steps_of,
    words,
)
from advisor.court.rules.cards import BY_KEY, CARDS
from advisor.court.rules.game import Buy, Fall, Game, uses
from advisor.court.rules.options import RULE_SETS
from advisor.court.rules.turn import CHANGE_NOTHING, Roll, SetAside, Use
from advisor.dice import NONE, faces, format_dice, minus, of_faces, plus
from advisor.errors import AdvisorError, ImpossibleStep
from tests.property.test_game import chosen, plays
from tests.strategies import USABLE, turn_states

SPENT = {"philosopher", "astronomer", "noblewoman", "magician", "alchemist", "nobleman"}
"""Cards that can be used without a die being changed."""
STATES = turn_states(most_active=6, most_cards=4)


def game_at(state, rules):
    return Game(rules, (state.unused,), state)


def shuffled(counts, rng):
    """Dice in any order, as somebody may write them."""
    listed = [str(face) for face in faces(counts)]
    rng.shuffle(listed)
    return rng.choice(["", " ", ",", ", "]).join(listed)


def forms(use, state, rng):
    """Texts of a use: in digits and in words, dice in any order, some that stay as they are."""
    effect = use.effect
    if effect == CHANGE_NOTHING:
        return ["0", "change nothing", "CHANGE  nothing"]
    take, give = (shuffled(counts, rng) for counts in (effect.take, effect.give))
    if effect.reroll:
        return [effect.text, take, f"re-roll {take}", f"Reroll {take}"]
    if effect.take == NONE:
        return [effect.text] if state.opening else [effect.text, give, f"bring in {give}"]
    rest = faces(minus(state.active, effect.take))
    kept = of_faces(rng.sample(rest, rng.randint(0, len(rest))))
    more = [shuffled(plus(counts, kept), rng) for counts in (effect.take, effect.give)]
    return [
        effect.text,
        f"{take}>{give}",
        f"{take} > {give}",
        f"turn {take} into {give}",
        f"turn a {take} into a {give}",
        ">".join(more),
        " into ".join(["turn " + more[0], more[1]]),
    ]


@pytest.mark.parametrize("key", USABLE)
def test_every_use_is_read_in_every_form(key):
    """Random states of every kind, under both rule sets."""
    read = set()

    @settings(max_examples=30, deadline=None)
    @given(
        turn_states(most_active=6, most_cards=1, cards=[key]).filter(lambda state: state.unused),
        st.sampled_from([*RULE_SETS.values()]),
        st.randoms(use_true_random=False),
    )
    def reads(state, rules, rng):
        game, names = game_at(state, rules), (key, BY_KEY[key].code, *BY_KEY[key].names.values())
        possible = uses(key, state)
        for use in {*rng.sample(possible, min(3, len(possible))), *possible[-1:]}:
            for form in forms(use, state, rng):
                typed = f"{rng.choice(names)} {form}"
                if rng.random() < 0.5:
                    assert read_move(typed, game) == ((use,),), typed
                else:
                    assert parse_step(f"use {typed}", game) == (use,), typed
            read.add(use.effect == CHANGE_NOTHING)

    reads()
    assert False in read
    assert (True in read) == (key in SPENT), read


@settings(max_examples=100, deadline=None)
@given(
    STATES.filter(lambda state: state.unused and not state.is_chance),
    st.data(),
    st.text("123456>", max_size=7),
)
def test_what_is_read_by_value_does_what_was_written(state, data, text):
    """No other effect is taken for one: what is read turns the dice named into those named."""
    key = data.draw(st.sampled_from(state.unused))
    try:
        use = read_use(key, text, state)
    except (AdvisorError, SeveralUses):
        return
    effect, (take, change, give) = use.effect, text.partition(">")
    assert use in uses(key, state)
    if take and give:
        before, after = dice.parse_dice(take), dice.parse_dice(give)
        assert minus(before, effect.take) == minus(after, effect.give)
        assert min(minus(before, effect.take)) >= 0
        assert min(minus(state.active, before)) >= 0
    elif change:
        assert short(effect).startswith(format_dice(dice.parse_dice(take)) + ">" * bool(take))
        assert short(effect).endswith(">" * bool(give) + format_dice(dice.parse_dice(give)))
    elif take:
        assert format_dice(dice.parse_dice(take)) in (short(effect), short(effect).split(">")[0])


@settings(max_examples=100, deadline=None)
@given(STATES, st.randoms(use_true_random=False))
def test_dice_are_set_aside_in_any_order_and_no_more_than_there_are(state, rng):
    game = game_at(state, RULE_SETS["rulebook"])
    part = of_faces(rng.sample(faces(state.active), rng.randint(0, sum(state.active))))
    if part == NONE or state.is_chance:
        return
    step = tuple(SetAside(face) for face in faces(part))
    text = shuffled(part, rng)
    assert read_move(text, game) == read_move(f"aside {text}", game) == (step,)
    assert parse_step(f"aside {text}", game) == step
    assert aside_of(step) == part
    if part != state.active:
        for rolled in (f"{text}r", f"{text} R", f"{text}, roll"):
            assert read_move(rolled, game) == (step, (Roll(),))
    face = rng.choice(faces(part))
    more = plus(part, of_faces([face] * (state.active[face - 1] - part[face - 1] + 1)))
    for form in (f"{shuffled(more, rng)}", f"aside {shuffled(more, rng)}"):
        with pytest.raises(ImpossibleStep, match=r"there (is|are) only"):
            read_move(form, game)


@settings(max_examples=60, deadline=None)
@given(plays(), st.randoms(use_true_random=False))
def test_a_move_is_read_back_as_it_is_typed_and_as_it_is_recorded(record, rng):
    game = record.game
    if record.is_over:
        return
    moves = chosen(game, rng)
    assert parse_step(format_step(moves), game) == moves
    assert words(moves)
    if not isinstance(moves[-1], Fall):
        assert read_move(format_move(moves), game) == (moves,)
    elif isinstance(moves[0], Roll):
        assert read_move(format_move(moves[:1]), game) == ((Roll(),),)


def test_moves_in_steps():
    one, two, use = SetAside(1), SetAside(2), Use("hunter", CHANGE_NOTHING)
    assert list(steps_of([one, two, use, one, Roll()])) == [(one, two), (use,), (one,), (Roll(),)]
    assert list(steps_of([Buy(None)])) == [(Buy(None),)]
    assert format_move([one, two, Roll()]) == "12r"
    assert format_move([two, Use("laborer", CHANGE_NOTHING)]) == "2 La 0"
    assert {format_move([Buy(card.key)]) for card in CARDS} == {card.code for card in CARDS}
