"""`advisor keep -`: one position a line on standard input."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def batch(run):
    """Return (exit code, one object a line) for the text on standard input."""

    def batch(text, *flags):
        result = run("keep", "-", "--json", *flags, input=text)
        return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]

    return batch


def test_each_line_gets_its_answer_with_its_own_goal(ask, batch):
    code, answers = batch(
        "16/225:Fa,Hu-La knight\n/123:-\n\n/6552:Fa- rank:3x2\n", "--goal", "guard"
    )
    assert code == 0
    assert [answer["goal"] for answer in answers] == ["knight", "guard", "rank:3x2"]
    assert answers[0] == ask("keep", "16/225:Fa,Hu-La", "--goal", "knight") | {"source": "solved"}


def test_a_bad_line_stands_in_its_place_and_does_not_stop_the_rest(batch):
    code, answers = batch("/123:- guard\n/12:- guard\n/123:- huntr\n/123:- farmer\n")
    assert code == 2
    assert [set(answer) == {"error", "line"} for answer in answers] == [False, True, True, False]
    assert [answer.get("line") for answer in answers] == [None, 2, 3, None]
    assert "huntr" in answers[2]["error"]
    assert "hunter" in answers[2]["error"]


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "/123:- guard farmer",
        "/3d:Qu- turns",
        "/123:Gu- guard",
        "/1234:Gu-Gu guard",
        "/129:- guard",
        "//// guard",
        "- guard",
        "/" + "9" * 5000 + "d:- guard",
        "/123:- values:guard=x",
    ],
)
def test_any_bad_line_is_an_error_object(batch, line):
    code, answers = batch(f"{line}\n/123:- farmer\n")
    assert code == 2
    assert answers[0]["line"] == 1
    assert "\n" not in answers[0]["error"].strip("\n")
    assert answers[1]["goal"] == "farmer"


def test_bytes_that_are_no_text_do_not_stop_the_rest(batch):
    code, answers = batch(b"/123:- guard\n\xff\xfe/123\n/123:- farmer\n")
    assert code == 2
    assert [answer.get("goal") for answer in answers] == ["guard", None, "farmer"]


def test_lines_without_a_goal_get_the_turns_to_the_king_or_all_cards(batch):
    code, answers = batch("/123:-\n/123:- guard\n/1234:Fa- turns\n/1234:Qu,Fa-\n/124:-\n")
    assert code == 0
    assert [answer["goal"] for answer in answers] == ["turns", "guard", "turns", None, "turns"]
    assert {row["card"] for row in answers[3]["goals"]} >= {"guard", "laborer"}
    assert "over" in answers[3]["note"]


def test_lines_about_turns_are_answered_as_if_asked_alone(ask, batch):
    lines = ["/123:-", "/2255:Fa-", "16/225:Fa,Hu,Me-La"]
    code, answers = batch("\n".join(lines), "--no-cache")
    assert code == 0
    assert answers == [ask("keep", line, "--no-cache") for line in lines]


def test_the_supply_is_that_of_every_line(batch):
    code, answers = batch(
        "/4456:Fa-\n/34455:Ge-\n/456:- farmer\n", "--supply", "guard,hunter,knight,general"
    )
    assert code == 2
    assert answers[0]["supply"] == ["guard", "hunter", "knight", "general"]
    assert "owned already" in answers[1]["error"]
    assert answers[2]["goal"] == "farmer"


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n"])
def test_nothing_asked_is_nothing_answered(batch, text):
    assert batch(text) == (0, [])


def test_line_ends_and_comments_do_not_matter(batch):
    code, answers = batch("# my game\r\n/123:- guard # roll one\r\n/124:-\tguard")
    assert code == 0
    assert [answer["position"] for answer in answers] == ["/123:-", "/124:-"]


def test_the_table_form_names_the_bad_line(run):
    result = run("keep", "-", input="/123:- guard\n/12:- guard\n")
    assert result.exit_code == 2
    assert "/123:-" in result.stdout
    assert "line 2" in result.stdout + result.stderr


def test_a_position_by_options_does_not_go_with_standard_input(refuse):
    assert "--cards" in refuse("keep", "-", "--cards", "farmer", "--roll", "1234")


def test_the_goal_of_all_lines_is_checked_for_each(batch):
    code, answers = batch("/123:-\n/1234:-Gu\n", "--goal", "guard")
    assert code == 2
    assert answers[0]["goal"] == "guard"
    assert "owned already" in answers[1]["error"]
