"""The rule card against an independent transcription of the rules."""

from __future__ import annotations

from math import inf

import pytest

from advisor.court.rules.cards import BY_KEY, CARDS, pays
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK, RuleSet, start_dice
from advisor.court.rules.supply import in_play, purchasable
from advisor.court.rules.turn import effects, start
from advisor.dice import faces, parse_dice
from advisor.errors import AdvisorError
from tests.conftest import multisets


def alike(number):
    return lambda dice: any(dice.count(face) >= number for face in range(1, 7))


def groups(size, number):
    """Disjoint groups of one size: a value gives as many as fit into it."""
    return lambda dice: sum(dice.count(face) // size for face in range(1, 7)) >= number


def full_house(dice):
    three = {face for face in range(1, 7) if dice.count(face) >= 3}
    two = {face for face in range(1, 7) if dice.count(face) >= 2}
    return alike(5)(dice) or any(a != b for a in three for b in two)


def straight(*runs):
    return lambda dice: any(set(run) <= set(dice) for run in runs)


def anything(dice):
    return True


# key, code, row, cost, start dice, dice brought in, English/German/Japanese/Spanish name
TABLE = [
    ("fool", "Fo", 0, anything, 0, "", "Fool/Hofnarr/道化師/Bufón"),
    ("charlatan", "Ch", 0, anything, 1, "", "Charlatan/Scharlatan/ペテン師/Charlatán"),
    ("farmer", "Fa", 1, alike(2), 1, "", "Farmer/Bauer/農夫/Granjero"),
    (
        "maid",
        "Ma",
        1,
        lambda dice: not {2, 4, 6} & set(dice),
        0,
        "",
        "Serving Maid/Dienstmagd/下女/Doncella",
    ),
    (
        "philosopher",
        "Ph",
        1,
        lambda dice: not {1, 3, 5} & set(dice),
        0,
        "",
        "Philosopher/Philosoph/哲学者/Filósofo",
    ),
    ("laborer", "La", 1, lambda dice: sum(dice) >= 15, 0, "1", "Laborer/Handwerker/職人/Artesano"),
    ("guard", "Gu", 1, alike(3), 0, "2", "Guard/Wachmann/衛兵/Vigilante"),
    ("hunter", "Hu", 2, alike(4), 0, "3", "Hunter/Jäger/狩人/Cazador"),
    ("astronomer", "As", 2, groups(2, 2), 0, "", "Astronomer/Astronom/天文学者/Astrónomo"),
    ("merchant", "Me", 2, lambda dice: sum(dice) >= 20, 0, "", "Merchant/Händler/商人/Mercader"),
    ("noblewoman", "Nw", 3, full_house, 0, "", "Noblewoman/Hofdame/女官/Dama"),
    (
        "pawnbroker",
        "Pb",
        3,
        lambda dice: sum(dice) >= 30,
        0,
        "4",
        "Pawnbroker/Pfandleiher/質屋/Prestamista",
    ),
    ("knight", "Kn", 3, alike(5), 0, "5", "Knight/Ritter/騎士/Knight"),
    (
        "magician",
        "Mg",
        3,
        straight((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)),
        0,
        "",
        "Magician/Zauberer/魔術師/Magician",
    ),
    (
        "alchemist",
        "Al",
        4,
        straight((1, 2, 3, 4, 5, 6)),
        0,
        "",
        "Alchemist/Alchemist/錬金術師/Alchemist",
    ),
    ("bishop", "Bi", 4, groups(2, 3), 0, "6", "Bishop/Bischof/司教/Bishop"),
    ("nobleman", "Nm", 4, groups(3, 2), 0, "", "Nobleman/Edelmann/貴族/Nobleman"),
    ("general", "Ge", 4, alike(6), 2, "", "General/Feldherr/将軍/General"),
    ("queen", "Qu", 5, alike(7), 0, "123456", "Queen/Königin/王妃/Queen"),
    ("king", "Ki", 5, alike(7), 0, "", "King/König/国王/King"),
]
LINES = pytest.mark.parametrize("line", TABLE, ids=[line[0] for line in TABLE])


def test_all_twenty_characters_stand_in_the_order_of_the_rules():
    assert [card.key for card in CARDS] == [line[0] for line in TABLE]


@LINES
def test_code_row_and_names(line):
    key, code, row, *_, names = line
    card = BY_KEY[key]
    assert (card.code, card.row) == (code, row)
    assert "/".join(card.named(language) for language in ("en", "de", "ja", "es")) == names


@LINES
def test_cost_on_every_result_of_up_to_seven_dice(line):
    key, _, _, cost, *_ = line
    wrong = [
        faces(result)
        for result in multisets(7, smallest=1)
        if pays(BY_KEY[key].cost, result) != cost(faces(result))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("key", "paying", "failing"),
    [
        ("farmer", "1 1 2", "123456"),
        ("maid", "1 1 3 5", "1 1 3 5 2"),
        ("philosopher", "2 4 6", "2 4 6 1"),
        ("laborer", "555", "554"),
        ("guard", "5 5 5 1", "55 11 66"),
        ("hunter", "11112", "111222"),
        ("astronomer", "3333", "3335"),
        ("merchant", "5555", "5554"),
        ("noblewoman", "22222", "22221"),
        ("pawnbroker", "66666", "66665"),
        ("knight", "111112", "11112222"),
        ("magician", "2345611", "1234 6"),
        ("alchemist", "12345666", "12345555"),
        ("bishop", "666611", "66661 2"),
        ("bishop", "444444", "44444 5"),
        ("nobleman", "555555", "555551"),
        ("nobleman", "1112223", "1111223"),
        ("general", "1111112", "1111122222"),
        ("king", "4444444", "444444111111"),
    ],
)
def test_edge_cases_of_costs(key, paying, failing):
    assert pays(BY_KEY[key].cost, parse_dice(paying))
    assert not pays(BY_KEY[key].cost, parse_dice(failing))


@LINES
def test_dice_at_the_start_and_brought_in(line):
    key, _, _, _, bonus, brought, _ = line
    assert start_dice([key], RULEBOOK) == 3 + bonus
    state = start((key,)).chance_outcomes()[0][1]
    found = {str(faces(effect.give)[0]) for effect in effects(key, state) if not any(effect.take)}
    assert found == set(brought)


@pytest.mark.parametrize(
    ("players", "numbers"), [(2, "21111"), (3, "22221"), (4, "33221"), (5, "43331")]
)
def test_copies_by_players(players, numbers):
    for key, _, row, *_ in TABLE:
        assert in_play(key, players, RULEBOOK) == (int(numbers[row - 1]) if row else inf)
        assert in_play(key, players, BRETTSPIELWELT) == (int(numbers[row - 1]) if row else players)
        assert in_play(key, 1, BRETTSPIELWELT) == (1 if row else 5)


@pytest.mark.parametrize(
    ("owned", "rules", "fool", "charlatan"),
    [
        ([], RULEBOOK, True, False),
        (["fool"], RULEBOOK, False, True),
        (["charlatan"], RULEBOOK, True, False),
        (["charlatan"] * 9, RULEBOOK, True, False),
        (["fool", *["charlatan"] * 9], RULEBOOK, False, True),
        (["charlatan"] * 4, BRETTSPIELWELT, True, False),
        (["charlatan"] * 5, BRETTSPIELWELT, False, False),
        (["fool", *["charlatan"] * 4], BRETTSPIELWELT, False, True),
    ],
)
def test_fool_and_charlatan_are_two_sides_of_one_card(owned, rules, fool, charlatan):
    assert ("fool" in purchasable(owned, rules)) is fool
    assert ("charlatan" in purchasable(owned, rules)) is charlatan


def test_the_queen_is_not_for_sale_and_no_card_is_bought_twice():
    found = purchasable(["farmer"], RULEBOOK)
    assert "king" in found
    assert not {"queen", "farmer"} & {*found}


def test_start_dice_add_up_to_the_limit_of_the_box():
    assert start_dice(["farmer", "general", "charlatan", "charlatan"], RULEBOOK) == 8
    assert start_dice(["farmer", "general", *["charlatan"] * 9], RULEBOOK) == 12


@pytest.mark.parametrize("limit", [2, 13, -1])
def test_dice_limit_must_make_sense(limit):
    with pytest.raises(AdvisorError, match=str(limit)):
        RuleSet("own", dice_limit=limit)


def test_rule_sets_differ_as_the_rules_say():
    assert RULEBOOK.options() == {
        "cards_before_first_roll": False,
        "fool_supply": None,
        "dice_limit": 12,
    }
    assert BRETTSPIELWELT.options() == {
        "cards_before_first_roll": True,
        "fool_supply": 5,
        "dice_limit": 12,
    }
