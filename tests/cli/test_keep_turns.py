"""`advisor keep` for the fewest turns to the King, through its JSON and its table."""

from __future__ import annotations

import json
from time import monotonic

import pytest

KEYS = {
    "command", "rules", "position", "goal", "unit", "value", "lower", "upper", "width", "certain",
    "options", "plan", "purchases", "buys", "limit", "supply", "source",
}  # fmt: skip
SMALL = ("--supply", "guard,hunter,knight,astronomer")
QUESTIONS = [
    ("16/225:Fa,Hu,Me-La",),
    ("/2556:Fa-",),
    ("5/12+:La-",),
    ("/335:As-",),
    ("/4d:Fa,La-",),
    ("/1344:Fa-", *SMALL),
    ("12/3:-", "--supply", "fool", "--goal", "turns"),
    ("/4d:Fa,La-", "--rules", "brettspielwelt", "--supply", "guard,hunter,knight"),
]
ASKED = pytest.mark.parametrize("question", QUESTIONS, ids=" ".join)


@ASKED
def test_keys_and_kinds_are_as_promised(ask, question):
    answer = ask("keep", *question)
    assert set(answer) - {"why", "floor"} == KEYS
    assert (answer["command"], answer["goal"], answer["unit"]) == ("keep", "turns", "turns")
    assert ("why" in answer) is (len(answer["options"]) > 1)
    for option in answer["options"]:
        shared = {"rank", "kind", "value", "lower", "upper", "loss", "text"}
        assert set(option) - {"dice", "card", "effect"} == shared
    assert sum(row["probability"] for row in answer["buys"]) == pytest.approx(1)
    shares = [row["probability"] for row in answer["buys"]]
    assert shares == sorted(shares, reverse=True)


@ASKED
def test_values_lie_in_their_intervals_and_losses_count_from_the_best(ask, question):
    answer = ask("keep", *question)
    assert answer["lower"] <= answer["value"] <= answer["upper"]
    assert answer["width"] == answer["upper"] - answer["lower"]
    options = answer["options"]
    for rank, option in enumerate(options, 1):
        assert option["rank"] == rank
        assert option["value"] == (option["lower"] + option["upper"]) / 2
        assert 0 <= option["loss"] == pytest.approx(option["value"] - answer["value"], abs=1e-11)
    if options:
        assert options[0]["value"] == answer["value"]
        assert options[0]["loss"] == 0
        assert answer["plan"]
        first = answer["why"]["best"] if len(options) > 1 else options[0]
        assert first["text"] == options[0]["text"]


@ASKED
def test_a_result_pays_for_what_is_bought_with_it(ask, question):
    answer = ask("keep", *question)
    for row in answer["buys"]:
        if row["card"]:
            assert row["probability"] <= answer["purchases"][row["card"]] + 1e-12
            assert row["card"] in {*answer["supply"], "king", "charlatan"}


def test_turns_is_the_goal_where_none_is_given(ask):
    plain = ask("keep", "/2556:Fa-")
    assert ask("keep", "/2556:Fa-", "--goal", " Turns") == plain | {"source": "cache"}
    assert plain["source"].startswith("table ")


def test_before_the_roll_the_turns_are_those_of_advisor_turns(ask):
    turns = ask("turns", "--cards", "farmer,laborer")
    keep = ask("keep", "--cards", "farmer,laborer")
    assert turns["lower"] - 1e-5 <= keep["lower"] <= keep["upper"] <= turns["upper"] + 1e-5


def test_ending_the_turn_leaves_one_turn_and_what_can_be_bought(ask):
    end = next(o for o in ask("keep", "/2256:Fa-")["options"] if o.get("dice") == "2256")
    best = ask("buy", "2256", "--cards", "farmer")["options"][0]
    assert best["lower"] - 1e-4 <= end["lower"] - 1 <= end["upper"] - 1 <= best["upper"] + 1e-4


def test_a_smaller_width_narrows(ask):
    wide, narrow = (ask("keep", "/1344:Fa-", *SMALL, "--width", w) for w in ("1", "1e-6"))
    assert wide["lower"] <= narrow["lower"] <= narrow["upper"] <= wide["upper"]
    assert max(o["upper"] - o["lower"] for o in narrow["options"]) <= 1e-6
    assert narrow["certain"]


def test_what_leads_off_the_table_is_solved_within_the_budget(ask):
    began = monotonic()
    answer = ask("keep", "/1234:Fa-", "--gone", "guard", "--budget", "0.5")
    assert monotonic() - began < 5
    assert "guard" not in answer["supply"]
    assert answer["source"] == "solved"
    known = ask("keep", "/1234:Fa-")
    assert answer["upper"] >= known["lower"]


