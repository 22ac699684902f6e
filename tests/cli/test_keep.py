"""`advisor keep` through its JSON, and its table."""

from __future__ import annotations

import pytest

from advisor.court.rules.cards import CARDS
from advisor.court.rules.notation import format_position, parse_position
from advisor.dice import NONE, format_dice, parts

HEAD = {"command", "rules", "position", "goal"}
FIELDS = {
    "set_aside": {"dice"},
    "use": {"card", "effect"},
    "aside_then_use": {"dice", "card", "effect"},
    "roll": set(),
}
QUESTIONS = [
    ("16/225:Fa,Hu,Me-La", "knight"),
    ("/6552:Fa-", "guard"),
    ("5/12+:La-", "merchant"),
    ("/114:As,Ma-", "guard"),
    ("/2234:Fo,Ph-Gu", "values:farmer=3,hunter=9"),
    ("1/2d:Al,Nw-", "rank:3x2"),
    ("22/3455:Qu,Mg-Gu,La,Hu", "knight,general"),
    ("/3d:Fo-", "philosopher"),
]
ASKED = pytest.mark.parametrize(("position", "goal"), QUESTIONS)


@ASKED
def test_keys_and_kinds_are_as_promised(ask, position, goal):
    answer = ask("keep", position, "--goal", goal)
    assert set(answer) >= HEAD | {"unit", "value", "options", "plan", "purchases", "source"}
    assert (answer["command"], answer["rules"], answer["goal"]) == ("keep", "rulebook", goal)
    assert answer["unit"] == ("points" if goal.startswith("values:") else "probability")
    for option in answer["options"]:
        shared = {"rank", "kind", "value", "loss", "text"}
        assert set(option) == shared | FIELDS[option["kind"]]
        assert isinstance(option["value"], float)
        assert isinstance(option["text"], str)


@ASKED
def test_the_value_is_that_of_the_best_option_and_losses_count_from_it(ask, position, goal):
    answer = ask("keep", position, "--goal", goal)
    options = answer["options"]
    assert bool(options) is ("d:" not in position)
    assert [option["rank"] for option in options] == list(range(1, len(options) + 1))
    for option in options:
        assert 0 <= option["loss"] == pytest.approx(answer["value"] - option["value"], abs=1e-11)
    losses = [option["loss"] for option in options]
    assert losses == pytest.approx(sorted(losses), abs=1e-11)
    if options:
        assert options[0]["value"] == pytest.approx(answer["value"], abs=1e-12)
        assert options[0]["loss"] <= 1e-12


@ASKED
def test_purchases_name_every_card_that_could_be_bought(ask, position, goal):
    answer = ask("keep", position, "--goal", goal)
    owned = set(parse_position(position).cards)
    wanted = [
        card.key
        for card in CARDS
        if card.key not in owned | {"queen"} and (card.key != "charlatan" or "fool" in owned)
    ]
    assert list(answer["purchases"]) == wanted
    assert all(0 <= odds <= 1 for odds in answer["purchases"].values())
    if goal in answer["purchases"]:
        assert answer["purchases"][goal] == pytest.approx(answer["value"], abs=1e-12)


@ASKED
def test_every_choice_of_dice_is_offered_once(ask, position, goal):
    active = parse_position(position).active
    answer = ask("keep", position, "--goal", goal)
    offered = [option["dice"] for option in answer["options"] if option["kind"] == "set_aside"]
    assert sorted(offered) == sorted(format_dice(part) for part in parts(active) if part != NONE)


@ASKED
def test_the_position_printed_can_be_pasted_back(ask, position, goal):
    answer = ask("keep", position, "--goal", goal)
    assert answer["position"] == format_position(parse_position(position))
    assert ask("keep", answer["position"], "--goal", goal) == answer | {"source": "cache"}


def test_the_plan_starts_with_the_best_option_and_ends_at_chance(ask):
    answer = ask("keep", "16/225:Fa,Hu,Me-La", "--goal", "knight")
    assert answer["plan"] == ["use the Hunter (bring in a 3)", "use the Merchant (re-roll 2 2 3 5)"]
    answer = ask("keep", "/6552:Fa-", "--goal", "guard")
    assert answer["plan"] == ["set aside 5 5", "roll 2"]
    answer = ask("keep", "12/3:-", "--goal", "farmer")
    assert answer["plan"] == ["set aside 3"]


@pytest.mark.parametrize(
    ("position", "goal", "value"),
    [
        ("/3d:-", "farmer", 193 / 243),
        ("/3d:-", "guard", 269 / 1944),
        ("/3d:-", "laborer", 19157 / 46656),
        ("/3d:-", "maid", 1 / 2),
        ("/3d:Fo-", "guard", 37 / 162),
        ("/3d:Me-", "guard", 8617 / 34992),
        ("/3d:Ph-", "guard", 181 / 486),
        ("/3d:Al-", "guard", 469 / 972),
        ("/5d:Ch*2-", "knight", 3400573 / 68024448),
        ("12/3:-", "farmer", 0),
        ("55/3:-", "farmer", 1),
        ("55/3:-", "values:farmer=7", 7),
    ],
)
def test_worked_numbers_of_the_rules(ask, position, goal, value):
    answer = ask("keep", position, "--goal", goal)
    assert answer["value"] == pytest.approx(value, rel=1e-12)


