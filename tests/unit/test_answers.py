"""Answers as data: what is written, what is left out, and back again."""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

from advisor.answers import Answer, Part

GOLDEN = Path(__file__).parents[1] / "golden"


@dataclass(frozen=True, kw_only=True)
class Row(Part):
    card: str | None
    value: float
    dice: str | None = None


@dataclass(frozen=True, kw_only=True)
class Bounded(Row):
    upper: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class Whole(Answer):
    command: ClassVar[str] = "whole"

    rows: tuple[Bounded, ...]
    best: Row | None
    holder: int | str
    odds: dict[str, float]
    marks: dict[str, dict[str, int]]
    sides: dict[str, Row]
    early: bool = False
    plan: tuple[str, ...] | None = None


ROW = Row(card=None, value=0.5)
SIDES = {"best": ROW, "next": Row(card="king", value=1.0, dice="66")}
WHOLE = Whole(
    rows=(Bounded(card="maid", value=1.0, dice="12", upper=None),), best=ROW, holder="gone",
    odds={"maid": 0.25}, marks={"turns": {"?": 1}}, sides=SIDES,
)  # fmt: skip


def test_null_is_written_and_what_is_not_there_is_left_out():
    assert WHOLE.to_dict() == {
        "command": "whole",
        "rows": [{"card": "maid", "value": 1.0, "dice": "12", "upper": None}],
        "best": {"card": None, "value": 0.5},
        "holder": "gone",
        "odds": {"maid": 0.25},
        "marks": {"turns": {"?": 1}},
        "sides": {
            "best": {"card": None, "value": 0.5},
            "next": {"card": "king", "value": 1.0, "dice": "66"},
        },
    }


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"best": None, "holder": 2, "rows": (), "early": True, "plan": ()},
        {"plan": ("roll", "end the turn")},
    ],
)
def test_what_json_holds_is_built_again(more):
    whole = replace(WHOLE, **more)
    written = json.loads(json.dumps(whole.to_dict()))
    assert written == whole.to_dict()
    assert Whole.from_dict(written) == whole
    assert ("plan" in written) == ("plan" in more)
    assert written.get("early", False) is whole.early


def test_a_field_that_has_to_be_there_is_missed():
    with pytest.raises(TypeError, match="value"):
        Row.from_dict({"card": None})


# ---------------------------------------------------------------- all that is answered


def subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def recorded():
    """The objects that recorded questions were answered with, by their commands."""
    found = {}
    for line in (GOLDEN / "answers.jsonl").read_text(encoding="utf-8").splitlines():
        for answer in json.loads(line).get("json", []):
            if "command" in answer:
                found.setdefault(answer["command"], []).append(answer)
    return found


@pytest.mark.parametrize(("command", "answers"), recorded().items(), ids=[*recorded()])
def test_every_recorded_object_is_that_of_a_dataclass(command, answers):
    for name in ("coach", "final", "play", "race", "rules", "tables", "turn"):
        importlib.import_module(f"advisor.court.{name}.answers")
    importlib.import_module("advisor.knights.answers")
    importlib.import_module("advisor.storage.answers")
    kinds = [kind for kind in subclasses(Answer) if getattr(kind, "command", None) == command]
    for answer in answers:
        assert any(built(kind, answer) == answer for kind in kinds), answer


def built(kind, answer):
    try:
        return kind.from_dict(answer).to_dict()
    except TypeError:
        return None
