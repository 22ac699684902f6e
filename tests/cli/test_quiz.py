"""`advisor quiz` through a pipe, with fixed seeds."""

from __future__ import annotations

import json

import pytest

from advisor.court.asking import Asking
from advisor.court.coach.quiz import Quiz
from advisor.court.rules.options import RULEBOOK
from advisor.storage.scores import Scores

SEED = ("quiz", "--seed", "3", "--level", "2")


@pytest.fixture
def talk(run):
    """Return the objects that the quiz prints for some lines on standard input."""

    def talk(text, *flags):
        result = run(*SEED, "--json", *flags, input=text)
        assert result.exit_code == 0, result.output
        assert "Traceback" not in result.output
        return [json.loads(line) for line in result.stdout.splitlines()]

    return talk


def entries():
    return Scores("quiz").read(pytest.fail)


@pytest.fixture(scope="module")
def first():
    """The first question: its position, its options, and a worse one that sets dice aside."""
    answer = Quiz(Asking(RULEBOOK), 2, 3).question(1).answer.to_dict()
    dice = [option for option in answer["options"] if option["kind"] == "set_aside"]
    worse = next(option for option in reversed(dice) if option["loss"] > 1e-9)
    return answer["position"], answer["options"], worse


def typed(option):
    if option["kind"] == "set_aside":
        return option["dice"]
    return "r" if option["kind"] == "roll" else f"use {option['card']} {option['effect']}"


def test_a_right_answer_is_praised_and_recorded(ask, talk):
    (asked, *_) = talk("", "--count", "1")
    assert (asked["question"], asked["of"], asked["level"], asked["unit"]) == (1, 1, 2, "turns")
    assert entries() == []
    options = ask("keep", asked["position"], "--all")["options"]
    _, answered, ended = talk(typed(options[0]) + "\n", "--count", "1")
    assert answered["right"]
    assert answered["losses"] == [0]
    assert answered["best"] == options[0]["text"]
    assert ended == {
        "command": "quiz", "seed": 3, "answered": 1,
        "levels": [{"level": 2, "rules": "rulebook", "unit": "turns", "questions": 1,
                    "at_once": 1, "second_try": 0, "mean_loss": 0}],
    }  # fmt: skip
    (entry,) = entries()
    assert (entry["position"], entry["right"], entry["seed"]) == (asked["position"], True, 3)


def test_there_is_a_second_try_before_the_answer(first, talk):
    position, options, worse = first
    asked, again, answered, ended = talk(f"{typed(worse)}\n{typed(options[0])}\n", "--count", "1")
    assert asked["position"] == position
    assert again == {"given": worse["text"], "right": False}
    assert answered["right"]
    assert answered["losses"] == pytest.approx([worse["loss"], 0])
    (level,) = ended["levels"]
    assert (level["at_once"], level["second_try"]) == (0, 1)
    assert level["mean_loss"] == pytest.approx(worse["loss"])


def test_wrong_twice_or_given_up_shows_the_answer(first, talk):
    _, _, worse = first
    for second in (typed(worse), ""):
        _, _, answered, ended = talk(f"{typed(worse)}\n{second}\n", "--count", "1")
        assert not answered["right"]
        assert answered["best"]
        assert ended["levels"][0]["at_once"] == 0


@pytest.mark.parametrize("end", ["", "q\n", "quit\n12\n"])
def test_leaving_keeps_what_was_answered(first, talk, end):
    _, options, worse = first
    spoken = talk(f"{typed(options[0])}\n{end}")
    assert [line["question"] for line in spoken if "question" in line] == [1, 2]
    assert spoken[-1]["answered"] == 1
    # A first move without the second one counts as well.
    assert talk(f"{typed(worse)}\n{end}")[-1]["levels"][0]["at_once"] == 0
    assert [entry["right"] for entry in entries()] == [True, False]


