"""Short input as steps of a game: what is read, what is refused and why."""

from __future__ import annotations

import pytest

from advisor.court.play.effects import SeveralUses
from advisor.court.play.moves import accepted, format_step, read_move
from advisor.court.rules.game import Buy, Game, dealt
from advisor.court.rules.notation import parse_position, to_state
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK
from advisor.court.rules.turn import Roll
from advisor.errors import AdvisorError


def at(position, rules=RULEBOOK):
    where = parse_position(position)
    return Game(rules, (where.cards,), to_state(where, rules))


def written(text, game):
    return ["roll" if step == (Roll(),) else format_step(step) for step in read_move(text, game)]


@pytest.mark.parametrize(
    ("position", "typed", "steps"),
    [
        ("/256:-", "6", ["aside 6"]),
        ("/2566:Fa-", "66r", ["aside 66", "roll"]),
        ("/2566:Fa-", " 6 6  R ", ["aside 66", "roll"]),
        ("/2566:Fa-", "6,6", ["aside 66"]),
        ("/256:-", "652", ["aside 256"]),
        ("2/56+:-", "r", ["roll"]),
        ("2/56+:-", "ROLL", ["roll"]),
        ("2/56:La-", "la", ["use laborer bring in a 1"]),
        ("2/56:La-", "Handwerker", ["use laborer bring in a 1"]),
        ("2/56:Qu-", "qu 6", ["use queen bring in a 6"]),
        ("2/56:Qu-", "Qu6", ["use queen bring in a 6"]),
        ("2/56:As-", "As 5>2", ["use astronomer turn a 5 into a 2"]),
        ("2/56:As-", "as5", ["use astronomer turn a 5 into a 2"]),
        ("2/55:As-", "as", ["use astronomer turn a 5 into a 2"]),
        ("26/5:As-", "as >6", ["use astronomer turn a 5 into a 6"]),
        ("2/25:As-", "as 0", ["use astronomer change nothing"]),
        ("/256:Me-", "me 652", ["use merchant re-roll 2 5 6"]),
        ("/256:Me-", "Merchant 25", ["use merchant re-roll 2 5"]),
        ("/255:Ph-", "ph 52>61", ["use philosopher turn 2 5 into 1 6"]),
        ("/255:Ph-", "use Ph turn 2 5 into 1 6", ["use philosopher turn 2 5 into 1 6"]),
        ("/255:Ma-", "serving maid 2>3", ["use maid turn a 2 into a 3"]),
        ("/255:Ma-", "serving maid turn a 2 into a 3", ["use maid turn a 2 into a 3"]),
        ("/255:-", "aside 55", ["aside 55"]),
        ("/255:-", "a", ["aside 255"]),
        ("/135:Me-", "use merchant 31", ["use merchant re-roll 1 3"]),
        ("/135:Me-", "me reroll 3, 1", ["use merchant re-roll 1 3"]),
        ("/135:Al-", "Al 51>33", ["use alchemist turn 1 5 into 3 3"]),
        ("/135:Al-", "use Al turn 5 1 into 3 3", ["use alchemist turn 1 5 into 3 3"]),
        ("/135:Al-", "Al 135>333", ["use alchemist turn 1 5 into 3 3"]),
        ("/135:Ph-", "Ph 5 1 3 > 3 3 3", ["use philosopher turn 1 5 into 3 3"]),
        ("/125:Nw-", "Nw 521>532", ["use noblewoman turn 1 2 into 2 3"]),
        ("2/25:As-", "as 2>2", ["use astronomer change nothing"]),
        ("/255:Ma-", "Ma turn a 2 into 3", ["use maid turn a 2 into a 3"]),
        ("/255:Hu-", "hunter Bring in a 3", ["use hunter bring in a 3"]),
        ("/335:As-", "3 As 5>3", ["aside 3", "use astronomer turn a 5 into a 3"]),
        ("/335:As-", "3As", ["aside 3", "use astronomer turn a 5 into a 3"]),
    ],
)  # fmt: skip
def test_what_is_typed_in_a_turn(position, typed, steps):
    assert written(typed, at(position)) == steps


def test_before_the_first_roll():
    game = at("/3d:La-", BRETTSPIELWELT)
    assert written("r", game) == ["roll"]
    assert written("La", game) == ["use laborer bring in a die"]
    assert accepted(game) == "r to roll, a card to use"


def test_a_purchase():
    game = ended("445")
    assert game.purchases() == ("fool", "farmer")
    assert read_move("2", game) == ((Buy("farmer"),),)
    assert read_move("bauer", game) == ((Buy("farmer"),),)
    for nothing in ("", "n", "N", "0", " ", "buy nothing"):
        assert read_move(nothing, game) == ((Buy(None),),)
    assert accepted(game) == "1 to 2 or a card to buy it, n or Enter for nothing"


