"""The whole game, one literal move at a time. B, E and T numbers are those of the rules."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from advisor.court.play.moves import parse_step
from advisor.court.rules.game import Buy, Claimed, Fall, Game, Pass, dealt, new_game, uses
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK
from advisor.court.rules.supply import in_play
from advisor.court.rules.turn import CHANGE_NOTHING, Roll, SetAside, Use
from advisor.dice import parse_dice
from advisor.errors import ImpossibleStep, InvalidOption

GENERALS = ("farmer", "general", "hunter", "knight")


def play(game: Game, *lines: str) -> Game:
    """Return the game after steps written as in a record."""
    for line in lines:
        for move in parse_step(line, game):
            game = game.apply(move)
    return game


def end(game: Game, result: str, *buys: str) -> Game:
    """Return the game after a turn that simply ends with a result, without its cards' uses."""
    state = replace(game.turn, falling=0, active=parse_dice(result))
    return play(replace(game, turn=state), f"aside {result}", *buys)


def test_a_game_begins_without_cards_and_seats_follow_clockwise():
    game = new_game(3, RULEBOOK)
    assert game.hands == ((), (), ())
    assert game.order == (0, 1, 2)
    assert (game.seat, game.round, game.turn.falling, game.is_chance) == (0, 1, 3, True)
    assert game.legal_moves() == []


@pytest.mark.parametrize("players", [0, 6])
def test_the_game_is_for_one_to_five(players):
    with pytest.raises(InvalidOption, match=f"{players} players"):
        new_game(players, RULEBOOK)


def test_the_last_of_a_round_is_the_first_of_the_next():
    game, seats = new_game(3, RULEBOOK), []
    for _ in range(9):
        seats.append(game.seat)
        game = end(game, "124", "buy nothing")
    assert seats == [0, 1, 2, 2, 0, 1, 1, 2, 0]
    assert (game.round, game.start) == (4, 0)


def test_the_example_turn_of_the_rulebook():
    game = dealt([("laborer", "guard", "astronomer"), ()], RULEBOOK)
    game = play(
        game,
        *("roll 652", "aside 2", "use laborer bring in a 1", "roll 533", "use guard", "aside 2"),
        *("roll 654", "use astronomer turn a 4 into a 2", "aside 2", "roll 32", "aside 2"),
        *("roll 4", "aside 4"),
    )
    assert game.result == parse_dice("22224")
    assert "hunter" in game.purchases()
    game = play(game, "buy hunter")
    assert game.hands[0] == ("laborer", "guard", "hunter", "astronomer")
    assert game.seat == 1


def test_the_example_of_the_final_round_of_the_rulebook():
    # Anna, Bob, Carl and Doris sit so; Anna has started the round.
    game = dealt([("farmer",), GENERALS, (*GENERALS, "bishop"), GENERALS], RULEBOOK)
    game = end(game, "1234", "buy nothing")
    game = end(game, "22222223", "buy king")
    assert game.claimed == Claimed(1, 1, (7, 2))
    assert "queen" in game.hands[1]
    game = end(end(game, "1246", "buy nothing"), "1246", "buy nothing")
    assert game.final
    assert game.order == (3, 0, 2, 1)
    assert (game.seat, game.target) == (3, (7, 3))
    game = end(game, "11111111")
    assert game.claimed == Claimed(1, 3, (8, 1))
    assert (game.seat, game.target) == (0, (8, 2))
    game = game.apply(Pass())
    game = end(game, "33333333")
    assert game.claimed.holder == 2
    assert (game.seat, game.target, game.is_over) == (1, (8, 3), False)
    assert "queen" in game.turn.unused
    game = end(game, "44444444")
    assert (game.winner, game.is_over) == (1, True)
    with pytest.raises(ImpossibleStep, match="over"):
        game.apply(Roll())


@pytest.mark.parametrize(
    ("first", "taken"),
    [("5555555", False), ("6666666", True), ("11111111", True), ("44444446", False)],
)
def test_the_example_of_the_final_round_of_the_online_guide(first, taken):
    # Taken with seven 5s: the next one needs seven 6s or eight of any number.
    game = dealt([GENERALS, GENERALS], BRETTSPIELWELT)
    game = end(end(game, "5555555", "buy king"), "1234", "buy nothing")
    assert (game.final, game.seat, game.target) == (True, 1, (7, 6))
    game = end(game, first)
    assert game.claimed.holder == int(taken)
    assert "queen" not in game.hands[1]
    # The King was never lost: won without a roll. Otherwise equal is enough to regain it.
    assert game.is_over is not taken
    if taken:
        assert end(game, first).winner == 0
        assert end(game, "1234").winner == 1


