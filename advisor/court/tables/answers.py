"""What is answered about making tables, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Answer, Part

Counts = dict[str, float]
"""How many of what there are, and how many `bytes` and `seconds` that takes."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PrecomputeAnswer(Answer):
    """What is to be done for the tables in a folder, in which states they are, or what was done."""

    command: ClassVar[str] = "precompute"

    folder: str
    plan: Counts | None = None
    status: Counts | None = None
    made: Counts | None = None


@dataclass(frozen=True, kw_only=True)
class BadTable(Part):
    """A file that is no table to be trusted, and why."""

    file: str
    error: str


@dataclass(frozen=True, kw_only=True, repr=False)
class VerifyAnswer(Answer):
    """How many tables of a folder are sound, of which `sample` were solved again."""

    command: ClassVar[str] = "precompute"

    folder: str
    sound: int
    sample: int
    bad: tuple[BadTable, ...]
