"""What is kept on disk, with its bytes changed one at a time: nothing wrong is believed."""

from __future__ import annotations

import random

import numpy as np
import pytest

from advisor.court.race import known
from advisor.court.race.search import Solitaire
from advisor.court.rules.options import RULEBOOK
from advisor.court.rules.supply import full_supply
from advisor.errors import TableProblem
from advisor.storage import tables
from advisor.storage.answers import AnswerCache, key_of
from advisor.storage.scores import Scores

ANSWERS = {
    key_of({"question": number}): {"value": number / 7, "text": "x" * 40} for number in range(12)
}
FLIPS = 250
"""Bytes of the database that are changed; most of its bytes are unused."""


def flips(path, places):
    """Write a file with one bit changed, in one byte after another."""
    whole = path.read_bytes()
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= 1 << place % 8
        path.write_bytes(changed)
        yield place


def test_a_table(tmp_path):
    question = {"game": "test", "cards": ["a"]}
    path = tables.write(tmp_path, question, 1, np.arange(9.0)).path
    for _ in flips(path, range(path.stat().st_size)):
        with pytest.raises(TableProblem):
            tables.probe(tmp_path, question, 1)


def test_a_table_of_the_race(tmp_path):
    race = Solitaire(full_supply((), RULEBOOK), 1 << 30)
    race.node(("farmer", "guard", "hunter", "knight", "general"))
    path = known.write(tmp_path, race).path
    for _ in flips(path, range(path.stat().st_size)):
        with pytest.raises(TableProblem):
            known.probe(tmp_path, RULEBOOK)


def test_the_answer_cache(tmp_path):
    cache = AnswerCache(tmp_path / "answers")
    for key, answer in ANSWERS.items():
        assert cache.put(key, answer)
    cache.close()
    path = cache.folder / "cache.db"
    used = [place for place, byte in enumerate(path.read_bytes()) if byte]
    lost = 0
    for _ in flips(path, random.Random(1).sample(used, FLIPS)):
        for beside in cache.folder.glob("cache.db-*"):
            beside.unlink()
        for key, answer in ANSWERS.items():
            found = cache.get(key)
            assert found in (None, answer)
            lost += found is None
        cache.close()
    assert lost, "no flip was noticed at all"


def test_scores(monkeypatch, tmp_path):
    monkeypatch.setenv("ADVISOR_DATA", str(tmp_path))
    scores, entries = Scores("quiz"), [{"level": 1, "losses": [0.25]}, {"level": 2, "right": True}]
    for entry in entries:
        scores.add(entry)
    for _ in flips(scores.path, range(scores.path.stat().st_size)):
        warned = []
        read = scores.read(warned.append)
        assert all(entry in entries for entry in read)
        assert warned or read == entries
