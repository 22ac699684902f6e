"""What a move loses in a game, held against `advisor keep`, `buy`, `final` and `analyze`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from advisor.court.asking import Asking
from advisor.court.coach.analysis import analyzed
from advisor.court.coach.coach import Coach, position_of
from advisor.court.final.questions import final as final_answer
from advisor.court.play.aims import Aims
from advisor.court.play.moves import read_move
from advisor.court.play.record import parse_record
from advisor.court.race import questions as race
from advisor.court.rules.game import Buy, Claimed, Fall, Game
from advisor.court.rules.notation import before_first_roll, parse_position, to_state
from advisor.court.rules.options import RULEBOOK, bought, with_queen
from advisor.court.rules.seats import Seats
from advisor.court.rules.supply import full_supply
from advisor.court.rules.turn import start
from advisor.dice import parse_dice, parse_rank

ASKING = Asking(RULEBOOK)
GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture(scope="module")
def counsel():
    return Coach(ASKING)


def alone(position):
    where = parse_position(position)
    return Game(RULEBOOK, (where.cards,), to_state(where, RULEBOOK))


def typed(option):
    """The option of an answer as a player types it."""
    match option.kind:
        case "roll":
            return "r"
        case "use":
            return f"{option.card} {option.effect}"
        case "aside_then_use":
            return f"{option.dice} {option.card} {option.effect}"
    return option.dice if "end the turn" in option.text else option.dice + "r"


@pytest.mark.parametrize(
    "position", ["/456:-", "/2556:Fa-", "1/335+:Fa,Gu,As-", "12/345:Fa,Gu-La", "/1355:Fa,Hu,Me-"]
)
def test_losses_on_the_way_to_the_king_are_about_those_of_keep(counsel, position):
    game = alone(position)
    supply = full_supply(game.hand, RULEBOOK)
    kept = race.keep(race.Races(ASKING), position_of(game), supply, every=True)
    for option in kept.options:
        loss = counsel.loss(game, read_move(typed(option), game))
        assert loss.unit == "turns"
        assert within(loss.lost, option, kept.options[0]), option.text
    assert counsel.answer(game).options[0].text == kept.options[0].text


def test_losses_of_purchases_are_about_those_of_buy(counsel):
    game = alone("/33344:Fa,Gu-La")
    for step in read_move("a", game):
        for move in step:
            game = game.apply(move)
    supply = full_supply(game.hand, RULEBOOK)
    bought = race.buy(race.Races(ASKING), game.result, game.hand, supply)
    assert {option.card for option in bought.options} == {None, *game.purchases()}
    for option in bought.options:
        loss = counsel.loss(game, ((Buy(option.card),),))
        assert within(loss.lost, option, bought.options[0]), option.text


def test_the_reason_of_a_purchase_is_what_the_next_turn_buys(counsel):
    game = alone("/33344:Fa,Gu-La")
    for step in read_move("a", game):
        for move in step:
            game = game.apply(move)
    first, second = counsel.answer(game).options[:2]
    reason = counsel.reason(game)
    for side, row in ((reason.best, first), (reason.next, second)):
        cards = bought(game.hand, row.card)
        supply = full_supply(cards, RULEBOOK)
        kept = race.keep(race.Races(ASKING), before_first_roll(cards, RULEBOOK), supply)
        # The play belongs to the bounds, which time narrows.
        for share in kept.buys:
            assert side.odds[share.card or "nothing"] == pytest.approx(share.probability, abs=0.02)
        assert sum(side.odds.values()) == pytest.approx(1, abs=1e-12)
        assert (side.text, side.dice_left) == (row.text, start(cards, RULEBOOK).falling)
    assert reason.best.odds.keys() == reason.next.odds.keys()
    assert reason.best.unused == ("laborer", "guard", "astronomer")


WITHOUT_A_FARMER = """court-record 1
rules rulebook
seat human Anna
seat human Bob
seed 5
roll 124
aside 124
buy fool
roll 124
aside 124
buy fool
roll 114
aside 114
buy farmer
roll 456
aside 456
buy laborer
roll 222
aside 222
buy guard
roll 4566
aside 4566
buy laborer
roll 2244
aside 2244
buy astronomer
roll 556
"""


@pytest.mark.parametrize("budget", [0.001, 3.0])
def test_advice_on_a_purchase_agrees_with_the_coach_whatever_the_time(budget):
    counsel = Coach(ASKING, budget)
    game = parse_record(WITHOUT_A_FARMER).game
    for text in ("Gu", "La", "a"):
        counsel.answer(game)
        for step in read_move(text, game):
            for move in step:
                game = game.apply(move)
    options = counsel.answer(game).options
    assert [option.rank for option in options] == [1, 2, 3]
    assert [option.card for option in options] == ["farmer", "charlatan", None]
    assert counsel.loss(game, ((Buy("charlatan"),),)).better == options[0].text
    for option in options[1:]:
        # So little time leaves intervals that tell nothing of a loss.
        assert budget < 1 or option.loss == pytest.approx(
            counsel.loss(game, ((Buy(option.card),),)).lost, abs=0.1
        )


def within(lost, option, best):
    """Whether a loss lies within what the intervals of an option and of the best one allow."""
    least, most = option.lower - best.upper, option.upper - best.lower
    return least - 0.01 <= lost <= most + 0.01


def test_losses_in_the_final_round_are_those_of_final(counsel):
    hands = ("farmer", "guard", "knight", "bishop", "general"), with_queen(["farmer", "hunter"])
    best = parse_rank("7x3")
    game = Game(
        RULEBOOK, hands, start(hands[0], RULEBOOK), start=1, claimed=Claimed(1, 1, best), final=True
    )
    assert game.seat == 0
    before = counsel.answer(game).value
    seats = Seats(hands, best, 1)
    whole = final_answer(ASKING, seats)
    assert before == pytest.approx(whole.players[0].win, abs=1e-12)
    assert counsel.loss(game, read_move("p", game)).lost == pytest.approx(before, abs=1e-12)
    assert counsel.loss(game, read_move("r", game)).lost == 0
    game = game.apply(fall("122556"))
    true = final_answer(ASKING, seats, position_of(game), every=True)
    mine = counsel.answer(game, every=True)
    for own, option in zip(mine.options, true.options, strict=True):
        assert own.text == option.text
        assert own.value == pytest.approx(option.value, abs=1e-12)
        loss = counsel.loss(game, read_move(typed(option), game))
        assert loss.unit == "probability"
        assert loss.lost == pytest.approx(option.loss, abs=1e-12)


def fall(dice):
    return Fall(parse_dice(dice))


@pytest.mark.parametrize(
    ("position", "wanted"),
    [
        ("/111111123:Fa,Ge,Ch,Ch,Ch-", "set aside 1 1 1 1 1 1 1, roll 2"),
        ("1111111/2:Fa,Ge,Ch,Ch,Mg-", "use the Magician (turn a 2 into a 1)"),
    ],
)
def test_spare_dice_make_the_king_harder_to_beat(position, wanted):
    counsel = Coach(ASKING)
    where = parse_position(position)
    game = Game(RULEBOOK, (where.cards, ("farmer",)), to_state(where, RULEBOOK))
    (first, *_) = counsel.answer(game).options
    assert first.text == wanted
    assert first.lower == pytest.approx(1, abs=1e-12)
    loss = counsel.loss(game, read_move("a", game))
    assert 0 < loss.lost < 1e-6
    assert loss.better == wanted
    # Alone a King is a King.
    single = replace(game, hands=(where.cards,))
    assert counsel.loss(single, read_move("a", single)).lost == 0


def test_setting_aside_without_rolling_loses_what_cannot_be_mended(counsel):
    game = alone("/2556:Fa-")
    # With 5 set aside the other 5 and the 6 can still be set aside before the roll.
    assert counsel.loss(game, read_move("5", game)).lost == pytest.approx(0, abs=1e-12)
    assert counsel.loss(game, read_move("5r", game)).lost > 0.01
    assert counsel.loss(game, read_move("2", game)).lost > 0


def test_once_another_has_taken_the_king(counsel):
    hands = with_queen(["farmer"]), ("farmer", "laborer", "guard", "hunter", "astronomer")
    claimed = Claimed(0, 0, parse_rank("7x2"))
    game = Game(RULEBOOK, hands, start(hands[1], RULEBOOK), done=1, claimed=claimed)
    game = game.apply(fall("2336"))
    answer = counsel.answer(game)
    assert answer.unit == "probability"
    assert answer.options[0].value == answer.value
    for option in answer.options:
        assert option.value <= answer.value + 1e-12
        if option.kind != "aside_then_use":
            loss = counsel.loss(game, read_move(typed(option), game))
            assert loss.lost == pytest.approx(option.loss, abs=1e-12)
    for step in read_move("a", game):
        for move in step:
            game = game.apply(move)
    bought = counsel.answer(game)
    assert {option.card for option in bought.options} == {None, *game.purchases()}
    assert [option.loss for option in bought.options] == sorted(
        option.loss for option in bought.options
    )


def test_nothing_is_said_where_nothing_is_known(counsel):
    game = alone("/566:Qu-")
    assert counsel.loss(game, read_move("66r", game)) is None


def test_losses_of_a_whole_game_are_those_of_analyze(counsel):
    record = parse_record((GOLDEN / "play-bots.txt").read_text(encoding="utf-8"))
    aims = Aims(counsel.aims.rules, counsel.aims.memory, counsel.aims.estimates)
    steps = [step for turn in analyzed(record, aims).turns for step in turn.steps]
    held, lost = {"turns": 0, "probability": 0}, 0
    for entry, step in zip(record.entries, steps, strict=True):
        moves = tuple(move for move in entry.moves if not isinstance(move, Fall))
        loss = counsel.loss(entry.before, (moves,)) if moves else None
        if loss:
            # What a King is worth by his rank makes less than 1e-6 turns.
            assert loss.lost == pytest.approx(step.loss, abs=1e-6), entry
            held[loss.unit] += 1
            lost += loss.lost > 0.01
    assert held["turns"] > 50
    assert held["probability"] > 5
    assert lost > 10
