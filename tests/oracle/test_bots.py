"""The bots against exact values: turns to the King alone, chances of the final round."""

from __future__ import annotations

from dataclasses import replace
from math import inf, sqrt
from statistics import mean, stdev

import numpy as np
import pytest

from advisor.court.final.solve import FinalRound
from advisor.court.play.aims import beats
from advisor.court.play.bots import BOTS, Best, Greedy, make_bot
from advisor.court.race.estimates import KNOWN, Estimates, load
from advisor.court.race.known import Joined, RaceTable, counts_of, number_of
from advisor.court.rules.cards import CARDS
from advisor.court.rules.game import Buy, Claimed, Fall, Game, Pass, dealt, new_game
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK, RuleSet, bought
from advisor.court.rules.seats import Seats
from advisor.court.rules.turn import SetAside, start
from advisor.court.turn.playing import Kept
from advisor.dice import of_faces, parse_dice, rank_number
from advisor.errors import InvalidOption


def played(game, bots, rng, most=100_000):
    """Play a game to its end, a bot a seat; every move must be legal."""
    for _ in range(most):
        if game.is_over:
            break
        if game.is_chance:
            faces = rng.integers(1, 7, game.turn.falling)
            game = game.apply(Fall(of_faces([int(face) for face in faces])))
            continue
        for move in bots[game.seat].moves(game):
            game = game.apply(move)
    assert game.is_over
    return game


def test_best_needs_as_many_turns_alone_as_the_table_says():
    bot, known = make_bot("best", RULEBOOK), load(RULEBOOK).table(())
    turns = [
        played(new_game(1, RULEBOOK), [bot], np.random.default_rng((1, number))).round
        for number in range(80)
    ]
    error = stdev(turns) / sqrt(len(turns))
    assert known.turns.lower - 4 * error <= mean(turns) <= known.turns.upper + 4 * error


HANDS = [("guard",), ("laborer",), ("astronomer", "queen")]


def final(hands, best):
    """A final round in which the last player owns the Queen and holds the King."""
    last = len(hands) - 1
    game = replace(dealt(hands, RULEBOOK), claimed=Claimed(last, last, best), final=True)
    # The seat right of the start player begins.
    return replace(game, start=1 % len(hands), turn=start(hands[0], RULEBOOK))


@pytest.mark.parametrize(("hands", "best"), [(HANDS, (3, 4)), (HANDS[1:], (4, 1))])
def test_best_wins_the_final_round_as_often_as_is_exact(hands, best):
    last, games = len(hands) - 1, 600
    asked = Seats(tuple(hands), best, last)
    exact = FinalRound(asked, RULEBOOK, (rank_number(best),)).solve(1 << 30).win()
    bots = [make_bot("best", RULEBOOK)] * len(hands)
    wins = [0] * len(hands)
    for number in range(games):
        rng = np.random.default_rng((2, number))
        wins[played(final(hands, best), bots, rng).winner] += 1
    for won, chance in zip(wins, exact, strict=False):
        assert abs(won / games - chance) <= 4 * sqrt(chance * (1 - chance) / games)


@pytest.mark.parametrize("rules", [RULEBOOK, BRETTSPIELWELT], ids=lambda rules: rules.name)
def test_games_of_all_bots_end_and_repeat(rules):
    def once():
        kept = Kept()
        bots = [make_bot(kind, rules, 5, None, kept) for kind in BOTS]
        return played(new_game(3, rules), bots, np.random.default_rng(9))

    assert once() == once()


def test_random_games_end():
    bots = [make_bot("random", RULEBOOK, seed) for seed in range(4)]
    assert played(new_game(4, RULEBOOK), bots, np.random.default_rng(3)).winner in range(4)


def ended(hand, result, **more) -> Game:
    game = dealt([hand, ()], RULEBOOK)
    state = replace(game.turn, falling=0, aside=parse_dice(result))
    return replace(game, turn=state, **more)


@pytest.mark.parametrize(
    ("bot", "hand", "result", "card"),
    [
        ("greedy", (), "114", "farmer"),
        ("greedy", (), "124", "fool"),
        ("greedy", ("fool",), "124", "charlatan"),
        ("greedy", ("farmer",), "22446", "astronomer"),
        ("greedy", ("farmer", "general"), "1111111", "king"),
        ("best", ("farmer", "general"), "1111111", "king"),
        ("best", (), "555", "guard"),
    ],
)
def test_purchases(bot, hand, result, card):
    assert make_bot(bot, RULEBOOK).moves(ended(hand, result)) == (Buy(card),)