def test_others_still_buy_after_the_king_is_gone_but_not_the_king():
    game = end(dealt([GENERALS, GENERALS], RULEBOOK), "5555555", "buy king")
    after = end(game, "6666666")
    assert "king" not in after.purchases()
    with pytest.raises(ImpossibleStep, match="not on display"):
        after.apply(Buy("king"))
    assert "guard" in play(after, "buy guard").hands[1]


def test_no_card_is_bought_in_the_final_round():
    game = end(end(dealt([GENERALS, ()], RULEBOOK), "5555555", "buy king"), "124", "buy nothing")
    assert game.final
    assert game.display == ()
    with pytest.raises(ImpossibleStep, match="final round"):
        game.apply(Buy(None))


def test_alone_the_game_ends_with_the_king():
    game = end(dealt([GENERALS], RULEBOOK), "5555555", "buy king")
    assert (game.is_over, game.winner) == (True, 0)


def test_copies_run_out_by_the_number_of_players():
    game = end(dealt([("hunter",), ()], RULEBOOK), "1246", "buy nothing")
    assert game.copies.left["hunter"] == 0
    assert game.copies.left["farmer"] == 2
    with pytest.raises(ImpossibleStep, match="not on display"):
        end(game, "333", "buy hunter")
    assert in_play("general", 5, RULEBOOK) == 3
    assert {in_play(key, 1, RULEBOOK) for key in ("farmer", "general", "king")} == {1}


def test_fools_are_without_end_or_as_many_as_players():
    assert new_game(2, RULEBOOK).copies.left["fool"] == inf
    game = dealt([("charlatan", "fool"), ()], BRETTSPIELWELT)
    assert game.copies.left["fool"] == 0
    assert "charlatan" in game.display
    turned = end(game, "1246", "buy charlatan")
    assert turned.hands[0] == ("charlatan", "charlatan")
    assert "fool" not in turned.display


@pytest.mark.parametrize(
    ("hand", "result", "card", "why"),
    [
        ((), "124", "farmer", "costs 2 alike"),
        ((), "124", "charlatan", "needs a Fool"),
        (("farmer",), "1122", "farmer", "owned already"),
        ((), "555", "queen", "comes with the King"),
        ((), "555", "king", "costs 7 alike"),
    ],
)
def test_purchases_that_the_rules_refuse(hand, result, card, why):
    with pytest.raises(ImpossibleStep, match=why):
        end(dealt([hand, ()], RULEBOOK), result, f"buy {card}")


def test_a_charlatan_is_bought_with_the_fool():
    game = end(dealt([("fool",), ()], RULEBOOK), "124", "buy charlatan")
    assert game.hands[0] == ("charlatan",)
    assert game.copies.left["fool"] == inf


ROLLED = dealt([("fool", "magician"), ()], RULEBOOK).apply(Fall(parse_dice("135")))


@pytest.mark.parametrize(
    ("game", "move", "why"),
    [
        (new_game(2, RULEBOOK), SetAside(3), "falling"),
        (new_game(2, RULEBOOK), Fall(parse_dice("12")), "2 dice, but 3 fall"),
        (ROLLED, Fall(parse_dice("135")), "no dice are falling"),
        (ROLLED, SetAside(2), "no active die shows it"),
        (ROLLED, Roll(), "set one of 1 3 5 aside"),
        (ROLLED, Buy(None), "still in play"),
        (ROLLED, Pass(), "final round"),
        (ROLLED, Use("guard", CHANGE_NOTHING), "not among the unused"),
        (ROLLED, Use("fool", CHANGE_NOTHING), "it can: re-roll 1"),
    ],
)
def test_impossible_moves_say_why(game, move, why):
    with pytest.raises(ImpossibleStep, match=why):
        game.apply(move)


def test_a_card_can_be_spent_for_nothing():
    assert uses("magician", ROLLED.turn)[-1] == Use("magician", CHANGE_NOTHING)
    assert ROLLED.apply(Use("magician", CHANGE_NOTHING)).turn.unused == ("fool",)


def test_cards_before_the_first_roll():
    game = dealt([("laborer",), ()], BRETTSPIELWELT)
    assert not game.is_chance
    game = play(game, "use laborer", "roll 1234")
    assert (game.turn.unused, sum(game.turn.active)) == ((), 4)
    with pytest.raises(ImpossibleStep, match="before the first roll"):
        play(dealt([("fool",), ()], BRETTSPIELWELT), "use fool re-roll 1")
