"""`advisor turns` and `advisor buy` through their JSON, their tables and their refusals."""

from __future__ import annotations

import json

import pytest

from advisor.court.rules.cards import CARDS
from advisor.court.rules.options import BRETTSPIELWELT

HAND = ("--cards", "farmer,general", "--supply", "philosopher,hunter,bishop")
OTHERS = [card.key for card in CARDS if card.row and card.key not in ("queen", "king", "guard")]


def test_turns_keys_and_kinds_are_as_promised(ask):
    answer = ask("turns", *HAND)
    assert answer["command"] == "turns"
    assert answer["rules"] == "rulebook"
    assert answer["unit"] == "turns"
    assert answer["cards"] == ["farmer", "general"]
    assert answer["supply"] == ["philosopher", "hunter", "bishop"]
    assert answer["lower"] <= 4.7008592 <= answer["upper"] + 1e-6
    assert answer["width"] == pytest.approx(answer["upper"] - answer["lower"], abs=1e-12)
    assert answer["width"] == round(answer["width"], 6) <= 1e-4
    assert [row["turns"] for row in answer["within"]] == list(range(1, 21))
    assert answer["lower"] <= answer["mean"] <= answer["upper"]
    most = {row["turns"]: row["upper"] for row in answer["within"]}
    done = 0.0
    for row in answer["distribution"]:
        done += row["probability"]
        assert done <= most.get(row["turns"], 1) + 1e-6
    assert done == pytest.approx(1, abs=1e-4)
    assert answer["routes"][0]["cards"] == ["philosopher", "hunter", "bishop", "king"]
    assert answer["aims"] == "each"
    assert answer["source"] == "solved"
    assert ask("turns", *HAND) == answer | {"source": "cache"}


def test_a_wider_interval_is_found_with_less(ask):
    wide, narrow = (ask("turns", *HAND, "--width", width) for width in ("0.5", "1e-6"))
    assert wide["width"] <= 0.5
    assert narrow["width"] <= 1e-6
    assert wide["hands"]["expanded"] <= narrow["hands"]["expanded"]
    assert wide["lower"] <= narrow["lower"] <= narrow["upper"] <= wide["upper"]


def test_the_order_of_cards_and_their_spelling_do_not_matter(ask):
    other = ask(
        "turns", "--cards", "Ge,Bauer", "--supply", "Bishop, hunter,Ph", "--rules", "rulebook"
    )
    assert other == ask("turns", *HAND) | {"source": "solved"}


def test_the_whole_line_of_the_fool_is_one_card_of_the_supply(ask):
    answer = ask("turns", "--cards", "fool,farmer,general", "--supply", "fool", "--width", "0.01")
    assert answer["supply"] == ["fool"]
    assert answer["routes"][0]["cards"][0] in ("charlatan", "king")


def test_the_other_rule_set(ask):
    hand = ("--cards", "farmer,guard,general", "--supply", "knight")
    strict, free = (ask("turns", *hand, "--rules", r) for r in ("rulebook", "brettspielwelt"))
    assert free["rules"] == "brettspielwelt"
    assert free["lower"] <= strict["upper"]


def test_the_full_supply_gives_the_interval_of_its_budget(ask):
    answer = ask("turns", "--budget", "1")
    assert answer["cards"] == []
    assert answer["supply"] == [c.key for c in CARDS if c.key not in ("charlatan", "queen", "king")]
    assert 4 < answer["lower"] <= answer["upper"] < 60
    most = {row["turns"]: row["upper"] for row in answer["within"]}
    assert all(row["probability"] <= most[row["turns"]] for row in answer["within"])
    assert most[2] == 0.0


def test_the_table_shows_interval_width_and_model(run):
    output = run("turns", *HAND).stdout
    assert "4.70086" in output
    assert "width" in output
    assert "Philosopher, Hunter, Bishop, King" in output
    assert "best play for the fewest expected turns" in " ".join(output.split())
    assert "8 hands" in output


def test_buy_ranks_what_the_result_pays_for(ask):
    answer = ask("buy", "223344", "--cards", "farmer,general", "--supply", "guard,astronomer")
    assert answer["command"] == "buy"
    assert answer["result"] == "223344"
    assert {row["card"] for row in answer["options"]} == {"astronomer", None}
    assert [row["rank"] for row in answer["options"]] == [1, 2]
    best, other = answer["options"]
    assert (best["loss"], best["card"]) == (0, "astronomer")
    assert other["loss"] > 0
    for row in answer["options"]:
        assert row["lower"] <= row["upper"]
        assert row["width"] == pytest.approx(row["upper"] - row["lower"], abs=1e-12)
    assert answer["certain"]