def test_what_is_no_move_is_explained_and_asked_again(first, talk):
    _, options, _ = first
    bad = "7\nxyz\nq1\n?\n\n\x00\n666666\np\n"
    spoken = talk(f"{bad}{typed(options[0])}\n", "--count", "1")
    assert [set(line) for line in spoken[1:-2]] == [
        {"error"}, {"error"}, {"error"}, {"help"}, {"help"}, {"help"}, {"error"}, {"error"},
    ]  # fmt: skip
    assert spoken[-2]["losses"] == [0]
    assert "1 to 6" in spoken[1]["error"]


def test_bytes_that_are_no_text_are_asked_again(run):
    result = run(*SEED, "--count", "1", input=b"\xff\xfe\n")
    assert result.exit_code == 0
    assert "is no card" in result.stdout


def test_the_same_seed_asks_the_same_questions(run):
    first, again = (run(*SEED, "--json", input="").stdout for _ in range(2))
    assert first == again
    other = run("quiz", "--seed", "4", "--level", "2", "--json", input="").stdout
    assert other != first


def test_without_a_seed_the_one_taken_is_said(run):
    result = run("quiz", "--json", input="")
    seed = json.loads(result.stdout.splitlines()[-1])["seed"]
    again = run("quiz", "--json", "--seed", str(seed), input="")
    assert again.stdout == result.stdout


def test_a_rule_set_without_a_table_asks_for_cards(run):
    result = run("quiz", "--seed", "1", "--rules", "brettspielwelt", "--json", input="")
    asked = json.loads(result.stdout.splitlines()[0])
    assert asked["unit"] == "probability"
    assert asked["goal"] != "turns"


def test_the_record_is_shown(run, ask):
    empty = run("quiz", "--record")
    assert empty.exit_code == 0
    assert "no question answered yet" in empty.stdout
    assert ask("quiz", "--record")["levels"] == []
    for level, losses, right in ((1, [0.0], True), (1, [0.2, 0.0], True), (3, [0.5, 0.5], False)):
        Scores("quiz").add(
            {"level": level, "rules": "rulebook", "unit": "turns", "right": right, "losses": losses}
        )
    Scores("quiz").add({"level": 1})
    first, third = ask("quiz", "--record")["levels"]
    assert (first["questions"], first["at_once"], first["second_try"]) == (2, 1, 1)
    assert first["mean_loss"] == pytest.approx(0.1)
    assert (third["level"], third["questions"], third["at_once"]) == (3, 1, 0)
    output = run("quiz", "--record").stdout
    assert "0.1000" in output
    assert "quiz.jsonl" in output


def test_a_corrupt_line_of_the_record_is_warned_of(run):
    scores = Scores("quiz")
    scores.add({"level": 1})
    with scores.path.open("ab") as file:
        file.write(b"{half\n")
    result = run("quiz", "--record", "--json")
    assert result.exit_code == 0
    assert "line 2" in result.stderr
    assert json.loads(result.stdout)["command"] == "quiz"


def test_a_folder_that_cannot_be_written_is_said_before_anything_is_asked(
    refuse, monkeypatch, tmp_path
):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ADVISOR_DATA", str(tmp_path / "file"))
    assert "ADVISOR_DATA" in refuse(*SEED, code=1)


@pytest.mark.parametrize(
    "arguments", ["--level 0", "--level 4", "--level x", "--count 0", "--seed -1", "more"]
)
def test_bad_options_are_refused(refuse, arguments):
    refuse("quiz", *arguments.split(), code=2)


def test_the_talk_in_words(run, first, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    position, options, worse = first
    text = f"?\n{typed(worse)}\n\n"
    output = run(*SEED, "--count", "1", "--lang", "de", input=text).stdout
    flat = " ".join(output.split())
    assert "1 of 1" in output
    assert position in output
    assert "active " + " ".join(position.partition("/")[2].partition(":")[0].rstrip("+")) in flat
    assert "dice to set aside" in flat
    assert f"Not the best: {worse['text']}" in flat
    assert options[0]["text"].split(" (")[0].split(" the ")[0] in flat
    assert "0 of" not in output
    assert "--seed 3 asks the same again" in flat
    assert max(map(len, output.splitlines())) <= 80
    assert "\x1b" not in output
