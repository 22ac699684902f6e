"""What every test shares: no answers or settings from outside, and a way to ask questions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import combinations_with_replacement
from typing import Any

import pytest
from click.testing import CliRunner, Result

from advisor.cli import main
from advisor.dice import Counts

Run = Callable[..., Result]
Ask = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def _own_settings(tmp_path, monkeypatch):
    for name in [*os.environ]:
        if name.startswith("ADVISOR_") or name == "NO_COLOR":
            monkeypatch.delenv(name)
    monkeypatch.setenv("ADVISOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ADVISOR_TABLES", str(tmp_path / "tables"))
    monkeypatch.setenv("ADVISOR_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("ADVISOR_CONFIG", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "no config"))


@pytest.fixture
def no_race_table(monkeypatch, tmp_path):
    """Let no table of the race be there, neither the user's nor a shipped one."""
    monkeypatch.setattr("advisor.storage.places.shipped", lambda: tmp_path / "nowhere")


@pytest.fixture
def run() -> Run:
    """Run the command line: (arguments, input=..., color=...) -> result.

    An exception fails the test. With `color` escape codes are kept, as on a terminal that has them.
    """

    def run(*arguments: str, **more: Any) -> Result:
        return CliRunner().invoke(
            main, arguments, prog_name="advisor", catch_exceptions=False, **more
        )

    return run


@pytest.fixture
def ask(run: Run) -> Ask:
    """Run the command line with --json and return the one object it prints."""

    def ask(*arguments: str) -> dict[str, Any]:
        result = run(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return json.loads(result.stdout)

    return ask


@pytest.fixture
def refuse(run: Run) -> Callable[..., str]:
    """Run the command line, expect a failure in one or two lines, and return its text."""

    def refuse(*arguments: str, code: int = 2) -> str:
        result = run(*arguments)
        assert result.exit_code == code, result.output
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
        assert 1 <= len(result.stderr.splitlines()) <= 2, result.stderr
        return result.stderr

    return refuse


def multisets(largest: int, smallest: int = 0) -> list[Counts]:
    """Return all multisets of so many dice, by size and then by digit string."""
    return [
        tuple(values.count(face) for face in range(1, 7))
        for size in range(smallest, largest + 1)
        for values in combinations_with_replacement(range(1, 7), size)
    ]
