"""Simulated throws and whole games: frequencies, legality, seeds."""

import math
from collections import Counter

import numpy as np
import pytest

from advisor.errors import InvalidOption
from advisor.knights.play import game, policy, rollouts, throwing
from advisor.knights.play.game import Game, Pile, deal
from advisor.knights.play.rollouts import Estimate, estimate
from advisor.knights.rules import components
from advisor.knights.rules.cards import castles, has_won, parse_card, tournaments
from advisor.knights.rules.options import RULEBOOK, Combination, RuleSet
from advisor.knights.throw import odds, play
from advisor.knights.throw.tournament import Thrower, win_chances
from advisor.knights.turn.position import parse_position
from advisor.knights.turn.targets import Player, Target, refusal

BOX = components.default()
CARD = Combination(3, 2)


def card(text):
    return parse_card(text, BOX.cards)


def within_four_errors(successes, number, chance):
    error = math.sqrt(chance * (1 - chance) / number)
    return abs(successes / number - chance) <= 4 * error


@pytest.mark.parametrize("rules", [RULEBOOK, RuleSet(kept_locked=True)], ids=str)
def test_simulated_captures(rules):
    rng, number, dice = np.random.default_rng(1), 3000, (2,)
    plan = throwing.beating(CARD, 3, dice, rules)
    beaten = odds.beat_worth(CARD, dice, rules)
    won = sum(beaten[plan.throw(rng)] for _ in range(number))
    assert within_four_errors(won, number, odds.beat(CARD, 3, dice, rules))


def table(*hands):
    players = [
        Player(f"p{seat}", tuple(card(each) for each in hand)) for seat, hand in enumerate(hands)
    ]
    return players, [Pile([card("tournament"), card("pile 1115")], 1), Pile([], 0)]


def repeated(hands, target, number, success):
    won = 0
    for seed in range(number):
        players, piles = table(*hands)
        played = Game(players, piles, np.random.default_rng(seed))
        played.attempt(target)
        won += success(played)
    return won


def test_simulated_attacks_on_castles():
    hands = [["red 3332", "die2 2225", "catapult 2221"], ["violet 4442", "blue 1115", "die3 4441"]]
    castle, number = card("violet 4442"), 2000
    won = repeated(
        hands, Target("castle", castle, 1), number, lambda g: castle in g.players[0].cards
    )
    assert within_four_errors(won, number, odds.attack(Combination(4, 2), 4, (2,), (3,)))


@pytest.mark.parametrize(
    "hands",
    [
        [["red 3332", "die3 4441"], ["blue 1115"]],
        [["red 3332"], ["blue 1115", "champion"]],
    ],
)
def test_simulated_tournaments(hands):
    number = 2000
    hands = [list(hand) for hand in hands]
    target = Target("tournament", card("tournament"), 0)
    won = repeated(hands, target, number, lambda g: tournaments(g.players[0].cards) == 1)
    first = Thrower((3,) if "die3 4441" in hands[0] else ())
    second = Thrower((), champion="champion" in hands[1])
    assert within_four_errors(won, number, win_chances([first, second])[0])


@pytest.mark.parametrize("players", range(2, 7))
def test_games_are_legal_and_end(players):
    for seed in range(3):
        played = deal(players, BOX, np.random.default_rng(seed))
        everything = Counter(BOX.cards)
        attempt = played.attempt

        def checked(target, played=played, attempt=attempt):
            three = target.kind == "throne"
            assert refusal(played.table, target, throne=three) is None
            return attempt(target)

        played.attempt = checked
        winner = played.play()
        assert winner is not None
        there = Counter(each for player in played.players for each in player.cards)
        there.update(each for pile in played.piles for each in pile.cards)
        assert there == everything
        for player in played.players:
            names = [each.name for each in player.cards if not each.is_tournament]
            assert len(names) == len(set(names))
            assert castles(player.cards)
            assert set(player.covered) <= set(player.cards)


def test_the_same_seed_is_the_same_game():
    games = [deal(3, BOX, np.random.default_rng(5)) for _ in range(2)]
    for each in games:
        each.log = []
        each.play()
    assert games[0].log == games[1].log
    assert len(games[0].log) > 5


def test_number_of_players():
    with pytest.raises(InvalidOption, match="2 to 6"):
        deal(7, BOX, np.random.default_rng(0))


