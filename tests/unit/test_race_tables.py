"""The table of the race: hands as numbers, what is stored, what is made of it."""

from __future__ import annotations

import json

import pytest

from advisor.court.race import known as race_tables
from advisor.court.race.known import hand_of, number_of
from advisor.court.race.search import Solitaire
from advisor.court.rules.options import RULEBOOK, bought
from advisor.court.rules.supply import full_supply
from advisor.errors import MissingTable, StaleTable
from advisor.storage import places

MEMORY = 4 << 30
HAND = ("farmer", "guard", "hunter", "knight", "bishop", "general")


@pytest.fixture(scope="module")
def race():
    found = Solitaire(full_supply(HAND, RULEBOOK), MEMORY)
    found.solve(HAND, 0.01)
    return found


@pytest.mark.parametrize(
    "hand", [(), ("fool",), ("charlatan",) * 9, ("fool", "charlatan", "charlatan", "farmer"), HAND]
)
def test_hands_and_numbers_go_both_ways(hand):
    assert hand_of(number_of(hand)) == hand


def test_what_is_stored_is_what_was_known(race, tmp_path):
    race_tables.write(tmp_path, race)
    known = race_tables.probe(tmp_path, RULEBOOK)
    assert set(known.hands()) == set(race.nodes)
    for hand, node in race.nodes.items():
        again = known(hand)
        assert (again.turns.lower, again.turns.upper, again.king) == (
            node.turns.lower,
            node.turns.upper,
            node.king,
        )
        assert (again.expanded, again.as_if) == (node.expanded, node.as_if)
        assert again.play == {key: share for key, share in node.play.items() if share}
    assert known(("fool",)) is None


def test_a_race_goes_on_from_a_table(race, tmp_path):
    race_tables.write(tmp_path, race)
    known = race_tables.probe(tmp_path, RULEBOOK)
    later = Solitaire(race.supply, MEMORY, known=known)
    assert later.solve(HAND, 0.01).turns.width <= 0.01
    assert later.passes == 0
    narrower = later.solve(HAND, 0.001)
    before = race.nodes[HAND]
    assert before.turns.lower <= narrower.turns.lower <= narrower.turns.upper <= before.turns.upper
    assert narrower.turns.width <= 0.001


def test_a_table_of_the_full_supply_bounds_smaller_ones_from_below(race, tmp_path):
    race_tables.write(tmp_path, race)
    known = race_tables.probe(tmp_path, RULEBOOK)
    smaller = Solitaire(full_supply((*HAND, "fool"), RULEBOOK), MEMORY, floor=known)
    card = next(iter(set(smaller.supply.cards) - set(HAND)))
    for hand in (HAND, bought(HAND, card)):
        assert smaller.node(hand).turns.lower >= race.nodes[hand].turns.lower


def test_tables_that_are_missing_or_stale_are_said_to_be(race, tmp_path, monkeypatch):
    with pytest.raises(MissingTable):
        race_tables.probe(tmp_path, RULEBOOK)
    race_tables.write(tmp_path, race)
    monkeypatch.setattr(race_tables, "KERNEL_REVISION", -1)
    with pytest.raises(StaleTable):
        race_tables.probe(tmp_path, RULEBOOK)


def test_a_damaged_table_is_passed_over_with_a_note(race, run, tmp_path):
    file = race_tables.write(tmp_path, race).path
    content = bytearray(file.read_bytes())
    content[-40] ^= 1
    file.write_bytes(content)
    hand = ",".join(HAND)
    result = run("buy", "2244556", "--cards", hand, "--tables", str(tmp_path), "--json")
    assert result.exit_code == 0
    assert "damaged" in result.stderr
    answer = json.loads(result.stdout)
    assert answer["options"][0]["card"] == "astronomer"
    assert answer["certain"]


def test_answers_say_which_table_they_come_from(race, ask, tmp_path):
    checksum = race_tables.write(tmp_path, race).checksum()
    hand = ",".join(HAND)
    answer = ask("turns", "--cards", hand, "--width", "0.02", "--tables", str(tmp_path))
    assert answer["source"].startswith(f"table {checksum[:12]}")
    assert answer["width"] <= 0.02


def test_two_tables_know_of_every_hand_what_the_better_one_knows(race, tmp_path, monkeypatch):
    monkeypatch.setattr(places, "shipped", lambda: tmp_path / "shipped")
    assert race_tables.find(None, RULEBOOK) is None
    race_tables.write(tmp_path / "shipped", race)
    wide = Solitaire(race.supply, MEMORY)
    wide.node(HAND)
    wide.solve(("fool", *HAND), 0.1)
    race_tables.write(tmp_path / "own", wide)
    known = race_tables.find(tmp_path / "own", RULEBOOK)
    assert known(HAND).turns.width == race.nodes[HAND].turns.width
    assert known(("fool", *HAND)).turns.width <= 0.1
    assert set(known.hands()) == set(race.nodes) | set(wide.nodes)
    assert len(known.checksum.split()) == 2


def test_an_answer_is_forgotten_with_the_table_that_it_came_from(race, ask, tmp_path):
    asked = ("buy", "2244556", "--cards", ",".join(HAND), "--tables", str(tmp_path))
    ask(*asked)
    assert ask(*asked)["source"] == "cache"
    race_tables.write(tmp_path, race)
    assert ask(*asked)["source"].startswith("table ")
    assert ask(*asked)["source"] == "cache"


def test_what_time_cut_short_is_not_kept(ask):
    asked = ("buy", "2244", "--cards", "farmer", "--supply", "fool,maid,guard", "--budget", "0.001")
    assert ask(*asked)["limit"] == "budget"
    assert ask(*asked)["source"] != "cache"
