"""Recorded answers of the command line: key by key, text by text, and every command among them."""

from __future__ import annotations

import importlib.util
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from advisor.cli import main

SCRIPT = Path(__file__).parents[2] / "scripts/golden_answers.py"
NEAR = 1e-12

spec = importlib.util.spec_from_file_location("golden_answers", SCRIPT)
golden_answers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(golden_answers)
QUESTIONS = golden_answers.read()


def differences(was: Any, now: Any, where: str = "answer") -> Iterator[str]:
    """Yield where two answers differ: in keys, kinds, lengths or texts, or numbers by over NEAR."""
    if type(was) is not type(now):
        yield f"{where}: {was!r} was recorded, now {now!r}"
    elif isinstance(was, dict):
        for key in was.keys() ^ now.keys():
            yield f"{where}.{key}: {'missing' if key in was else 'new'}"
        for key in was.keys() & now.keys():
            yield from differences(was[key], now[key], f"{where}.{key}")
    elif isinstance(was, list):
        if len(was) != len(now):
            yield f"{where}: {len(was)} entries were recorded, now {len(now)}"
        for place, (one, other) in enumerate(zip(was, now, strict=False)):
            yield from differences(one, other, f"{where}[{place}]")
    elif not (abs(was - now) <= NEAR if isinstance(was, float) else was == now):
        yield f"{where}: {was!r} was recorded, now {now!r}"


@pytest.mark.parametrize("question", QUESTIONS, ids=[each["ask"][:60] for each in QUESTIONS])
def test_the_answer_is_the_recorded_one(question, tmp_path):
    found = list(differences(question, golden_answers.answered(question, tmp_path)))
    assert not found, "\n".join([question["ask"], *sorted(found)])


@pytest.mark.parametrize(
    ("was", "now", "number"),
    [
        ({"a": 1.0}, {"a": 1.0 + 5e-13}, 0),
        ({"a": 1.0}, {"a": 1.0 + 5e-12}, 1),
        ({"a": 1.0}, {"a": 1}, 1),
        ({"a": 1}, {"a": True}, 1),
        ({"a": 1}, {"a": 2}, 1),
        ({"a": 1}, {}, 1),
        ({}, {"a": None}, 1),
        ([{"a": "x"}], [{"a": "y"}], 1),
        ([1, 2], [1], 1),
        ([1], [1, 2], 1),
        ([], None, 1),
        (0.5, float("nan"), 1),
        (["1.0"], ["1.0 "], 1),
    ],
)
def test_a_difference_is_seen_both_ways(was, now, number):
    assert len(list(differences(was, now))) == number
    assert len(list(differences(now, was))) == number


def test_no_question_is_asked_twice():
    asked = [(each["ask"], each.get("input"), str(each.get("before"))) for each in QUESTIONS]
    assert len(set(asked)) == len(asked) >= 200


LATER = ("giveit", "kingme")
"""Games that came after the recording; values of independent solvers hold them."""


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """Yield the commands that have --json, each as the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        if name in LATER:
            continue
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        elif any("--json" in param.opts for param in command.params):
            yield (*path, name)


@pytest.mark.parametrize("command", [*commands(main)], ids=" ".join)
def test_every_command_with_json_is_among_the_questions(command):
    asked = [shlex.split(each["ask"]) for each in QUESTIONS if "json" in each and not each["exit"]]
    assert any(tuple(words[: len(command)]) == command for words in asked)
