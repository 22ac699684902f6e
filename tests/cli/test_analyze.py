"""`advisor analyze` as a user meets it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from advisor.court.show import html as report
from advisor.errors import InvalidOption
from advisor.storage import whole

GAME = Path(__file__).parents[1] / "golden/game.txt"
TURN = "court-record 1\nturn /3d:-\nroll 224\naside 224\nbuy philosopher\n"


@pytest.fixture
def record(tmp_path):
    """Write a record and return its path."""

    def record(text, name="record.txt"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return record


class Page(HTMLParser):
    """Checks that tags close, and collects what a browser would load or show."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.shown, self.tags = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)
        self.links += [v for k, v in attrs if k in ("src", "href", "xlink:href", "style", "onload")]

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.shown.append(data)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("answers")


@pytest.fixture
def analysed_once(kept, monkeypatch):
    """Let the same record be analysed once for several tests, which differ in what is shown."""
    monkeypatch.setenv("ADVISOR_CACHE", str(kept))


@pytest.mark.usefixtures("analysed_once")
def test_a_game_is_told_by_player_turn_and_mark(run):
    text = run("analyze", str(GAME)).stdout
    assert text.startswith("2 players, 14 turns, Anna has won")
    assert re.search(r"^Anna +5 +27 +1\.09", text, re.MULTILINE)
    assert re.search(r"^ +72 +Anna +set aside 6 +\?\? +0\.8.* use the Laborer", text, re.MULTILINE)
    assert "everything for sale" in text


@pytest.mark.usefixtures("analysed_once")
def test_every_step_is_shown_if_asked_for(run):
    text = run("analyze", str(GAME), "--all").stdout
    assert "turn 3, Bob" in text
    assert re.search(r"^ +33 +set aside 6 .*forced", text, re.MULTILINE)


def test_json_has_players_turns_and_steps(run):
    answer = json.loads(run("analyze", str(GAME), "--json").stdout)
    assert answer["command"] == "analyze"
    assert answer["source"] == "solved"
    assert [player["seat"] for player in answer["players"]] == [1, 2]
    assert set(answer["turns"][0]) >= {"value", "luck", "loss", "end", "unit", "steps"}
    again = json.loads(run("analyze", str(GAME), "--json").stdout)
    assert again == answer | {"source": "cache"}


def test_a_record_can_come_from_standard_input(run):
    text = run("analyze", "-", input=TURN).stdout
    assert "buy the Farmer" in text
    assert "a player alone, 1 turn, the turn is over" in text
    text = run("analyze", "-", input=TURN.partition("buy")[0]).stdout
    assert "a player alone, 1 turn, not at its end" in text


def test_names_are_those_of_the_language_asked_for(run, record, tmp_path):
    page = tmp_path / "page.html"
    text = run("analyze", record(TURN), "--lang", "de", "--html", str(page)).stdout
    assert "buy the Bauer" in text
    assert "Farmer" not in text
    assert "buy the Bauer" in page.read_text(encoding="utf-8")


def test_an_impossible_step_is_refused_with_its_line(run, record):
    result = run("analyze", record("court-record 1\nturn /3d:-\nroll 224\naside 5\n"))
    assert result.exit_code == 2
    assert "line 4" in result.stderr
    assert "no active die shows it" in result.stderr


def test_a_missing_file_is_refused(run, tmp_path):
    result = run("analyze", str(tmp_path / "none.txt"))
    assert result.exit_code == 2
    assert "cannot be read" in result.stderr


def test_the_rule_set_is_that_of_the_record(run, record):
    path = record(TURN.replace("turn", "rules brettspielwelt\nturn").replace("roll", "roll"))
    assert json.loads(run("analyze", path, "--json").stdout)["rules"] == "brettspielwelt"
    result = run("analyze", path, "--rules", "rulebook")
    assert result.exit_code == 2
    assert "leave it out" in result.stderr


def test_a_line_cut_off_is_left_out_with_a_note(run, record):
    for result in (
        run("analyze", record(TURN + "roll 2")),
        run("analyze", "-", input=TURN + "roll 2"),
    ):
        assert result.exit_code == 0
        assert "cut off" in result.stderr


def test_a_last_line_needs_no_end_and_the_file_may_begin_with_a_mark(run, record):
    text = "\ufeff" + TURN.removesuffix("\n")
    file, piped = run("analyze", record(text)), run("analyze", "-", input=text)
    assert file.stdout == piped.stdout
    assert "buy the Farmer" in file.stdout
    assert file.stderr == piped.stderr == ""


# ---------------------------------------------------------------- the report


@pytest.mark.usefixtures("analysed_once")
def test_the_report_is_one_page_that_needs_nothing_else(run, tmp_path):
    file = tmp_path / "game.html"
    result = run("analyze", str(GAME), "--html", str(file))
    assert result.exit_code == 0
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert page.links == []
    assert "script" not in page.tags
    assert "http" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert page.tags.count("svg") == 2
    assert page.tags.count("polyline") == 4
    assert page.tags.count("details") == 14
    assert not list(tmp_path.glob(".*.draft"))


def test_seats_are_called_as_in_play(run, record, tmp_path):
    file = tmp_path / "game.html"
    game = GAME.read_text().replace("Anna", "Bob")
    text = run("analyze", record(game), "--html", str(file)).stdout
    assert text.startswith("2 players, 14 turns, Bob 1 has won")
    assert re.search("^Bob 2 +", text, re.MULTILINE)
    assert "<h1>2 players, 14 turns, Bob 1 has won</h1>" in file.read_text(encoding="utf-8")


def test_names_cannot_command_the_terminal(run, record):
    text = run("analyze", record(GAME.read_text().replace("Anna", "A\x1b[2J\u202eb"))).stdout
    assert text.startswith("2 players, 14 turns, A [2J b has won")


def test_names_of_players_are_escaped(run, record, tmp_path):
    file = tmp_path / "game.html"
    name = "<script>alert('x')</script>&\"Anna\""
    run("analyze", record(GAME.read_text().replace("Anna", name)), "--html", str(file))
    text = file.read_text(encoding="utf-8")
    page = Page(text)
    assert "script" not in page.tags
    assert "<script" not in text
    assert any(name in shown for shown in page.shown)


def test_a_report_that_cannot_be_written_leaves_nothing_behind(run, tmp_path, monkeypatch):
    result = run("analyze", str(GAME), "--html", str(tmp_path / "game.txt"))
    assert (result.exit_code, "must end in .html" in result.stderr) == (2, True)
    result = run("analyze", str(GAME), "--html", str(tmp_path / "no/game.html"))
    assert (result.exit_code, "folder does not exist" in result.stderr) == (2, True)
    taken = tmp_path / "taken.html"
    taken.mkdir()
    with pytest.raises(InvalidOption, match="cannot be written"):
        report.save("text", str(taken))
    assert not list(tmp_path.glob(".*.draft"))


def test_an_old_report_stays_whole_if_the_new_one_fails(tmp_path, monkeypatch):
    file = tmp_path / "page.html"
    report.save("old", str(file))

    def fail(*paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole.os, "replace", fail)
    with pytest.raises(InvalidOption, match="No space left"):
        report.save("new text", str(file))
    assert file.read_bytes() == b"old"
    assert not list(tmp_path.glob(".*.draft"))
