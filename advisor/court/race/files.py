"""Where tables of the race for the King lie, known without reading what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from advisor.court.rules.options import RuleSet
from advisor.errors import TableProblem
from advisor.storage import places, tables

MODEL = 2
"""Raised whenever the values mean something else."""


def question(rules: RuleSet) -> tables.Question:
    """Return what the table of the race answers."""
    return {
        "game": "court", "values": "race", "rules": rules.options(), "supply": "full",
        "model": MODEL,
    }  # fmt: skip


def folders(where: Path | None) -> Iterator[Path]:
    """Yield the folders to look in: the user's own, then the one that comes with the program."""
    for folder in dict.fromkeys((where, places.shipped())):
        if folder is not None and folder.is_dir():
            yield folder


def checksums(where: Path | None, rules: RuleSet) -> list[str]:
    """Return the checksums of the tables there, as their files state them."""
    found = []
    for folder in folders(where):
        try:
            found.append(tables.read_header(folder / tables.name_of(question(rules))).checksum())
        except TableProblem:
            continue
    return found
