"""`advisor odds` through its JSON, and its drawings."""

from __future__ import annotations

from fractions import Fraction

import pytest

from advisor.court.rules.cards import BY_KEY, CARDS, has_use

WORKED = [
    ("", "farmer", "193/243"),
    ("", "guard", "269/1944"),
    ("", "laborer", "19157/46656"),
    ("", "maid", "1/2"),
    ("fool", "guard", "37/162"),
    ("merchant", "guard", "8617/34992"),
    ("philosopher", "guard", "181/486"),
    ("alchemist", "guard", "469/972"),
    ("farmer,general", "maid", "1/2"),
    ("farmer,guard", "hunter", "1265748979/3265173504"),
    ("laborer,astronomer", "hunter", "831491/1679616"),
    ("charlatan*2", "knight", "3400573/68024448"),
]


def cards(owned):
    return ["--cards", owned] if owned else []


def rows(answer):
    return {row["card"]: row for row in answer["goals"]}


def test_keys_and_kinds_are_as_promised(ask):
    answer = ask("odds", "--cards", "farmer,guard")
    assert set(answer) >= {"command", "rules", "position", "goals"}
    assert (answer["command"], answer["rules"]) == ("odds", "rulebook")
    assert answer["position"] == "/4d:Fa,Gu-"
    for row in answer["goals"]:
        assert set(row) == {"card", "probability", "first"}
        assert 0 <= row["probability"] <= 1
        assert row["first"] is None
    order = [card.key for card in CARDS]
    listed = [row["card"] for row in answer["goals"]]
    assert listed == sorted(listed, key=order.index)
    assert set(listed) == set(order) - {"farmer", "guard", "queen", "charlatan"}


@pytest.mark.parametrize(("owned", "goal", "exact"), WORKED)
def test_worked_numbers_of_the_rules(ask, owned, goal, exact):
    row = rows(ask("odds", *cards(owned)))[goal]
    assert row["probability"] == pytest.approx(float(Fraction(exact)), rel=1e-12)


@pytest.mark.parametrize(("owned", "goal", "exact"), WORKED)
def test_fractions_are_exact_or_missing(ask, owned, goal, exact):
    row = rows(ask("odds", *cards(owned), "--exact"))[goal]
    assert row["exact"] in (exact, None)
    if owned in ("", "fool"):
        assert row["exact"] == exact


def test_cards_out_of_reach_are_impossible(ask):
    found = rows(ask("odds"))
    assert found["fool"]["probability"] == 1
    assert found["king"]["probability"] == found["knight"]["probability"] == 0


def test_first_moves_and_odds_are_those_of_keep(ask):
    for row in ask("odds", "16/225:Fa,Hu,Me-La")["goals"]:
        answer = ask("keep", "16/225:Fa,Hu,Me-La", "--goal", row["card"])
        assert row["probability"] == pytest.approx(answer["value"], abs=1e-12)
        assert row["first"] == answer["options"][0]["text"]


def test_the_opening_has_first_moves_in_one_rule_set(ask):
    answer = ask("odds", "--cards", "guard,laborer", "--rules", "brettspielwelt")
    assert answer["rules"] == "brettspielwelt"
    assert all(isinstance(row["first"], str) for row in answer["goals"])


OPTIONAL = [card.key for card in CARDS if has_use(card.key) and card.key != "queen"]


@pytest.mark.parametrize("card", OPTIONAL)
def test_another_card_to_use_never_makes_a_goal_less_likely(ask, card):
    few, many = (rows(ask("odds", "--cards", owned)) for owned in ("farmer", f"farmer,{card}"))
    for key in few.keys() & many.keys():
        assert many[key]["probability"] >= few[key]["probability"] - 1e-12, key


@pytest.mark.parametrize(("name", "magic"), [("odds.png", b"\x89PNG"), ("odds.SVG", b"<?xml")])
def test_the_odds_are_drawn(run, tmp_path, name, magic):
    pytest.importorskip("matplotlib")
    file = tmp_path / name
    result = run("odds", "--cards", "farmer", "--plot", str(file), "--lang", "ja")
    assert result.exit_code == 0, result.output
    assert file.read_bytes().startswith(magic)
    assert str(file) in result.stderr
    assert str(file) not in result.stdout


@pytest.mark.parametrize("name", ["odds.gif", "odds", "nowhere/odds.png"])
def test_drawings_that_cannot_be_written_are_refused(refuse, tmp_path, name):
    assert name in refuse("odds", "--plot", str(tmp_path / name))


def test_the_table_says_card_cost_and_odds(run):
    output = run("odds", "--exact").stdout
    (line,) = (line for line in output.splitlines() if line.startswith("Guard"))
    assert line.split() == ["Guard", "3", "alike", "13.84", "%", "269/1944"]
    assert BY_KEY["hunter"].cost_text in output
