"""Laws of days, the literal day and the whole game; simulation against exact values."""

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from advisor.errors import ImpossibleStep
from advisor.giveit.day import advice, lookahead, tables, worth
from advisor.giveit.day.board import Board, positions_within
from advisor.giveit.day.solve import solve
from advisor.giveit.play import simulate
from advisor.giveit.play.bots import First, make_bot
from advisor.giveit.rules import box
from advisor.giveit.rules.captain import heirs
from advisor.giveit.rules.day import Move, Name, Quiet, Reveal, Roll, new_day
from advisor.giveit.rules.game import DAYS, Draw, Restore, Shuffle, new_game, shares

BOX = box.default()
LENGTH = 11


@pytest.fixture(scope="module", params=[2, 3, 4])
def solution(request):
    return solve(Board((LENGTH,) * 4), worth.reach(request.param))


def test_every_value_is_there_and_chances_sum_to_one(solution):
    assert len(solution.board) == positions_within((LENGTH,) * 4) == 7920
    for values in solution.values:
        assert np.isfinite(values).all()
        assert np.abs(values.sum(axis=-1) - 1).max() < 1e-12


def test_turning_the_table_turns_the_chances(solution):
    players = solution.worth.players
    for part, positions in enumerate(solution.board.positions):
        for by in range(1, players):
            seats = np.array(tables.turned(range(4), by, players))
            rows = solution.board.places[positions[:, seats] @ solution.board.strides]
            turned = solution.values[part][rows][:, 0]
            movers = np.roll(np.arange(players), -by)
            expected = solution.values[part][:, 0][:, movers][:, :, seats]
            assert np.abs(turned - expected).max() < 1e-12


def test_the_table_holds_the_same_values(solution):
    players = solution.worth.players
    rows = tables.contents(players, LENGTH)
    table = tables.ReachTable(players, LENGTH, rows.tobytes(), 0, "here")
    for distances in ((1, 2, 3, 4), (11, 4, 7, 2), (8, 9, 10, 11), (3, 11, 1, 6)):
        for mover in range(players):
            expected = solution.rolling(distances, mover)
            assert table.rolling(distances, mover) == pytest.approx(list(expected), abs=1e-12)


def test_before_the_door_the_turn_is_an_audience():
    day = new_day(4, (7, 3, 1, 5), 2)
    assert day.is_over
    assert advice.outcome(day, None) == (0, 0, 1, 0)
    assert not new_day(2, (7, 3, 1, 5), 1).is_over


@pytest.mark.parametrize(("players", "gold"), [(4, False), (3, True)])
def test_simulated_days_lie_within_four_standard_errors(players, gold):
    distances, deliver, captain = (10, 9, 7, 8), (4, 3, 5, 0), 1
    played = worth.fixed_gold(players, deliver, captain) if gold else worth.reach(players)
    solution = solve(Board(distances), played)
    more = {"captain": captain, "deliver": deliver} if gold else {}
    start = new_day(players, distances, 0, **more)
    rng, found = random.Random(1), []
    for _ in range(250):
        day, total = start, np.zeros(4)
        while not day.is_over:
            if day.is_chance:
                day = day.apply(Roll(rng.randint(1, 6)))
                continue
            rows = lookahead.choices(day, lambda later: advice.outcome(replace(later,
                                     gains=(0,) * players), solution))  # fmt: skip
            most = max(row[day.turn] for _, row in rows)
            step = rng.choice([s for s, row in rows if row[day.turn] >= most - 1e-11])
            day = day.apply(step)
            total[:players] += day.gains
        found.append(total if gold else np.eye(4)[day.reached])
    mean, error = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / math.sqrt(len(found))
    exact = np.asarray(solution.rolling(distances, 0))
    assert (np.abs(mean - exact) <= 4 * error + 1e-9).all()


# ---------------------------------------------------------------- the literal day


def played(day, *steps):
    for step in steps:
        day = day.apply(step)
    return day


def message(name):
    return BOX.find(name)


def test_the_first_on_the_carpet_is_paid_and_later_ones_are_not():
    day = played(new_day(3, (9, 10, 8, 7), 0, captain=2), Roll(3), Move(0))
    assert day.distances == (6, 10, 8, 7)
    assert day.gains == (2, 0, 0)
    again = played(day.settled(), Roll(5), Move(1))
    assert again.gains == (0, 0, 0)


def test_a_trainee_on_the_carpet_pays_the_active_player_and_the_captain():
    day = played(new_day(2, (7, 8, 9, 10), 0, captain=1), Roll(3), Move(2))
    assert day.gains == (1, 1)
    assert day.turn == 0
    own = played(new_day(2, (7, 8, 9, 10), 0, captain=0), Roll(3), Move(2))
    assert own.gains == (2, 0)


def test_a_trainee_led_in_costs_the_others():
    day = new_day(3, (7, 2, 1, 3), 0, captain=1, purses=(5, 3, 0))
    over = played(day, Roll(3), Move(3))
    assert over.is_over
    assert over.gains == (0, -1, 0)
    assert over.captain == 0


