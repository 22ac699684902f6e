"""Positions as one line of text, both ways, and which of them can occur."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import dice
from advisor.court.rules.cards import BY_KEY, has_use, in_order
from advisor.court.rules.notation import (
    Position,
    before_first_roll,
    check_position,
    format_position,
    parse_position,
    to_state,
)
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK, brings_in, start_dice
from advisor.errors import AdvisorError, InvalidCards, InvalidPosition


@st.composite
def positions(draw):
    """Positions that can occur under the rulebook: the number of dice follows from the cards."""
    owned = draw(st.sets(st.sampled_from([key for key in BY_KEY if key != "king"])))
    cards = in_order([*owned, *["charlatan"] * draw(st.integers(0, 2))])
    used = {key for key in owned if has_use(key) and draw(st.booleans())}
    brought = sum(map(brings_in, used))
    start = start_dice(cards, RULEBOOK)
    while start + brought > RULEBOOK.dice_limit:
        used.remove(next(key for key in in_order(used) if brings_in(key)))
        brought -= 1
    values = draw(st.lists(st.integers(1, 6), min_size=start + brought, max_size=start + brought))
    aside = draw(st.integers(0, len(values) - 1))
    to_roll = len(values) - aside if draw(st.booleans()) and (aside or not used) else 0
    return Position(
        aside=dice.of_faces(values[:aside]),
        active=dice.NONE if to_roll else dice.of_faces(values[aside:]),
        unused=tuple(key for key in cards if key not in used),
        used=in_order(used),
        to_roll=to_roll,
        may_roll=bool(aside) and not to_roll and draw(st.booleans()),
    )


@given(positions())
def test_positions_survive_being_written_and_read(position):
    check_position(position, RULEBOOK)
    text = format_position(position)
    assert parse_position(text) == position
    assert format_position(parse_position(text)) == text


@given(positions())
def test_the_turn_state_has_the_dice_and_useful_cards_of_the_position(position):
    state = to_state(position, RULEBOOK)
    assert state.total == sum(position.aside) + sum(position.active) + position.to_roll
    assert set(state.unused) == {key for key in position.unused if has_use(key)}
    assert not state.is_over


TEXTS = st.text(alphabet="0123456+-/:d,* FaHuMeLaChQuKiö", max_size=24)


@given(st.text() | TEXTS | st.builds("{}/{}:{}-{}".format, TEXTS, TEXTS, TEXTS, TEXTS))
def test_any_text_is_a_position_or_refused(text):
    try:
        position = parse_position(text)
        check_position(position, RULEBOOK)
    except AdvisorError:
        return
    assert parse_position(format_position(position)) == position


@pytest.mark.parametrize("text", ["/" + "9" * 5000 + "d:", "/" + "1" * 5000 + ":"])
def test_positions_too_long_to_be_meant_are_refused(text):
    with pytest.raises(AdvisorError):
        check_position(parse_position(text), RULEBOOK)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("16/225:Fa,Hu,Me-La", "16/225:Fa,Hu,Me-La"),
        ("61/522:merchant,Jäger,farmer-worker", "16/225:Fa,Hu,Me-La"),
        (" 6,1 / 5 2 2 : Me , Hu,Fa - La ", "16/225:Fa,Hu,Me-La"),
        ("/6552:Fa-", "/2556:Fa-"),
        ("/6552:Fa", "/2556:Fa-"),
        ("/321", "/123:-"),
        ("/3d:", "/3d:-"),
        ("5/21+:-", "5/12+:-"),
        ("/5d:charlatan*2-", "/5d:Ch,Ch-"),
        ("1/3d:-La", "1/3d:-La"),
    ],
)
def test_canonical_form(text, canonical):
    position = parse_position(text)
    check_position(position, RULEBOOK)
    assert format_position(position) == canonical


IMPOSSIBLE = [
    ("2556", "ASIDE/ACTIVE", "no slash"),
    ("/123456:-", "6 dice.*3 at the start", "too many dice"),
    ("/12:-", "2 dice.*3 at the start", "too few dice"),
    ("/2556:Fa,La-Gu", "4 dice.*4 at the start.*1 brought in", "guard's die missing"),
    ("/123:Fa-", "3 dice.*4 at the start", "farmer's die missing"),
    ("/4d:-", "4 dice.*3 at the start", "too many to roll"),
    ("/0d:-", "no die is active", "nothing to roll"),
    ("123/:-", "turn is over", "turn over"),
    ("/:-", "no die is active", "no dice at all"),
    ("/123+:-", r"'\+'.*none is", "plus without set-aside dice"),
    ("1/2d+:-", r"'\+'.*still to be rolled", "plus before a roll"),
    ("/129:-", "'9'", "no die value"),
    ("/123:Ki-", "King.*leave it out", "king owned"),
    ("/123:Fo,Fo-", "2 x Fool", "two Fools"),
    ("/123:Fo-Fo", "2 x Fool", "a Fool used and unused"),
    ("/1234:Gu-Gu", "2 x Guard", "a Guard used and unused"),
    ("/1234:-Fa", "Farmer.*unused", "farmer used up"),
    ("/1234:-Ch", "Charlatan.*unused", "charlatan used up"),
    ("/12345:-Ge", "General.*unused", "general used up"),
    ("/123:Xy-", "'Xy'", "unknown card"),
    ("/123:Noblem,Nob-", "'Nob' may be noblewoman or nobleman", "ambiguous card"),
    ("/123:Fa-La-Gu", "'La-Gu'", "two dashes"),
    ("/4d:-La", "before the first roll.*brettspielwelt", "used before the first roll"),
    ("/111111111111:Ge,Fa,Ch*5-La,Gu", "more than the 12 dice", "beyond the dice limit"),
]


@pytest.mark.parametrize(
    ("text", "reason"), [case[:2] for case in IMPOSSIBLE], ids=[case[2] for case in IMPOSSIBLE]
)
def test_impossible_positions_are_refused_with_the_reason(text, reason):
    with pytest.raises(AdvisorError, match=reason) as refusal:
        check_position(parse_position(text), RULEBOOK)
    assert refusal.value.exit_code == 2
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["/4d:-La", "/5d:Fa-Gu", "/5d:Me-La,Gu"])
def test_dice_may_be_brought_in_before_the_first_roll_in_one_rule_set(text):
    check_position(parse_position(text), BRETTSPIELWELT)
    with pytest.raises(InvalidPosition):
        check_position(parse_position(text), RULEBOOK)


@pytest.mark.parametrize("text", ["/3d:-Me", "/3d:-As", "/4d:La-Fo,Gu"])
def test_no_other_card_is_used_before_the_first_roll_in_any_rule_set(text):
    with pytest.raises(InvalidPosition):
        check_position(parse_position(text), BRETTSPIELWELT)


def test_fools_and_charlatans_are_limited_in_one_rule_set():
    position = parse_position("/8d:Fo,Ch*5-")
    check_position(position, RULEBOOK)
    with pytest.raises(InvalidCards, match=r"6 Fools and Charlatans.*only 5"):
        check_position(position, BRETTSPIELWELT)


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ([], "/3d:-"),
        (["merchant", "farmer"], "/4d:Fa,Me-"),
        (["general", "charlatan", "charlatan"], "/7d:Ch,Ch,Ge-"),
    ],
)
def test_the_turn_starts_with_the_dice_of_the_cards(cards, text):
    for rules in (RULEBOOK, BRETTSPIELWELT):
        assert format_position(before_first_roll(cards, rules)) == text


def test_only_one_rule_set_opens_the_turn_with_a_decision():
    position = before_first_roll(["laborer"], RULEBOOK)
    assert not to_state(position, RULEBOOK).opening
    assert to_state(position, BRETTSPIELWELT).opening
    assert not to_state(parse_position("1/3d:-La"), BRETTSPIELWELT).opening
