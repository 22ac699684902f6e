"""`advisor cache`, and answers in spite of a damaged one."""

from __future__ import annotations

import pytest

QUESTION = ("keep", "/6552:Fa-", "--goal", "guard")


def test_info_tells_folder_entries_and_size(ask, tmp_path):
    empty = ask("cache", "info")
    assert set(empty) == {"command", "folder", "entries", "bytes", "limit"}
    assert (empty["command"], empty["entries"], empty["bytes"]) == ("cache info", 0, 0)
    assert empty["folder"].startswith(str(tmp_path / "cache"))
    ask(*QUESTION)
    ask("odds")
    full = ask("cache", "info")
    assert full["entries"] == 2
    assert 0 < full["bytes"] < full["limit"]


def test_clear_makes_the_next_answer_solved_again(ask):
    assert [ask(*QUESTION)["source"] for _ in range(3)] == ["solved", "cache", "cache"]
    assert ask("cache", "clear") == {"command": "cache clear", "removed": 1}
    assert ask("cache", "clear")["removed"] == 0
    assert ask(*QUESTION)["source"] == "solved"


@pytest.mark.parametrize(
    ("question", "other"),
    [
        (QUESTION, (*QUESTION[:3], "hunter")),
        (("keep", "/123:Mg-", *QUESTION[2:]), ("keep", "/123:Mg-", *QUESTION[2:], "--all")),
        (QUESTION, (*QUESTION, "--rules", "brettspielwelt")),
        (QUESTION, (*QUESTION, "--lang", "de")),
        (QUESTION, ("keep", "/6551:Fa-", *QUESTION[2:])),
        (("odds",), ("odds", "--exact")),
        (("odds", "/123:-"), ("keep", "/123:-")),
        (("odds", "5/12:-"), ("odds", "5/12+:-")),
    ],
)
def test_another_question_never_gets_the_same_stored_answer(ask, question, other):
    ask(*question)
    answer = ask(*other)
    fresh = ask(*other, "--no-cache")
    assert answer == fresh | {"source": answer["source"]}
    assert answer["position"] == fresh["position"]


@pytest.mark.parametrize("damage", [b"", b"\x00" * 5000, b"SQLite format 3\x00" + b"\xff" * 4000])
def test_a_damaged_cache_still_answers(ask, tmp_path, damage):
    answer = ask(*QUESTION)
    for file in (tmp_path / "cache").rglob("cache.db*"):
        file.write_bytes(damage)
    assert ask(*QUESTION) == answer | {"source": "solved"}
    ask("cache", "clear")
    assert ask(*QUESTION)["source"] == "solved"
    assert ask(*QUESTION)["source"] == "cache"


def test_a_cache_that_cannot_be_read_is_explained_by_info(ask, run, tmp_path):
    ask(*QUESTION)
    for file in (tmp_path / "cache").rglob("cache.db*"):
        file.write_bytes(b"\xff" * 5000)
    result = run("cache", "info")
    assert result.exit_code == 1
    assert "advisor cache clear" in result.stderr
    assert len(result.stderr.splitlines()) <= 2


def test_a_cache_that_cannot_be_written_still_answers(ask, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("mine")
    monkeypatch.setenv("ADVISOR_CACHE", str(tmp_path / "file" / "below"))
    assert ask(*QUESTION)["source"] == "solved"
    assert ask(*QUESTION)["source"] == "solved"


def test_text_output(run):
    run(*QUESTION)
    assert run("cache", "info").stdout.startswith("1 answer")
    assert run("cache", "clear").stdout.startswith("1 answer")


def test_numbers_of_answers_are_written_in_good_english(run):
    run(*QUESTION)
    assert run("cache", "info").stdout.startswith("1 answer,")


@pytest.mark.parametrize("name", ["~nosuchuser/cache", "x" * 300, "file"])
def test_a_folder_that_cannot_be_used_costs_one_note(run, monkeypatch, tmp_path, name):
    (tmp_path / "file").write_text("mine")
    where = name if name.startswith("~") else str(tmp_path / name)
    monkeypatch.setenv("ADVISOR_CACHE", where)
    result = run(*QUESTION)
    assert result.exit_code == 0
    assert result.stderr.count("Note:") == 1
    assert "without" in result.stderr
    for what in ("info", "clear"):
        assert run("cache", what).exit_code in (0, 1, 2)
