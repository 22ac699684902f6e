"""Table files: bit for bit round trips, and every way in which a file can be wrong."""

import os

import numpy as np
import pytest

from advisor.errors import CorruptTable, ForeignTable, MissingTable, StaleTable, TableProblem
from advisor.storage import tables
from advisor.storage.tables import DiskProblem

QUESTION = {"game": "test", "cards": ["a", "b"]}
VALUES = np.random.default_rng(1).random(37)


@pytest.fixture
def written(tmp_path):
    return tables.write(tmp_path, QUESTION, 1, VALUES).path


def test_round_trip_is_bit_for_bit(tmp_path, written):
    found = tables.probe(tmp_path, QUESTION, 1)
    assert found.values().tobytes() == VALUES.tobytes()
    assert found.fingerprint == tables.fingerprint_of(QUESTION, 1)
    assert found.offset % tables.ALIGNMENT == 0
    with pytest.raises(ValueError, match="read-only"):
        found.values()[0] = 1
    assert [p.name for p in tmp_path.iterdir()] == [written.name]


def test_a_flipped_bit_anywhere_is_noticed(tmp_path, written):
    sound = written.read_bytes()
    for place in range(len(sound)):
        written.write_bytes(
            sound[:place] + bytes([sound[place] ^ 1 << place % 8]) + sound[place + 1 :]
        )
        with pytest.raises(TableProblem):
            tables.probe(tmp_path, QUESTION, 1)


@pytest.mark.parametrize("length", [0, 1, 7, 60, 100, 300, 400])
def test_a_truncated_file_is_corrupt(tmp_path, written, length):
    written.write_bytes(written.read_bytes()[:length])
    with pytest.raises(CorruptTable, match="precompute"):
        tables.probe(tmp_path, QUESTION, 1)


def test_what_is_not_a_table_is_corrupt(tmp_path, written):
    for content in (os.urandom(500), tables.MAGIC + os.urandom(500), written.read_bytes() + b"x"):
        written.write_bytes(content)
        with pytest.raises(TableProblem):
            tables.probe(tmp_path, QUESTION, 1)
    written.unlink()
    written.mkdir()
    with pytest.raises(CorruptTable, match="no file"):
        tables.probe(tmp_path, QUESTION, 1)


def test_missing_stale_and_foreign_tables_say_what_mends_them(tmp_path, written):
    with pytest.raises(StaleTable, match="makes it anew"):
        tables.probe(tmp_path, QUESTION, 2)
    other = {"game": "test", "cards": ["c"]}
    with pytest.raises(MissingTable, match="advisor precompute"):
        tables.probe(tmp_path, other, 1)
    written.rename(tmp_path / tables.name_of(other))
    with pytest.raises(ForeignTable, match="another question"):
        tables.probe(tmp_path, other, 1)


def test_a_failed_write_leaves_the_old_table_and_no_draft(tmp_path, written, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskProblem, match="No space left"):
        tables.write(tmp_path, QUESTION, 1, VALUES + 1)
    monkeypatch.undo()
    assert tables.probe(tmp_path, QUESTION, 1).values().tobytes() == VALUES.tobytes()
    assert [p.name for p in tmp_path.iterdir()] == [written.name]