def test_messages_work_as_written():
    hands = ((message("keep"),), (message("stop"),), (message("add2"),), (message("reroll"),))
    day = new_day(4, (9, 6, 8, 11), 0, hands).apply(Roll(3))
    keep = played(day, Reveal(message("keep")), Move(2))
    assert (keep.turn, keep.distances, keep.shown[0]) == (0, (9, 6, 5, 11), (message("keep"),))
    announced = played(day, Quiet(), Move(2))
    assert announced.distances == day.distances
    assert announced.actor == 1
    stop = played(announced, Reveal(message("stop")), Move(2))
    assert stop.turn == 1
    add = played(announced, Quiet(), Reveal(message("add2")))
    assert add.steps == 5
    assert {step.messenger for step in add.legal_actions()} == {0, 2}
    again = played(announced, Quiet(), Quiet(), Reveal(message("reroll")))
    assert again.is_chance
    # No second message in the new roll.
    assert isinstance(again.apply(Roll(3)).legal_actions()[0], Move)
    assert played(announced, Quiet(), Quiet(), Quiet()).distances == (9, 6, 5, 11)


def test_a_die_of_one_with_an_add_is_no_big_jump():
    hands = ((message("add1"),), (), (), ())
    day = new_day(4, (9, 6, 8, 7), 0, hands).apply(Roll(1))
    assert played(day, Quiet()).legal_actions() == [Move(0)]
    assert played(day, Quiet(), Move(0)).distances[0] == 5
    assert played(day, Reveal(message("add1"))).legal_actions() == [Move(3)]


def test_keep_makes_a_pass_a_new_roll_of_the_same_player():
    hands = ((), (message("keep"),), (), ())
    day = new_day(4, (3, 9, 12, 15), 1, hands, captain=0).apply(Roll(3))
    kept = played(day, Reveal(message("keep")), Move(None))
    assert (kept.turn, kept.gains) == (1, (-1, 0, 0, 0))


def test_captains_change_when_somebody_has_more():
    assert heirs((5, 5, 4), 1) == (1,)
    assert heirs((5, 4, 5), 1) == (0, 2)
    assert heirs((5, 4, 6), 1) == (2,)
    day = new_day(3, (3, 9, 12, 15), 1, captain=0, purses=(5, 5, 5)).apply(Roll(3))
    blamed = day.apply(Move(None))
    assert blamed.heirs == (1, 2)
    assert blamed.actor == 0
    named = blamed.apply(Name(2))
    assert (named.captain, named.turn, named.is_chance) == (2, 2, True)


def test_illegal_steps_are_refused():
    day = new_day(4, (9, 6, 8, 11), 0)
    for step in (Move(0), Roll(7), Quiet()):
        with pytest.raises(ImpossibleStep):
            day.apply(step)
    with pytest.raises(ImpossibleStep):
        day.apply(Roll(3)).apply(Move(1))


# ---------------------------------------------------------------- the whole game


@pytest.mark.parametrize("players", [2, 3, 4])
def test_games_keep_all_messages_and_end_after_five_days(players):
    rng = random.Random(players)
    for number in range(6):
        game = new_game(players, BOX, random.Random(number))
        bots = [make_bot("random", rng, None), First(rng)] * 2
        days = set()
        while not game.is_over:
            days.add(game.number)
            if game.is_chance:
                game = game.apply(simulate.by_chance(game, rng))
            else:
                game = game.apply(bots[game.actor % len(bots)].step(game))
            where = game.day or game
            held = [each for hand in (*where.hands, *where.shown) for each in hand]
            assert sorted(map(repr, [*held, *game.pile, *game.delivered])) == sorted(
                map(repr, BOX.messages)
            )
            assert min(where.purses) >= 0
            assert where.heirs or where.purses[where.captain] == max(where.purses)
        assert days == set(range(1, DAYS + 1))
        assert sum(game.shares()) == pytest.approx(1)


def test_ties_go_to_the_captain_else_they_are_shared():
    assert shares((4, 6, 6), 1) == (0, 1, 0)
    assert shares((6, 4, 6), 1) == (0.5, 0, 0.5)


def test_restoring_costs_a_gold_and_the_delivered_pile_is_shuffled():
    game = new_game(2, BOX, random.Random(1))
    card, rest = BOX.messages[0], BOX.messages[1:3]
    evening = replace(
        game, day=None, shown=((card,), ()), hands=((), ()), pile=(), delivered=rest,
        queue=(0, 1), purses=(6, 5), captain=0,
    )  # fmt: skip
    assert evening.is_chance
    shuffled = evening.apply(Shuffle(rest[::-1]))
    assert shuffled.legal_actions() == [Draw(), Restore(card)]
    restored = shuffled.apply(Restore(card))
    assert (restored.purses, restored.hands[0], restored.shown[0]) == ((5, 5), (card,), ())
    drawn = restored.apply(Draw())
    assert (drawn.hands[0], drawn.pile) == ((card, rest[1]), rest[:1])
    morning = drawn.apply(Draw())
    assert morning.number == game.number + 1
    assert sum(morning.day.purses) == 11


def test_simulation_is_repeatable_and_better_bots_win(tmp_path):
    match = simulate.Match(("first", "random"), 12, 3, BOX, tmp_path)
    one, two = simulate.play(match, range(12)), simulate.Tally()
    for part in simulate.simulate(match, 1):
        two.add(part)
    assert one == two
    assert one.wins[0] > one.wins[1]
    assert sum(one.wins.values()) == 12 * simulate.PARTS
