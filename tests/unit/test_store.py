"""The answer cache: what it keeps, and that nothing wrong in its folder is believed or run."""

from __future__ import annotations

import hashlib
import os
import pickle
import sqlite3
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.storage import places
from advisor.storage.answers import MAGIC, AnswerCache, key_of, seal, unseal

ANSWER = {"value": 0.1, "text": "Jäger 狩人", "options": [{"rank": 1}], "goal": None}
DATABASE = "cache.db"


@pytest.fixture
def cache(tmp_path):
    return AnswerCache(tmp_path / "answers")


@pytest.fixture
def filled(cache):
    """A cache with one answer under the key 'question'."""
    assert cache.put("question", ANSWER)
    return cache


def alter(cache, column, value):
    """Write into the only row of the database behind the back of the cache."""
    with sqlite3.connect(cache.folder / DATABASE) as database:
        database.execute(f"UPDATE Cache SET {column} = ?", (value,))
    database.close()


# ---------------------------------------------------------------- round trips

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text("aä狩", max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("aä狩"), inner, max_size=3),
)


@given(st.dictionaries(st.text("aä狩"), JSON, max_size=3))
def test_sealed_answers_are_unsealed_unchanged(answer):
    assert unseal("key", seal("key", answer)) == answer
    assert unseal("another key", seal("key", answer)) is None


@given(st.data())
def test_a_changed_byte_breaks_the_seal(data):
    sealed = bytearray(seal("key", ANSWER))
    place = data.draw(st.integers(0, len(sealed) - 1))
    sealed[place] ^= data.draw(st.integers(1, 255))
    assert unseal("key", bytes(sealed)) is None


@pytest.mark.parametrize("keep", [0, 1, len(MAGIC), len(MAGIC) + 31, len(MAGIC) + 32, -1])
def test_a_shortened_answer_is_refused(keep):
    assert unseal("key", seal("key", ANSWER)[:keep]) is None


@given(st.none() | st.text() | st.integers() | st.binary() | st.builds(MAGIC.__add__, st.binary()))
def test_anything_else_is_refused(data):
    assert unseal("key", data) is None


@pytest.mark.parametrize("body", [b"[]", b"7", b"null", b'"text"', b"{", b"\xff"])
def test_a_sealed_text_that_is_no_answer_is_refused(cache, body):
    cache.put("question", ANSWER)
    alter(cache, "value", MAGIC + hashlib.sha256(b"question\0" + body).digest() + body)
    assert cache.get("question") is None


def test_answers_are_found_again_by_another_run(filled):
    assert AnswerCache(filled.folder).get("question") == ANSWER
    assert filled.get("another question") is None
    assert filled.info().entries == 1


def test_the_key_depends_on_everything_asked_but_not_on_its_order():
    question = {"position": "/123:-", "goal": "guard", "rules": {"dice_limit": 12}}
    others = [
        question | {"goal": "farmer"},
        question | {"position": "/124:-"},
        question | {"rules": {"dice_limit": 11}},
        question | {"all": True},
    ]
    assert len({key_of(asked) for asked in [question, *others]}) == 1 + len(others)
    assert key_of(dict(reversed(question.items()))) == key_of(question)


def test_the_environment_names_the_folder(monkeypatch, tmp_path):
    assert places.answers().is_relative_to(tmp_path / "cache")
    monkeypatch.setenv("ADVISOR_CACHE", "~/elsewhere")
    assert places.answers().is_relative_to(Path.home() / "elsewhere")


def test_asking_alone_creates_no_folder(cache):
    assert cache.get("question") is None
    assert cache.clear().removed == 0
    assert cache.info().entries == 0
    assert not cache.folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX")
def test_only_the_owner_may_enter_the_folder(filled):
    assert stat.S_IMODE(filled.folder.stat().st_mode) == 0o700


def test_clear_removes_every_answer_and_counts_them(filled):
    filled.put("another", ANSWER)
    assert filled.clear().removed == 2
    assert filled.get("question") is None
    assert filled.info().entries == 0


# ---------------------------------------------------------------- damage


class Bait:
    """Creates a file when it is unpickled."""

    def __init__(self, trace):
        self.trace = str(trace)

    def __reduce__(self):
        return open, (self.trace, "w")


def test_the_bait_works(tmp_path):
    pickle.loads(pickle.dumps(Bait(tmp_path / "trace"))).close()
    assert (tmp_path / "trace").exists()