def ended(dice):
    game = at(f"/{dice}:-")
    for step in read_move(dice, game):
        for move in step:
            game = game.apply(move)
    return game


@pytest.mark.parametrize(
    ("position", "typed", "why"),
    [
        ("/256:-", "", "Enter alone does nothing here"),
        ("/256:-", "r", "set one of 2 5 6 aside first"),
        ("/256:-", "3", "no active die shows it"),
        ("/256:-", "33", "no active die shows it"),
        ("/356:-", "55r", "set aside 5 5: there is only one 5; active are 3 5 6"),
        ("/3556:Fa-", "aside 555", "there are only 2 dice showing 5; active are 3 5 5 6"),
        ("/256:-", "7", "'7' is no die value"),
        ("/256:-", "256r", "256 alone ends the turn"),
        ("/256:-", "p", "only the roll of the final round"),
        ("/256:-", "n", "'n' may be"),
        ("/256:-", "xyz", "'xyz' is no card"),
        ("/256:-", "Hu", "not among the unused cards"),
        ("/256:-", "Fool", "not among the unused cards"),
        ("/256:-", "Fo 2", "not among the unused cards"),
        ("/256:As-", "As", "it can: nothing"),
        ("25/56:As-", "As", "say which effect, for example 5>2, 6>2, 6>5"),
        ("25/56:As-", "As 6", "say which effect, for example 6>2, 6>5"),
        ("25/56:As-", "As 6>1", "it cannot do that here; it can: 5>2"),
        ("25/56:As-", "use As turn a 6 into a 1", "it can: turn a 5 into a 2; turn a 6 into a 2"),
        ("/135:Al-", "Al 1355>3335", "it cannot do that here; it can: 13>22; 15>24"),
        ("/256:La-", "La re-roll 2", "it cannot do that here; it can: bring in a 1"),
        ("/256:La-", "La 2", "it cannot do that here; it can: 1"),
        ("/256:La-", "La 7", "'7' is no die value"),
        ("/256:La-", "La some", "'some' is no effect; the Laborer can: 1"),
        ("/256:Me-", "Me 2>5", "it cannot do that here"),
        ("/256:Me-", "Me >", "it cannot do that here"),
        ("/122:Nw-", "Nw 1>3", "it cannot do that here"),
        ("/256:-", "5>6", "no card"),
        ("/256:-", "2 6 Hu", "not among the unused cards"),
        ("/256:Hu-", "256 Hu", "sets every active die aside, which ends the turn"),
        ("/345:As-", "3 As", "say which effect, for example 4>3, 5>3"),
        ("/3d:-", "66", "before the dice are rolled"),
    ],
)
def test_what_is_refused(position, typed, why):
    with pytest.raises(AdvisorError, match=why):
        read_move(typed, at(position))


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("3", "'3' is no number of the list$"),
        ("999999999", "no number of the list"),
        ("hunter", "costs"),
        ("ge", "costs"),
        ("66r", "'66r' is no card"),
    ],
)
def test_a_purchase_that_is_refused(typed, why):
    with pytest.raises(AdvisorError, match=why):
        read_move(typed, ended("445"))


def test_a_line_too_long_to_be_a_move_is_refused_at_once():
    for text in ("x" * 201, "6 " * 50_000, "6" * 10**6):
        with pytest.raises(AdvisorError, match="letters: no move is so long") as found:
            read_move(text, at("/256:-"))
        assert len(str(found.value)) < 110
    assert written("6" + " " * 150 + "r", at("/256:-")) == ["aside 6", "roll"]


def test_the_uses_to_choose_from():
    with pytest.raises(SeveralUses) as found:
        read_move("33 as", at("/33456:As-"))
    assert [use.effect.text for use in found.value.uses] == [
        f"turn a {face} into a 3" for face in (4, 5, 6)
    ]
    assert found.value.aside == (0, 0, 2, 0, 0, 0)
    with pytest.raises(SeveralUses) as found:
        read_move("as", at("2/56:As-"))
    assert [use.effect.text for use in found.value.uses] == [
        "turn a 5 into a 2", "turn a 6 into a 2",
    ]  # fmt: skip


def test_nothing_can_be_done_when_the_game_is_over():
    game = dealt([(), ()], RULEBOOK)
    over = Game(RULEBOOK, game.hands, None)
    with pytest.raises(AdvisorError, match="over"):
        read_move("r", over)
    assert accepted(over) == "nothing: the game is over"