def test_best_buys_the_fewest_turns_of_what_is_left():
    bot, hand = Best(RULEBOOK), ("farmer", "laborer")
    game = ended(hand, "22445")
    paid = {key: bot.aims.estimates.turns(bought(hand, key)) for key in (None, *game.purchases())}
    assert bot.purchase(game) == min(paid, key=paid.get) == "astronomer"
    taken = replace(game, hands=(hand, ("astronomer",)))
    del paid["astronomer"]
    assert bot.purchase(taken) == min(paid, key=paid.get)


def test_best_takes_the_king_with_the_best_result_that_costs_nothing():
    hand = ("charlatan", "charlatan", "farmer", "magician", "general")
    for others in ((), ((),)):
        game = dealt([hand, *others], RULEBOOK)
        game = replace(game, turn=replace(game.turn, falling=0, active=parse_dice("11111112")))
        *_, last = Best(RULEBOOK).moves(game)
        assert isinstance(last, SetAside) != bool(others)


def test_once_the_king_is_gone_best_buys_for_the_final_round():
    hand = ("farmer", "guard", "hunter", "general")
    claimed = Claimed(1, 1, (7, 1))
    game = ended(hand, "44446666", claimed=claimed, done=1, start=1)
    bot = Best(RULEBOOK)
    hands = {key: bought(hand, key) for key in (None, "astronomer")}
    chances = {key: beats(each, (7, 2), RULEBOOK, 1 << 30) for key, each in hands.items()}
    assert chances["astronomer"] > chances[None] > 0
    assert bot.purchase(game) is not None
    # With too few dice nothing helps, and nothing is bought.
    assert bot.purchase(ended((), "124", claimed=claimed, done=1, start=1)) is None


def test_a_roll_that_cannot_win_is_given_up():
    for bot in (Best(RULEBOOK), Greedy(RULEBOOK)):
        assert bot.moves(final([("guard",), ("queen",)], (7, 1)))[0] == Pass()


def test_no_bot_of_that_name():
    with pytest.raises(InvalidOption, match="'clever' is no bot: choose best, greedy or random"):
        make_bot("clever", RULEBOOK)


# ---------------------------------------------------------------- estimates


def test_estimates_stay_within_what_is_certain():
    estimates = load(RULEBOOK)
    for hand in estimates.table.hands()[::70]:
        node = estimates.table(hand)
        assert node.turns.lower - 1e-9 <= estimates.turns(hand) <= node.turns.upper + 1e-9


def test_the_fit_is_close_where_the_table_knows():
    estimates = load(RULEBOOK)
    nodes = map(estimates.table, estimates.table.hands()[::7])
    known = [node for node in nodes if node.turns.width <= KNOWN]
    errors = [
        estimates.fitted(node.cards) - (node.turns.lower + node.turns.upper) / 2 for node in known
    ]
    assert sqrt(mean(error * error for error in errors)) < 0.09
    assert max(map(abs, errors), default=inf) < 0.8


def test_several_tables_are_fitted_by_the_narrowest_bounds_of_each_hand():
    shipped = load(RULEBOOK)
    (table,) = shipped.table.tables
    columns = table.columns.copy()
    columns[1] -= 1.0
    vague = RaceTable(columns, table.shares, "vague")
    both = Joined([vague, table])
    numbers, lower, upper = both.bounds()
    assert (numbers == table.columns[0]).all()
    assert (lower == table.columns[1]).all()
    assert (upper == table.columns[2]).all()
    hands = shipped.table.hands()[:: len(numbers) // 50]
    estimates = Estimates(both, RULEBOOK)
    assert [estimates.turns(hand) for hand in hands] == [shipped.turns(hand) for hand in hands]
    for hand in hands:
        assert counts_of(np.array([number_of(hand)])).tolist() == [
            [hand.count(card.key) for card in CARDS]
        ]


def test_a_rule_set_without_a_table_uses_that_of_the_rulebook():
    assert load(RuleSet("house", dice_limit=11)).rules == RULEBOOK
