"""Questions of the quiz: what a typed move stands for, levels, seeds."""

from __future__ import annotations

import pytest

from advisor.court.asking import Asking
from advisor.court.coach.quiz import GAPS, MEMORY, RIGHT, Question, Quiz, position_of
from advisor.court.race import questions as race
from advisor.court.rules.game import Game
from advisor.court.rules.notation import format_position, parse_position, to_state
from advisor.court.rules.options import RULE_SETS, RULEBOOK
from advisor.court.rules.supply import full_supply
from advisor.court.turn import advice
from advisor.court.turn.goals import card_goal
from advisor.errors import AdvisorError, ImpossibleStep, InvalidDice, InvalidInput, UnknownCard


def question(text, goal, rules=RULEBOOK):
    position = parse_position(text)
    game = Game(rules, (position.cards,), to_state(position, rules))
    answer = advice.keep(position, rules, card_goal(goal), MEMORY, every=True)
    return Question(game, answer, 0.0, lambda place: {"place": place})


@pytest.mark.parametrize(
    ("position", "goal", "typed", "meant"),
    [
        ("/2566:Fa-", "guard", "66", "set aside 6 6, roll 2"),
        ("/2566:Fa-", "guard", "66r", "set aside 6 6, roll 2"),
        ("/2566:Fa-", "guard", " 6, 6  r", "set aside 6 6, roll 2"),
        ("/2566:Fa-", "guard", "aside 2", "set aside 2, roll 3"),
        ("/2566:Fa-", "guard", "2665", "set aside 2 5 6 6, end the turn"),
        ("2/256+:Fa-", "guard", "r", "roll 3"),
        ("/256:Hu-", "guard", "hunter", "use the Hunter (bring in a 3)"),
        ("/256:Hu-", "guard", "Jäger", "use the Hunter (bring in a 3)"),
        ("6/256:As-", "guard", "As 2>6", "use the Astronomer (turn a 2 into a 6)"),
        ("/255:Ma-", "guard", "Ma", "use the Serving Maid (turn a 2 into a 5)"),
        ("/335:As-", "guard", "3 As 5>3", "set aside 3, use the Astronomer (turn a 5 into a 3)"),
        ("/335:As-", "guard", "3As", "set aside 3, use the Astronomer (turn a 5 into a 3)"),
        ("/1233:Fo,Fa-", "guard", "Fo 1", "use the Fool (re-roll 1)"),
    ],
)
def test_a_typed_move_is_an_option(position, goal, typed, meant):
    assert question(position, goal).option(typed).text == meant


@pytest.mark.parametrize(
    ("position", "typed", "error", "why"),
    [
        ("/2566:Fa-", "1", ImpossibleStep, "no active die"),
        ("/2566:Fa-", "7", InvalidDice, "1 to 6"),
        ("/2566:Fa-", "r", ImpossibleStep, "no die was set aside"),
        ("/2566:Fa-", "Hu", ImpossibleStep, "not among the unused"),
        ("/2566:Fa-", "xyz", UnknownCard, "no card"),
        ("/2566:Fa-", "p", ImpossibleStep, "final round"),
        ("/2566:Fa-", "buy hunter", ImpossibleStep, "still in play"),
        ("/256:Hu-", "2 Hu", InvalidInput, "more than one move"),
        ("/256:Hu-", "256 Hu", ImpossibleStep, "use the card first"),
        ("/1122:Fo,Fa-", "Fo", InvalidInput, "which effect, for example 1, 2"),
        ("/2566:Fa-", "2566r", ImpossibleStep, "none is left to roll"),
    ],
)
def test_what_is_no_option_is_explained(position, typed, error, why):
    with pytest.raises(error, match=why):
        question(position, "guard").option(typed)


def test_before_the_first_roll_one_may_roll_or_use_a_card():
    asked = question("/4d:Fa,La-", "merchant", RULE_SETS["brettspielwelt"])
    assert asked.option("r").kind == "roll"
    assert asked.option("La").kind == "use"


@pytest.mark.parametrize("text", ["16/225:Fa,Hu,Me-La", "/2556:Fa-", "5/12+:La-", "/12335:Ch,Ch-"])
def test_a_game_gives_the_position_it_was_made_from(text):
    position = parse_position(text)
    game = Game(RULEBOOK, (position.cards,), to_state(position, RULEBOOK))
    assert format_position(position_of(game)) == format_position(position)


@pytest.fixture(scope="module")
def quizzes():
    return {
        (name, level): Quiz(Asking(rules), level, 5)
        for name, rules in RULE_SETS.items()
        for level in (1, 2, 3)
    }


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_gap_is_that_of_the_level(quizzes, rules, level):
    quiz = quizzes[rules, level]
    least, most = GAPS[quiz.unit][level]
    for number in (1, 2, 3):
        losses = [option.loss for option in quiz.question(number).answer.options]
        assert losses[0] <= RIGHT
        assert least - 1e-12 <= min(loss for loss in losses if loss > RIGHT) < most + 1e-12


@pytest.mark.usefixtures("no_race_table")
@pytest.mark.parametrize("level", [1, 2, 3])
def test_without_a_table_questions_are_about_the_chance_of_a_card(level):
    quiz = Quiz(Asking(RULEBOOK), level, 5)
    asked = quiz.question(1)
    least, most = GAPS["probability"][level]
    assert quiz.unit == asked.answer.unit == "probability"
    assert least <= asked.gap < most
    assert 0.05 <= asked.answer.value <= 0.95


def test_the_same_seed_asks_the_same(quizzes):
    quiz = quizzes["rulebook", 2]
    again = Quiz(Asking(RULEBOOK), 2, 5)
    other = Quiz(Asking(RULEBOOK), 2, 6)
    # The order in which they are asked does not matter.
    answers = [again.question(number).answer for number in (3, 2, 1)][::-1]
    assert answers == [quiz.question(number).answer for number in (1, 2, 3)]
    assert len({answer.position for answer in answers}) == 3
    assert other.question(1).answer.position != answers[0].position


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_reasons_are_held_against_the_move_that_was_made(quizzes, rules):
    asked = quizzes[rules, 2].question(1)
    options = asked.answer.options
    for given in (options[0], options[-1]):
        why = asked.compared(given).why
        assert why.best.text == options[0].text
        other = given if given.loss > RIGHT else next(o for o in options if o.loss > RIGHT)
        assert why.next.text == other.text
        assert set(why.best.odds) == set(why.next.odds)


def test_the_answer_is_that_of_keep(quizzes):
    asked = quizzes["rulebook", 1].question(1).answer
    position = parse_position(asked.position)
    asking = Asking(RULEBOOK)
    supply = full_supply(position.cards, RULEBOOK)
    known = race.keep(race.Races(asking), position, supply, every=True)
    assert known.options == asked.options
    assert asked.certain


def test_errors_of_typed_moves_are_those_of_users():
    for text in ("", "0", ">", "As", "1 2 3 4 5 6", "\x00", "Hu Hu", "6 6 6 r r", "-", "🎲"):
        with pytest.raises(AdvisorError):
            question("/2566:Fa-", "guard").option(text)