@pytest.mark.parametrize("where", ["value", "file", "key"])
def test_a_planted_pickle_is_refused_and_not_run(filled, tmp_path, where):
    bait = pickle.dumps(Bait(tmp_path / "trace"))
    if where == "key":
        alter(filled, "raw", 0)
        alter(filled, "key", sqlite3.Binary(bait))
    else:
        alter(filled, "mode", 4)
        alter(filled, "value", sqlite3.Binary(bait) if where == "value" else None)
    if where == "file":
        (filled.folder / "planted.val").write_bytes(bait)
        alter(filled, "filename", "planted.val")
    for attempt in (lambda: filled.get("question"), filled.info, filled.clear):
        found = attempt()
        assert found is None or found != ANSWER
        assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("mode", [2, 3, 4, 99])
def test_an_entry_does_not_read_files_outside(filled, tmp_path, mode):
    (tmp_path / "secret").write_bytes(seal("question", {"value": 1}))
    alter(filled, "mode", mode)
    alter(filled, "filename", "../secret")
    assert filled.get("question") is None
    filled.put("question", ANSWER)
    filled.clear()
    assert (tmp_path / "secret").exists()


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"\x00" * 40,
        "text",
        7,
        None,
        MAGIC,
        seal("question", ANSWER)[:-1],
        seal("another", ANSWER),
    ],
)
def test_a_damaged_entry_is_not_believed_and_mended_by_the_next_answer(filled, value):
    alter(filled, "value", value)
    assert filled.get("question") is None
    assert filled.put("question", ANSWER)
    assert filled.get("question") == ANSWER


def truncate(database):
    database.write_bytes(database.read_bytes()[:1000])


def halve(database):
    database.write_bytes(database.read_bytes()[: database.stat().st_size // 2])


def scramble(database):
    database.write_bytes(bytes(range(256)) * 64)


def empty(database):
    database.write_bytes(b"")


def drop_table(database):
    with sqlite3.connect(database) as connection:
        connection.execute("DROP TABLE Cache")
    connection.close()


def replace_by_folder(database):
    database.unlink()
    database.mkdir()


@pytest.mark.parametrize(
    "damage", [truncate, halve, scramble, empty, drop_table], ids=lambda f: f.__name__
)
def test_a_broken_database_costs_only_time_and_clear_mends_it(filled, damage):
    filled.close()
    damage(filled.folder / DATABASE)
    for beside in filled.folder.glob("cache.db-*"):
        beside.unlink()
    assert filled.get("question") is None
    filled.put("question", ANSWER)
    filled.clear()
    assert filled.put("question", ANSWER)
    assert filled.get("question") == ANSWER


def test_a_folder_in_place_of_the_database_is_no_crash(filled):
    filled.close()
    replace_by_folder(filled.folder / DATABASE)
    assert filled.get("question") is None
    assert not filled.put("question", ANSWER)


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_file_in_place_of_the_folder_is_no_crash(tmp_path, name):
    (tmp_path / "file").write_text("mine")
    cache = AnswerCache(tmp_path / name)
    assert not cache.put("question", ANSWER)
    assert cache.get("question") is None
    cache.clear()
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("kept", [False, True], ids=["new", "filled"])
def test_a_read_only_folder_is_no_crash(tmp_path, kept):
    parent = tmp_path / "parent"
    cache = AnswerCache(parent / "answers")
    parent.mkdir()
    if kept:
        cache.put("question", ANSWER)
    for path in [*parent.rglob("*"), parent]:  # listed before the first one is closed
        path.chmod(0o500 if path.is_dir() else 0o400)
    if os.access(parent, os.W_OK):
        pytest.skip("this user may write anywhere")
    assert cache.get("question") in (None, ANSWER)
    cache.put("another question", ANSWER)
    assert cache.get("another question") in (None, ANSWER)
    for path in (parent, cache.folder):
        if path.exists():
            path.chmod(0o700)


def test_other_files_in_the_folder_are_left_alone(filled):
    (filled.folder / "letter.txt").write_text("mine")
    filled.close()
    scramble(filled.folder / DATABASE)
    filled.clear()
    assert (filled.folder / "letter.txt").read_text() == "mine"


@pytest.mark.skipif(os.name == "nt", reason="modes of files are POSIX")
def test_a_broken_database_is_made_anew():
    cache = AnswerCache()
    assert cache.put("question", ANSWER)
    cache.close()
    (cache.folder / "cache.db").write_bytes(b"no database at all" * 100)
    assert cache.get("question") is None
    assert cache.put("question", ANSWER)
    assert cache.get("question") == ANSWER


def test_a_chosen_folder_with_other_contents_keeps_its_mode(tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o755)
    (shared / "letter.txt").write_text("mine")
    monkeypatch.setenv("ADVISOR_CACHE", str(shared))
    AnswerCache().put("question", ANSWER)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755