def test_before_the_first_roll_there_is_a_value_and_nothing_to_decide(ask):
    answer = ask("keep", "/4d:Fa,La-", "--goal", "hunter")
    assert answer["options"] == []
    assert answer["plan"] == []
    assert 0 < answer["value"] == pytest.approx(answer["purchases"]["hunter"])


def test_before_the_first_roll_cards_may_be_used_in_one_rule_set(ask):
    answer = ask("keep", "/4d:Fa,La,Gu,Me-", "--goal", "hunter", "--rules", "brettspielwelt")
    assert answer["rules"] == "brettspielwelt"
    moves = {(option["kind"], option.get("card")) for option in answer["options"]}
    assert moves == {("roll", None), ("use", "laborer"), ("use", "guard")}
    rulebook = ask("keep", "/4d:Fa,La,Gu,Me-", "--goal", "hunter")
    assert answer["value"] >= rulebook["value"] - 1e-12


def test_a_card_of_any_value_is_used_once_before_the_first_roll(ask):
    # The die is rolled, so its value when it is brought in does not matter.
    answer = ask("keep", "/3d:Qu-", "--goal", "guard", "--rules", "brettspielwelt", "--all")
    assert [option["kind"] for option in answer["options"]].count("use") == 1


def test_the_bare_roll_is_offered_only_after_setting_aside(ask):
    def kinds(position):
        return {o["kind"] for o in ask("keep", position, "--goal", "merchant")["options"]}

    assert "roll" in kinds("5/12+:-")
    assert "roll" not in kinds("5/12:-")


def test_setting_aside_before_copying_is_offered_where_it_gains(ask):
    def early(position, goal, *flags):
        options = ask("keep", position, "--goal", goal, *flags)["options"]
        return [o for o in options if o["kind"] == "aside_then_use"]

    (option,) = early("/335:As-", "guard")
    assert (option["card"], option["dice"], option["value"]) == ("astronomer", "3", 1)
    assert option["effect"] == "turn a 5 into a 3"
    # A 3 lies aside already, so setting another aside first gains nothing.
    assert early("3/35:As-", "guard") == []
    assert {option["dice"] for option in early("3/35:As-", "guard", "--all")} == {"5"}


def test_all_shows_every_use_of_a_card(ask):
    question = ("keep", "/1234:Fa,Mg-", "--goal", "guard")
    few, many = ask(*question), ask(*question, "--all")

    def uses(answer):
        return [o for o in answer["options"] if o["kind"] == "use" and o["card"] == "magician"]

    assert len(uses(few)) == 1
    real = [option for option in uses(many) if option["effect"].startswith("turn")]
    assert len(real) == 4 * 5
    assert uses(few)[0]["value"] == pytest.approx(
        max(option["value"] for option in uses(many)), abs=1e-12
    )
    assert few["value"] == many["value"]


@pytest.mark.parametrize(
    ("flags", "position"),
    [
        (
            "--cards farmer,hunter,merchant,laborer --used laborer --aside 16 --roll 225",
            "16/225:Fa,Hu,Me-La",
        ),
        ("--cards La --aside 5 --roll 2,1 --may-roll", "5/12+:La-"),
        ("--cards Fa --roll 6552", "/2556:Fa-"),
        ("--roll 123", "/123:-"),
        ("--cards Fa,La", "/4d:Fa,La-"),
        ("--cards Fa,La --roll 4d", "/4d:Fa,La-"),
        ("--cards La --used La --aside 1 --roll 3d", "1/3d:-La"),
        ("--cards La --used La --rules brettspielwelt", "/4d:-La"),
        ("--cards charlatan*2", "/5d:Ch,Ch-"),
    ],
)
def test_options_describe_the_same_position_as_the_text(ask, flags, position):
    rules = flags.split()[-2:] if "--rules" in flags else []
    apart = ask("keep", *flags.split(), "--goal", "merchant" if "Me" not in position else "knight")
    assert apart["position"] == position
    whole = ask("keep", position, *rules, "--goal", apart["goal"])
    assert whole == apart | {"source": "cache"}


@pytest.mark.usefixtures("no_race_table")
def test_without_a_goal_and_a_table_every_card_has_its_odds_and_first_move(ask):
    other = ("--rules", "brettspielwelt")
    answer = ask("keep", "/6552:Fa-", *other)
    assert set(answer) == HEAD | {"goals", "source", "note"}
    assert answer["goal"] is None
    assert "brettspielwelt" in answer["note"]
    odds = ask("odds", "/6552:Fa-", *other)
    assert answer["goals"] == odds["goals"]
    guard = next(row for row in answer["goals"] if row["card"] == "guard")
    assert guard["first"] == "set aside 5 5, roll 2"
    assert guard["probability"] == ask("keep", "/6552:Fa-", "--goal", "guard", *other)["value"]


