"""The list of changes that tests have to notice: every one of them still fits the program."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def load():
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "scripts/mutate.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutate"] = module
    spec.loader.exec_module(module)
    return module.load()


MUTANTS = load()


def test_there_are_enough_of_them_everywhere():
    assert len(MUTANTS) >= 40
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_change_fits_the_program(mutant):
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    assert mutant.applied(text) != text
    assert mutant.tests
    for test in mutant.tests:
        path, _, name = test.partition("::")
        assert name in (ROOT / path).read_text(encoding="utf-8") if name else (ROOT / path).exists()
