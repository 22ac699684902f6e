"""`advisor kingme move` as a user meets it."""

from __future__ import annotations

import json

import pytest

CASTLE = "5:CE 4:FG 3:D 1:P"
GOALS = "ACDGLO,BDEGIL,CEFINP"
ASKED = (CASTLE, "--turn", "2", "--goals", GOALS)


def test_the_answer(ask):
    found = ask("kingme", "move", *ASKED)
    assert found["command"] == "kingme move"
    assert (found["castle"], found["turn"], found["unit"]) == (CASTLE, 2, "points")
    options = found["options"]
    assert {option["character"] for option in options} == set("CEFGDP")
    assert [option["rank"] for option in options] == [1, 2, 3, 4, 5, 6]
    assert options[0]["loss"] == 0
    assert options[0]["value"] == pytest.approx(found["values"][1])
    for option in options:
        assert option["value"] == option["values"][1]
        assert option["loss"] == pytest.approx(options[0]["value"] - option["value"])
        assert (option["to"] == "throne") == (option["character"] in "CE")
        assert option["king"] is (True if option["to"] == "throne" else None)
    assert "nobody has a No left" in found["model"]


def test_votes_by_the_convention_are_said_to_be_so(ask, run):
    found = ask("kingme", "move", *ASKED, "--no", "1,0,1")
    assert "convention" in found["model"]
    refused = next(option for option in found["options"] if option["character"] == "E")
    assert (refused["king"], refused["refused_by"]) == (False, 1)
    assert "No of seat 1" in run("kingme", "move", *ASKED, "--no", "1,0,1").stdout


def test_the_third_round_counts_the_chance_to_win(ask):
    found = ask("kingme", "move", *ASKED, "--totals", "20,30,22")
    assert found["unit"] == "probability"
    assert sum(found["values"]) == pytest.approx(1)


def test_many_options_are_shown_on_demand(run):
    castle = "5:ABC 4:DEF 3:GIL 2:MN"
    goals = "ABCDEF,GILMNO,ABGICP"
    shown = run("kingme", "move", castle, "--turn", "1", "--goals", goals)
    assert "1 more option: --all shows" in shown.stdout
    every = run("kingme", "move", castle, "--turn", "1", "--goals", goals, "--all")
    assert "--all" not in every.stdout


def test_one_question_a_line(run, ask):
    lines = f"# evening\n{CASTLE} | 2 | {GOALS}\n6:A | 1 | {GOALS}\n{CASTLE} | 2\n"
    lines += f"{CASTLE} | 2 | {GOALS} | 1,0,1\n"
    result = run("kingme", "move", "-", "--json", input=lines)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 2
    assert answers[0] == ask("kingme", "move", *ASKED)
    assert [set(answer) == {"error", "line"} for answer in answers] == [False, True, True, False]
    assert answers[1]["line"] == 3
    assert answers[3] == ask("kingme", "move", *ASKED, "--no", "1,0,1")
    assert "line 3" in run("kingme", "move", "-", input=lines).stdout


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        ((CASTLE, "--goals", GOALS), "--turn", "example"),
        ((CASTLE, "--turn", "1"), "--goals", "example"),
        (("5:ABCDE", "--turn", "1", "--goals", GOALS), "5 characters on floor 5", "room for 4"),
        (("5:AB 4:A", "--turn", "1", "--goals", GOALS), "names A twice", "once"),
        (("7:A", "--turn", "1", "--goals", GOALS), "'7:A'", "5:CE"),
        (("5:AK", "--turn", "1", "--goals", GOALS), "'K'", "ABCDEFGILMNOP"),
        (("", "--turn", "1", "--goals", GOALS), "''", "5:CE"),
        ((CASTLE, "--turn", "0", "--goals", GOALS), "turn 0", "1 to 3"),
        ((CASTLE, "--turn", "4", "--goals", GOALS), "turn 4", "1 to 3"),
        ((CASTLE, "--turn", "x", "--goals", GOALS), "'x'", "from 1"),
        ((CASTLE, "--turn", "1", "--goals", "ABCDE,BDEGIL,CEFINP"), "'ABCDE'", "has 6"),
        ((CASTLE, "--turn", "1", "--goals", "ABCDEFG,BDEGIL,CEFINP"), "7 characters", "has 6"),
        ((CASTLE, "--turn", "1", "--goals", "AACDGL,BDEGIL,CEFINP"), "A twice", "different"),
        ((CASTLE, "--turn", "1", "--goals", "ACDGLO,BDEGIL"), "2 of them", "3 to 6"),
        ((*ASKED, "--no", "5,0,0"), "5 No cards", "dealt 4"),
        ((*ASKED, "--no", "1,0"), "2 numbers for 3", "each"),
        ((*ASKED, "--no", "1,-1,0"), "'1,-1,0'", "1,0,2"),
        ((*ASKED, "--no", "4,4,0"), "8 No cards left and 7 characters out", "--no"),
        ((*ASKED, "--totals", "1,2"), "2 numbers for 3", "each"),
        ((*ASKED, "--totals", "1,2,x"), "'1,2,x'", "23,17,30"),
        (("-", "--turn", "1"), "'-'", "leave them out"),
    ],
)
def test_bad_input_is_named_with_a_mend(refuse, arguments, named, mend):
    text = refuse("kingme", "move", *arguments)
    assert named in text
    assert mend in text


def test_a_castle_too_large_for_the_memory_says_so(refuse):
    text = refuse("kingme", "move", *ASKED, "--memory", "1k", code=1)
    assert "--memory" in text
    assert "states" in text


def test_help_and_completion(run):
    assert "King Me!:" in run("-h").stdout
    assert "move" in run("kingme").stdout
    assert "Example: advisor kingme move" in run("kingme", "move", "-h").stdout
    assert "did you mean 'move'" in run("kingme", "mov").stderr


def test_goals_complete_themselves():
    import click

    from advisor.cli.kingme.completion import GoalText
    from advisor.cli.kingme.move import command

    context = click.Context(command)
    option = next(param for param in command.params if param.name == "goals")
    found = GoalText().shell_complete(context, option, "ABCDEF,be")
    assert found
    assert all(item.value.startswith("ABCDEF,BE") for item in found)
