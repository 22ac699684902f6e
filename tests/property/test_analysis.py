"""Laws of the analysis of records, and its values against the literal reference."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from advisor.court.coach.analysis import LEAST, Judge, analyzed, turns_of
from advisor.court.final.solve import FinalRound
from advisor.court.play.aims import FINAL, LAST, RACE, Aims, kind_of
from advisor.court.play.bots import make_bot
from advisor.court.play.header import Header, Seat
from advisor.court.play.record import Record, parse_record
from advisor.court.race.estimates import load
from advisor.court.rules.cards import BY_KEY, pays
from advisor.court.rules.game import Claimed, Fall, Game
from advisor.court.rules.options import RULE_SETS, RULEBOOK, bought, with_queen
from advisor.court.rules.seats import Seats
from advisor.court.rules.turn import Roll
from advisor.court.rules.turn import start as begun
from advisor.court.turn.reference import Reference
from advisor.dice import rank_number
from advisor.errors import InvalidRecord

MEMORY = 4 << 30
GAME = (Path(__file__).parents[1] / "golden/game.txt").read_text(encoding="utf-8")


def judge_of(rules=RULEBOOK):
    return Aims(rules, MEMORY, load(rules))


@pytest.fixture(scope="module")
def aims():
    return judge_of()


@pytest.fixture(scope="module")
def game(aims):
    return analyzed(parse_record(GAME), aims)


def played(rules, players, seed, steps):
    """A record of random legal play, a Charlatan or a Fool now and then."""
    rng = random.Random(seed)
    record = Record(Header(rules, tuple(Seat("human") for _ in range(players)), seed))
    while len(record.entries) < steps and not record.is_over:
        game = record.game
        if game.is_chance:
            record.add((Fall(record.seeded()),))
            continue
        move = rng.choice(game.legal_moves()[-6:])
        record.add((move, Fall(record.seeded())) if isinstance(move, Roll) else (move,))
    return record


def check(answer):
    """The identity of every turn, step by step, and that no decision gains anything."""
    for turn in answer.turns:
        value = turn.value
        for step in turn.steps:
            assert step.loss >= 0
            assert not (step.forced and step.loss)
            assert step.decision or not step.loss
            value += (step.luck or 0.0) - step.loss
            assert step.value == pytest.approx(value, abs=1e-9)
            assert (step.best is not None) == (step.loss > 0)
        assert turn.value + turn.luck - turn.loss == pytest.approx(turn.end, abs=1e-9)


# ---------------------------------------------------------------- the identity


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=list(RULE_SETS))
@pytest.mark.parametrize(("players", "seed"), [(1, 1), (2, 2), (3, 3), (5, 4)])
def test_value_and_luck_and_loss_add_up_on_random_play(rules, players, seed):
    record = played(rules, players, seed, 70)
    answer = analyzed(record, judge_of(rules))
    check(answer)
    assert sum(len(turn.steps) for turn in answer.turns) == len(record.entries)


def test_they_add_up_in_a_whole_game_with_its_final_round(game):
    check(game)
    assert [turn.kind for turn in game.turns] == [RACE] * 11 + [LAST, FINAL, FINAL]
    assert game.winner == 1


def test_the_chance_before_the_own_roll_is_that_after_the_last_purchase(game):
    last, roll = game.turns[11:13]
    assert last.seat == roll.seat == 1
    assert last.end == pytest.approx(roll.value, abs=1e-9)


def test_the_chance_before_the_final_round_is_that_of_the_final_round(game):
    first = next(entry.before for entry in parse_record(GAME).entries if entry.before.final)
    hands = [first.hands[seat] for seat in first.order]
    seats = Seats(tuple(hands), first.claimed.best, len(hands) - 1)
    (chance, _, _) = FinalRound(seats, RULEBOOK, (rank_number(seats.best),)).solve(MEMORY).win()
    assert game.turns[12].value == pytest.approx(chance, abs=1e-9)


def test_purchases_after_the_king_are_worth_the_chance_in_the_final_round(aims):
    hands = (("farmer",), ("guard",), with_queen(["farmer"]))
    # The final round begins with the start player's right neighbour.
    for seat, start, order in ((0, 2, (1, 0, 2)), (1, 1, (0, 1, 2))):
        done = (seat - start) % 3
        game = Game(RULEBOOK, hands, begun(hands[seat], RULEBOOK), start=start, done=done,
                    claimed=Claimed(2, 2, (4, 2)))  # fmt: skip
        assert (game.seat, replace(game, final=True, done=0).order) == (seat, order)
        assert kind_of(game) == LAST
        for key, worth in aims.worths(game).items():
            after = [bought(hand, key) if each == seat else hand for each, hand in enumerate(hands)]
            seats = Seats(tuple(after[each] for each in order), (4, 2), 2)
            round_ = FinalRound(seats, RULEBOOK, (rank_number((4, 2)),)).solve(MEMORY)
            assert worth == pytest.approx(round_.win()[order.index(seat)], abs=1e-12)


def test_who_wins_had_every_chance_and_the_loser_none_at_the_end(game):
    assert game.turns[-1].end == 0


# ---------------------------------------------------------------- what the values are


def test_values_are_those_of_the_literal_reference(aims):
    record = parse_record("court-record 1\nturn /3d:Ph-\nroll 136\naside 1\nroll 25\n")
    entries = record.entries
    first = entries[0].before
    judge = Judge.of(first, aims, "en")
    worths = aims.worths(first)

    def utility(result):
        paid = [key for key in first.display if pays(BY_KEY[key].cost, result)]
        return max(Fraction(worths[key]) for key in (None, *paid))

    reference = Reference(utility)
    assert judge.value == pytest.approx(float(reference.value(first.turn)), abs=1e-9)
    for entry in entries:
        judge.step(entry)
        assert judge.value == pytest.approx(float(reference.value(entry.after.turn)), abs=1e-9)


def test_before_the_first_roll_it_is_the_race_but_for_the_turn_itself(aims):
    turn = analyzed(parse_record("court-record 1\nseat human\nroll 123\n"), aims).turns[0]
    node = aims.estimates.table(())
    assert node.turns.lower - 1 - 1e-3 <= -turn.value <= node.turns.upper - 1 + 1e-3


def test_a_race_without_its_luck_takes_what_best_play_takes_and_the_losses(aims):
    answer = analyzed(played(RULEBOOK, 1, 1, 45), aims)
    (player,) = answer.players
    assert all(len(turn.cards) <= 2 for turn in answer.turns)
    node = aims.estimates.table(())
    expected = (node.turns.lower + node.turns.upper) / 2 + player.turns.loss
    assert player.race.luck_adjusted == pytest.approx(expected, abs=0.02)


def test_luck_is_nothing_on_average(aims):
    text = "court-record 1\nturn /5d:Fa,Ch,Fo-\nroll 11355\naside 11\nuse fool re-roll 3\n"
    before = values(text, aims)
    after = [values(f"{text}roll {face}\n", aims) for face in range(1, 7)]
    assert len(set(after)) > 1
    assert sum(after) / 6 == pytest.approx(before, abs=1e-9)


def values(text, aims):
    """The value at the end of a record."""
    record = parse_record(text)
    judge = Judge.of(record.entries[0].before, aims, "en")
    for entry in record.entries:
        judge.step(entry)
    return judge.value


def test_from_the_middle_of_a_turn_the_same_values_follow(aims):
    whole = "court-record 1\nturn /3d:Gu-\nroll 256\naside 2\n"
    middle = "court-record 1\nturn 2/56+:Gu-\n"
    rest = "use guard bring in a 2\nroll 226\naside 22\n"
    assert values(whole + rest, aims) == pytest.approx(values(middle + rest, aims), abs=1e-9)


@pytest.fixture(scope="module")
def alone(aims):
    """A race of the bot that is best at it."""
    record = Record(Header(RULEBOOK, (Seat("best"),), 5))
    bot = make_bot("best", RULEBOOK)
    while not record.is_over:
        if record.game.is_chance:
            record.add((Fall(record.seeded()),))
        for move in bot.moves(record.game) if not record.is_over else ():
            record.add((move, Fall(record.seeded())) if isinstance(move, Roll) else (move,))
    return analyzed(record, aims)


def test_best_play_loses_nothing(alone):
    check(alone)
    (player,) = alone.players
    assert player.turns.loss < 1e-8
    assert player.race.left == 0
    assert player.race.result == player.race.played


def test_best_play_without_its_luck_takes_as_long_as_expected(alone, aims):
    (player,) = alone.players
    node = aims.estimates.table(())
    assert player.race.luck_adjusted == pytest.approx(node.turns.lower, abs=0.05)


# ---------------------------------------------------------------- decisions


def test_the_example_of_the_rulebook_loses_nothing(aims):
    text = (Path(__file__).parents[1] / "unit/test_record.py").read_text(encoding="utf-8")
    turn = text.partition('TURN = """')[2].partition('"""')[0]
    (player,) = analyzed(parse_record(turn), aims).players
    assert player.turns.loss == 0
    assert player.turns.decisions == 12
    assert sum(player.turns.marks.values()) == 0


def test_only_one_option_is_no_decision(aims):
    text = "court-record 1\nturn /3d:-\nroll 555\naside 5\nroll 55\naside 55\nbuy guard\n"
    steps = analyzed(parse_record(text), aims).turns[0].steps
    assert [step.forced for step in steps] == [False, True, False, False, False]
    assert [step.decision for step in steps] == [False, True, True, True, True]


def test_a_purchase_has_its_own_loss_and_mark(aims):
    text = "court-record 1\nseat human\nroll 224\naside 224\nbuy philosopher\n"
    step = analyzed(parse_record(text), aims).turns[0].steps[-1]
    assert step.best == "buy the Farmer"
    assert step.loss == pytest.approx(0.128, abs=2e-3)
    assert step.mark == "?!"


def test_marks_begin_at_their_loss(game):
    for turn in game.turns:
        high, middle, low = LEAST[turn.unit]
        for step in turn.steps:
            assert (step.mark == "??") == (step.loss >= high)
            assert (step.mark == "?") == (middle <= step.loss < high)
            assert (step.mark == "?!") == (low <= step.loss < middle)


def test_players_have_the_sums_of_their_turns(game):
    for player in game.players:
        own = [turn for turn in game.turns if turn.seat == player.seat]
        for unit in ("turns", "probability"):
            sums = player.sums(unit)
            assert sums.loss == pytest.approx(sum(turn.loss for turn in own if turn.unit == unit))
            assert sums.loss_per_decision == pytest.approx(sums.loss / sums.decisions)
        race = player.race
        assert race.result == race.played + race.left


def test_giving_up_a_chance_costs_it(aims):
    record = parse_record(GAME)
    start = next(e for e in record.entries if e.before.final).line
    text = "\n".join(GAME.splitlines()[: start - 1]) + "\npass\n"
    turn = analyzed(parse_record(text), aims).turns[-1]
    assert turn.kind == FINAL
    assert turn.loss == pytest.approx(turn.value)
    assert turn.end == 0
    assert turn.complete


# ---------------------------------------------------------------- refused, and cut off


def test_a_turn_under_way_is_judged_as_far_as_it_goes(aims):
    answer = analyzed(parse_record("court-record 1\nseat human\nroll 224\naside 2\n"), aims)
    assert not answer.turns[0].complete
    check(answer)


def test_a_record_without_a_step_is_refused(aims):
    with pytest.raises(InvalidRecord, match="no step"):
        analyzed(parse_record("court-record 1\nseat human\n"), aims)


def test_a_turn_with_the_queen_has_no_race(aims):
    with pytest.raises(InvalidRecord, match=r"turn 1, line 3: .*Queen"):
        analyzed(parse_record("court-record 1\nturn /3d:Qu-\nroll 123\n"), aims)


def test_steps_taken_back_do_not_count(aims):
    text = "court-record 1\nseat human\nroll 224\naside 4\nundo\naside 224\nbuy farmer\n"
    answer = analyzed(parse_record(text), aims)
    assert [step.line for step in answer.turns[0].steps] == [3, 6, 7]
    assert len(list(turns_of(parse_record(text)))) == 1