def test_the_best_option_is_explained_by_the_odds_beside_the_next(ask):
    answer = ask("keep", "16/225:Fa,Hu,Me-La", "--goal", "knight")
    best, other = answer["why"]["best"], answer["why"]["next"]
    assert [best["text"], other["text"]] == [o["text"] for o in answer["options"][:2]]
    assert best["value"] > other["value"]
    assert set(best["odds"]) == set(other["odds"])
    assert sum(best["odds"].values()) == pytest.approx(best["value"])


@pytest.mark.parametrize("lang", ["en", "de", "ja", "es"])
def test_keys_are_never_translated(ask, lang):
    answer = ask("keep", "/2255:La,Fa-", "--goal", "hunter,knight", "--lang", lang)
    keys = {card.key for card in CARDS}
    assert answer["goal"] == "hunter,knight"
    assert {option["card"] for option in answer["options"] if "card" in option} == {"laborer"}
    assert set(answer["purchases"]) <= keys
    assert set(answer["why"]["best"]["unused"]) <= keys
    assert set(answer["why"]["best"]["odds"]) <= keys


@pytest.mark.parametrize(
    ("lang", "name"), [("en", "Hunter"), ("de", "Jäger"), ("ja", "狩人"), ("es", "Cazador")]
)
def test_names_follow_the_language_also_out_of_the_cache(run, lang, name):
    for _ in range(2):
        for language, wanted in (("en", "Hunter"), (lang, name)):
            output = run("keep", "/123:Hu-", "--goal", "guard", "--lang", language).stdout
            assert f"use the {wanted} (bring in a 3)" in output


def test_different_worths_are_different_questions(ask):
    for worth in (1000000, 1000001):
        answer = ask("keep", "555/1:Fa-", "--goal", f"values:guard={worth}")
        assert answer["value"] == worth


def test_the_table_says_position_value_options_and_model(run):
    output = run("keep", "/6552:Fa-", "--goal", "guard").stdout
    lines = output.splitlines()
    assert "/2556:Fa-" in lines[0]
    assert "42.13 %" in lines[0]
    assert lines[3].split()[:4] == ["1", "set", "aside", "5"]
    assert "Plan: set aside 5 5; roll 2" in lines
    assert "rule set rulebook" in lines[-1]
    assert "\x1b" not in output


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize(
    "question",
    [
        ["keep", "16/225:Fa,Hu,Me-La", "--goal", "knight"],
        ["keep", "16/225:Fa,Hu,Me-La"],
        ["keep", "16/225:Fa,Hu,Me-La", "--rules", "brettspielwelt"],
        ["keep", "/4d:Fa,La-", "--goal", "turns"],
        ["keep", "/22345:Qu,Fa,Al-Gu", "--goal", "magician,bishop"],
        ["odds", "--cards", "farmer,guard"],
        ["cards"],
        ["cards", "alchemist"],
    ],
    ids=" ".join,
)
def test_tables_fit_the_terminal(run, monkeypatch, question, width):
    monkeypatch.setenv("COLUMNS", str(width))
    output = run(*question).stdout
    assert output
    if width >= 60:
        assert max(map(len, output.splitlines())) <= width


@pytest.mark.parametrize(
    ("settings", "flags", "colored"),
    [
        ({}, [], False),
        ({}, ["--color", "always"], True),
        ({}, ["--color", "never"], False),
        ({"NO_COLOR": "1"}, [], False),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
        ({"ADVISOR_COLOR": "always"}, [], True),
        ({"ADVISOR_COLOR": "always"}, ["--color", "never"], False),
    ],
)
def test_colour_is_on_only_where_wanted(run, monkeypatch, settings, flags, colored):
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    result = run("keep", "/123:-", "--goal", "guard", *flags, color=True)
    assert ("\x1b[" in result.stdout) is colored


def test_json_is_one_line_and_never_coloured(run):
    result = run("keep", "/123:-", "--goal", "guard", "--json", "--color", "always")
    assert result.stdout.count("\n") == 1
    assert "\x1b" not in result.stdout
    assert result.stderr == ""


def test_no_cache_neither_reads_nor_writes(ask, tmp_path):
    for _ in range(2):
        answer = ask("keep", "/123:-", "--goal", "guard", "--no-cache")
        assert answer["source"] == "solved"
    assert not (tmp_path / "cache").exists()


def test_dice_and_cards_in_any_order_are_the_same_question(ask):
    first = ask("keep", "61/252:Me,Fa,Hu-La", "--goal", "Kn")
    second = ask("keep", "16/522:Hu,Me,Fa-worker", "--goal", "Ritter")
    assert second == first | {"source": "cache"}