def test_a_deck_card_not_beaten_goes_under_its_deck():
    players, piles = table(["red 3332"], ["blue 1115"])
    piles[1] = Pile([card("white 2221"), card("die1 2223"), card("black 5552")], 2)
    played = Game(players, piles, np.random.default_rng(0))
    played._beats = lambda combination: False
    assert not played.attempt(Target("deck", card("white 2221"), 1))
    assert [str(each) for each in played.piles[1].cards] == [
        "die1 2223",
        "black 5552",
        "white 2221",
    ]
    assert played.unseen() == [card("pile 1115"), card("black 5552")]


@pytest.mark.parametrize(("extra", "left"), [([], 2), (["protection"], 3)])
def test_failing_at_the_throne_costs_a_castle(extra, left):
    players, piles = table(["red 3332", "green 2223", "black 5552", *extra], ["blue 1115"])
    played = Game(players, piles, np.random.default_rng(0))
    played._beats = lambda combination: False
    assert not played.attempt(Target("throne"))
    assert len(castles(played.own.cards)) == left
    lost = card("green 2223") in played.piles[0].cards
    assert lost == (left == 2)


def test_a_lost_guard_uncovers_its_cards():
    players, piles = table(["red 3332"], ["blue 1115", "green 2223", "castle-guard 2225"])
    players[1] = policy.place_guards(players[1])
    assert players[1].covered == (card("blue 1115"), card("green 2223"))
    played = Game(players, piles, np.random.default_rng(0))
    played._beats = lambda combination: True
    assert played.attempt(Target("special", card("castle-guard 2225"), 1))
    assert played.players[1].covered == ()
    assert card("castle-guard 2225") in played.own.cards


def test_a_special_from_a_deck_goes_on_and_victory_ends_the_game():
    players, piles = table(["red 3332", "green 2223", "black 5552"], ["blue 1115"])
    piles[1] = Pile([card("die1 2223"), card("white 2221")], 1)
    played = Game(players, piles, np.random.default_rng(0))
    played._beats = lambda combination: True
    played._choose = lambda throne, changed: Target("deck", played.piles[1].cards[0], 1)
    played.turn()
    assert played.winner == 0
    assert has_won(played.own.cards)


def test_without_a_target_the_tops_change_until_there_is_one():
    players, piles = table(["red 3332", "green 2223"], ["blue 1115"])
    piles[0] = Pile([card("red 2224"), card("green 4443"), card("white 2221")], 2)
    piles[1] = Pile([card("red 5551")], 0)
    played = Game(players, piles, np.random.default_rng(0))
    played.log = []
    played.turn(changed=1)
    assert any("white 2221" in line for line in played.log)


POSITION = """
[[players]]
cards = ["red 3332", "blue 3334", "green 2223"]
[[players]]
cards = ["violet 3331", "white 4442"]
[[decks]]
top = "black 2225"
[[decks]]
top = "tournament"
"""


def test_the_first_game_does_not_wait_for_all_tasks(monkeypatch):
    class Enough(Exception):
        pass

    def finished(games):
        raise Enough

    monkeypatch.setattr(rollouts, "_play", lambda *task: (0, 0))
    with pytest.raises(Enough):
        estimate(parse_position(POSITION), [0], 10**15, 0, 1, progress=finished)


def test_rollouts_do_not_depend_on_the_number_of_processes():
    position = parse_position(POSITION)
    firsts = [Target("deck", card("black 2225"), 0), Target("throne"), 1]
    told = []
    alone = estimate(position, firsts, 30, 3, 1, progress=told.append)
    assert sum(told) == 90
    assert estimate(position, firsts, 30, 3, 2) == alone
    assert alone[0].win >= 0.4, "half of the captures win at once"


def test_confidence_interval():
    low, high = Estimate(100, 50, 0).interval
    assert low == pytest.approx(0.4038, abs=1e-4)
    assert high == pytest.approx(0.5962, abs=1e-4)
    assert Estimate(10, 0, 0).interval[0] == 0
    assert Estimate(10, 10, 0).interval[1] == pytest.approx(1)


def test_the_greedy_player_takes_the_win():
    position = parse_position(POSITION)
    chosen = policy.choose(position.table, position.unseen, throne=True, may_change=False)
    assert chosen == Target("deck", card("black 2225"), 0)
    assert play.code(CARD.rank) < play.code(Combination(3, 4).rank)
    assert game.resume(position, np.random.default_rng(0)).table.tops == position.table.tops
