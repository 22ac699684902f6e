"""The personal record: only added to, and read whatever is in it."""

from __future__ import annotations

import pytest

from advisor.errors import DataProblem
from advisor.storage import places
from advisor.storage.scores import Scores


@pytest.fixture
def scores():
    return Scores("quiz")


def read(scores):
    """Return the entries and what was warned of."""
    heard = []
    return scores.read(heard.append), heard


def test_what_is_added_is_read_in_order(scores):
    assert read(scores) == ([], [])
    for number in range(3):
        scores.add({"number": number, "name": "Jäger"})
    assert read(scores) == ([{"number": n, "name": "Jäger"} for n in range(3)], [])
    assert len(scores.path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("bad", [b"{", b"[1, 2]", b"nonsense", b"\xff\xfe", b"12"])
def test_a_bad_line_is_left_out_with_a_warning(scores, bad):
    scores.add({"number": 1})
    with scores.path.open("ab") as file:
        file.write(bad + b"\n\n")
    scores.add({"number": 2})
    entries, (warning,) = read(scores)
    assert [entry["number"] for entry in entries] == [1, 2]
    assert "line 2" in warning


def test_a_line_cut_off_does_not_swallow_the_next(scores):
    scores.add({"number": 1})
    with scores.path.open("ab") as file:
        file.write(b'{"number": 2')
    scores.add({"number": 3})
    entries, warnings = read(scores)
    assert [entry["number"] for entry in entries] == [1, 3]
    assert len(warnings) == 1


def test_the_folder_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.setenv("ADVISOR_DATA", str(tmp_path / "own"))
    assert places.data() == tmp_path / "own"
    monkeypatch.delenv("ADVISOR_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    assert places.data().name == "court-advisor"


def test_a_folder_that_cannot_be_written_is_named(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ADVISOR_DATA", str(tmp_path / "file"))
    with pytest.raises(DataProblem, match="ADVISOR_DATA"):
        Scores("quiz").check()
    with pytest.raises(DataProblem, match="cannot be written"):
        Scores("quiz").add({})
    (tmp_path / "quiz.jsonl").mkdir()
    monkeypatch.setenv("ADVISOR_DATA", str(tmp_path))
    with pytest.raises(DataProblem, match="cannot be read"):
        Scores("quiz").read(print)
