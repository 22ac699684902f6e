"""What each special does to the chances, and when."""

import pytest

from advisor.knights.rules import components
from advisor.knights.rules.cards import changes, has_won, is_protected, parse_card
from advisor.knights.rules.options import TREASON, Combination
from advisor.knights.throw import odds
from advisor.knights.throw.tournament import Thrower, win_chances
from advisor.knights.turn.targets import Player, Table, Target, success, throwers

BOX = components.default()


def card(text):
    return parse_card(text, BOX.cards)


def table(own=(), other=(), top="white 2221"):
    hands = (("red 3332", *own), ("violet 4442", "blue 1115", "green 2223", *other))
    players = [Player(f"p{n}", tuple(map(card, hand))) for n, hand in enumerate(hands)]
    return Table(tuple(players), 0, (card(top), None))


def deck(top):
    return Target("deck", card(top), 0)


CASTLE = Target("castle", card("violet 4442"), 1)


def test_die_cards_help_in_every_throw():
    assert success(table(["die2 2225"]), deck("white 2221")) == odds.beat(
        Combination(2, 1), cards=(2,)
    )
    assert success(table(["die2 2225"], ["die5"]), CASTLE) == odds.attack(
        Combination(4, 2), cards=(2,), defender=(5,)
    )
    assert success(table(["die5"]), Target("throne")) == odds.throne((5,))


def test_the_catapult_is_for_castles_of_opponents_only():
    own = ["catapult 2221"]
    assert success(table(own), CASTLE) == odds.attack(Combination(4, 2), 4)
    assert success(table(own), deck("white 2221")) == odds.beat(Combination(2, 1))
    special = Target("special", card("pile 3334"), 1)
    assert success(table(own, ["pile 3334"]), special) == odds.beat(Combination(3, 4))


def test_treason_is_for_castles_on_decks_only():
    own = ["treason"]
    assert success(table(own), deck("white 4442")) == odds.beat(TREASON)
    assert success(table(own), deck("die5")) == odds.beat(Combination(4, 1))
    assert success(table(own), CASTLE) == odds.attack(Combination(4, 2))


def test_the_champion_throws_four_times_in_tournaments():
    players = throwers(table(other=["champion"], top="tournament"))
    assert players == [Thrower(), Thrower(champion=True)]
    target = Target("tournament", card("tournament"), 0)
    found = success(table(other=["champion"], top="tournament"), target)
    assert found == pytest.approx(win_chances(players)[0], abs=1e-12)


def test_pile_and_protection():
    assert changes([card("pile 3334")]) == 2
    assert changes([card("die5")]) == 1
    assert is_protected([card("protection")])
    assert not is_protected([card("pile 3334")])


@pytest.mark.parametrize(
    ("cards", "won"),
    [
        (["red 3332", "blue 1115", "green 2223", "white 2221"], True),
        (["red 3332", "blue 1115", "green 2223", "tournament", "tournament"], False),
        (["red 3332", "blue 1115", "tournament", "tournament", "tournament"], True),
        (["red 3332", "tournament", "tournament", "tournament", "tournament"], False),
    ],
)
def test_victory(cards, won):
    assert has_won(map(card, cards)) == won