def test_buying_nothing_is_worth_what_turns_says(ask):
    (nothing,) = (r for r in ask("buy", "123456", *HAND)["options"] if r["card"] is None)
    turns = ask("turns", *HAND)
    assert nothing["lower"] <= turns["upper"]
    assert turns["lower"] <= nothing["upper"]


def test_the_king_ends_the_race(ask):
    answer = ask("buy", "5555555", "--cards", "farmer,guard,general", "--supply", "knight")
    assert answer["options"][0] | {"text": "", "loss": 0} == {
        "card": "king", "lower": 0, "upper": 0, "width": 0, "rank": 1, "loss": 0, "text": "",
    }  # fmt: skip
    assert answer["certain"]


def test_cards_of_others_are_off_the_supply(ask):
    hand = ("buy", "1222", "--cards", "farmer", "--budget", "0.2")
    assert "guard" in ask(*hand)["supply"]
    assert "guard" not in ask(*hand, "--gone", "guard")["supply"]
    assert "guard" in ask(*hand, "--gone", "guard", "--players", "2")["supply"]
    gone = ask(*hand, "--gone", "guard,guard,hunter", "--players", "2")
    assert not {"guard", "hunter"} & set(gone["supply"])
    assert None in [row["card"] for row in gone["options"]]
    assert "fool" in ask(*hand, "--gone", "fool,charlatan", "--players", "2")["supply"]


def test_fewer_cards_never_save_turns(ask):
    hand = ("buy", "123456", "--cards", "farmer,general")
    many = ask(*hand, "--supply", "philosopher,hunter,bishop")["options"]
    few = ask(*hand, "--supply", "philosopher,hunter,bishop", "--gone", "bishop")["options"]
    for card in {row["card"] for row in many} & {row["card"] for row in few}:
        (more,), (less,) = ([r for r in rows if r["card"] == card] for rows in (many, few))
        assert more["lower"] <= less["upper"]


def test_with_two_players_there_are_two_fools(ask):
    hand = ("--cards", "charlatan,charlatan", "--rules", "brettspielwelt", "--budget", "0.2")
    assert "fool" in [row["card"] for row in ask("buy", "22222", *hand)["options"]]
    answer = ask("buy", "22222", *hand, "--players", "2")
    assert "fool" not in [row["card"] for row in answer["options"]]


def test_fools_that_others_own_are_not_left(ask):
    hand = ("--cards", "charlatan", "--rules", "brettspielwelt", "--budget", "0.2")
    for gone, there in (("fool", True), ("fool,charlatan", False)):
        answer = ask("buy", "2222", *hand, "--players", "3", "--gone", gone)
        assert ("fool" in [row["card"] for row in answer["options"]]) is there


def test_fewer_fools_are_bounded_by_the_table_of_the_rule_set(ask, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "advisor.court.race.known.find", lambda where, rules, warn: asked.append(rules)
    )
    question = ("buy", "2222", "--cards", "charlatan", "--players", "3", "--budget", "0.1")
    ask(*question, "--rules", "brettspielwelt")
    assert asked == [BRETTSPIELWELT]


def test_a_card_that_need_not_be_used_is_no_worse_than_nothing(ask):
    hand = ("--cards", "farmer,general", "--supply", "guard,maid", "--budget", "0.0001")
    answer = ask("buy", "111222", *hand)
    rows = {row["card"]: row for row in answer["options"]}
    assert set(rows) == {None, "guard"}
    assert rows["guard"]["rank"] == 1
    assert answer["certain"]


def test_less_to_buy_is_bounded_from_below_by_the_full_supply(ask, run):
    question = ("buy", "1222", "--cards", "farmer", "--gone", "guard", "--budget", "0.2")
    answer = ask(*question)
    assert answer["source"] == "solved"
    assert answer["floor"].startswith("table ")
    assert f"full-supply {answer['floor']}" in " ".join(run(*question).stdout.split())
    assert "floor" not in ask("buy", "1222", "--cards", "farmer")