def test_copies_of_the_card_are_left_with_enough_players(ask):
    answer = ask("keep", "/1234:Fa-", "--gone", "guard", "--players", "2")
    assert answer | {"source": ""} == ask("keep", "/1234:Fa-") | {"source": ""}


@pytest.mark.usefixtures("no_race_table")
def test_a_rule_set_without_a_table_is_solved_if_asked_for(ask):
    answer = ask(
        "keep", "/1234:Fa-", "--goal", "turns", "--rules", "brettspielwelt", "--budget", "0.5"
    )
    assert answer["goal"] == "turns"
    assert answer["source"] == "solved"
    assert 2 < answer["lower"] <= answer["upper"] < 60


def test_for_the_owner_of_the_queen_every_card_stands_by_itself(ask, run):
    answer = ask("keep", "/1234:Fa,Qu-")
    assert answer["goal"] is None
    assert "over" in answer["note"]
    assert "over" in run("keep", "/1234:Fa,Qu-").stdout.splitlines()[-1]


def test_the_rows_of_every_card_are_there_with_odds(ask):
    assert {row["card"] for row in ask("odds", "/1234:Fa-")["goals"]} >= {"guard", "king"}


def test_the_table_says_interval_plan_purchases_and_model(run):
    output = run("keep", "/2556:Fa-").stdout
    lines = output.splitlines()
    assert lines[0].startswith("/2556:Fa-   goal turns   5.66")
    assert lines[1].split() == ["option", "at", "least", "at", "most", "loss"]
    assert lines[3].split()[:6] == ["1", "set", "aside", "5", "5", "6"] or lines[3].startswith("1 ")
    assert "Plan: set aside 5 5 6; roll 1" in lines
    assert any(line.startswith("Buys: ") for line in lines)
    assert any(line.startswith("Pays for: ") for line in lines)
    assert "\x1b" not in output


def test_overlapping_intervals_are_owned_up_to(run):
    output = run("keep", "/1344:Fa-", *SMALL, "--width", "1").stdout
    assert "not certain" in output
    assert "--width" in output
    assert "beats" not in output


def test_wide_bounds_make_the_plan_provisional_and_show_few_digits(run):
    question = ("keep", "44446/4:Mg,Fa,Ge-", "--supply", "knight,bishop")
    vague, firm = (run(*question, *more).stdout for more in (("--budget", "0.0001"), ()))
    assert "3.0 to " in vague.splitlines()[0]
    assert "\nPlan (provisional): " in vague
    assert "\nBuys (provisional): " in vague
    assert "looks as good as" in vague
    assert "rovisional" not in firm
    assert "\nPlan: " in firm


def test_names_follow_the_language_and_keys_do_not(run):
    question = ("keep", "16/225:Fa,Hu,Me-La", "--lang", "de")
    output = run(*question).stdout
    assert "Wachmann" in output.split("Buys: ")[1]
    answer = json.loads(run(*question, "--json").stdout)
    assert "guard" in answer["why"]["best"]["odds"]
    assert answer["buys"][0]["card"] == "guard"


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        ("keep /1234:Fa,Qu- --goal turns", "queen", "race is over"),
        ("keep /123:- --supply maid", "maid", "out of reach"),
        ("keep /1234:Fa- --supply farmer", "farmer", "owned already"),
        ("keep /1234:Fa- --goal guard --supply fool", "--supply", "--goal turns"),
        ("keep /1234:Fa- --goal guard --players 3", "--players", "--goal turns"),
        ("keep /1234:Fa- --width 0", "--width 0", "1e-8"),
        ("keep /1234:Fa- --budget 0", "--budget 0", "seconds"),
        ("keep /1234:Fa- --gone king", "king", "leave it out"),
        ("keep /1234:Fa- --players 7", "--players 7", "2 to 5"),
        ("keep /12345:Fa- --supply fool", "'/12345:Fa-'", "correct the dice"),
        ("keep /12345:Fa-", "'/12345:Fa-'", "correct the dice"),
    ],
)
def test_bad_input_is_named_with_a_mend(refuse, arguments, named, mend):
    text = refuse(*arguments.split())
    assert named in text
    assert mend in text


def test_too_little_memory_is_said(refuse):
    assert "--memory" in refuse("keep", "/12345:Fa,La,Gu,Ch-", "--memory", "1K", code=1)