def test_what_keeps_intervals_wide_is_named(ask, run):
    for more, limit in (("--budget", "0.01"), "budget"), (("--width", "9"), "width"):
        question = ("buy", "2244", "--cards", "farmer", "--gone", "general", *more)
        assert ask(*question)["limit"] == limit
        text = " ".join(run(*question).stdout.split())
        assert f"--{limit} narrows them" in text


def test_chances_left_open_are_owned_up_to(ask, run):
    question = ("turns", "--cards", "farmer", "--budget", "0.05")
    assert ask(*question)["unfinished"]
    assert "a larger --budget goes on" in run(*question).stdout
    assert not ask("turns", *HAND)["unfinished"]


def test_overlapping_intervals_are_owned_up_to(run):
    output = run("buy", "2244", "--cards", "farmer", "--budget", "0.01", "--gone", "general").stdout
    assert "not certain" in output
    assert "--budget" in output


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        ("turns --cards farmer --supply farmer,guard", "farmer", "owned already"),
        ("turns --cards farmer --supply queen", "queen", "leave it out"),
        ("turns --cards farmer --supply king", "king", "leave it out"),
        ("turns --supply charlatan", "charlatan", "write fool"),
        ("turns --supply guard,guard", "guard", "write it once"),
        ("turns --supply maid,magician", "maid, magician", "out of reach"),
        ("turns --cards farmer --supply general", "farmer", "more cards"),
        ("turns --cards farmer,farmer", "2 x Farmer", "write farmer once"),
        ("turns --cards king", "King", "leave it out"),
        ("turns --cards queen", "queen", "leave it out"),
        ("turns --supply gard", "'gard'", "did you mean guard"),
        ("turns --supply fool --width 0", "--width 0", "1e-8"),
        ("turns --supply fool --width nan", "'nan'", "write digits"),
        ("turns --supply fool --width narrow", "narrow", "--width"),
        ("turns --supply fool --budget 0", "--budget 0", "seconds"),
        ("turns --supply fool --plot race.pdf", "'race.pdf'", ".png or .svg"),
        ("buy 223 --cards farmer", "'223' has 3 dice", "4"),
        ("buy 22334 --cards farmer", "'22334' has 5 dice", "4"),
        ("buy 222 --cards farmer,guard", "'222' has 3 dice", "4 to 5"),
        ("buy 2237", "'7'", "1 to 6"),
        ("buy", "RESULT", ""),
        ("buy 223 --gone king", "king", "leave it out"),
        ("buy 223 --players 7", "--players 7", "2 to 5"),
        ("buy 223 --gone guard*3 --players 2", "guard", "at most"),
        ("buy 223 --cards laborer --players 2 --gone laborer,laborer", "laborer", "at most 1"),
        ("buy 223 --players 2 --gone fool*3 --rules brettspielwelt", "fool", "at most 2"),
        (
            "buy 222222 --cards charlatan*3 --players 2 --rules brettspielwelt",
            "3 x Fool or Charlatan",
            "there are 2",
        ),
        ("buy 223 --cards fool,fool", "2 x Fool", "write fool once"),
        ("buy 223 --supply guard", "guard", "out of reach"),
    ],
)
def test_bad_input_is_named_with_a_mend(refuse, arguments, named, mend):
    text = refuse(*arguments.split())
    assert named in text
    assert mend in text


def test_an_empty_result_is_refused(refuse):
    assert "2244" in refuse("buy", "")


def test_too_little_memory_is_said(refuse):
    hand = ("--cards", "farmer,general,guard,hunter,knight,bishop,fool")
    assert "--memory" in refuse("turns", *hand, "--supply", "maid", "--memory", "1K", code=1)


@pytest.mark.parametrize(("name", "magic"), [("race.png", b"\x89PNG"), ("race.svg", b"<?xml")])
def test_the_chances_are_drawn(run, tmp_path, name, magic):
    pytest.importorskip("matplotlib")
    file = tmp_path / name
    result = run("turns", *HAND, "--width", "0.1", "--plot", str(file), "--json")
    assert result.exit_code == 0, result.output
    assert file.read_bytes().startswith(magic)
    assert json.loads(result.stdout)["command"] == "turns"
    assert str(file) in result.stderr


def test_names_are_shown_in_other_languages(run):
    output = run("turns", *HAND, "--lang", "de").stdout
    assert "Philosoph, Jäger, Bischof, König" in output
