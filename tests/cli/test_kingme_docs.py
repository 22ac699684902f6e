"""The worked examples of docs/kingme.md print what they show."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest

from advisor.cli.kingme import COMMANDS, command
from advisor.kingme.belief import model

DOCS = (Path(__file__).parents[2] / "docs" / "kingme.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\nadvisor ([^\n]*)\n```\n\n```text\n(.*?)```", DOCS, re.DOTALL)
(GAME,) = re.findall(r"```text\n(kingme-record.*?)```", DOCS, re.DOTALL)


def test_there_are_examples():
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize(("arguments", "shown"), EXAMPLES)
def test_example(run, tmp_path, monkeypatch, arguments, shown):
    (tmp_path / "game.txt").write_text(GAME, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert run(*shlex.split(arguments), *["--jobs", "1"] * ("advise" in arguments)).stdout == shown


def test_the_formula_has_the_numbers_of_the_model():
    assert f"w(f) = {', '.join(map(str, model.WORTH))} points" in DOCS
    assert model.APPROVES == 6 / 13
    assert model.PRICE == model.STRENGTH == 1


def test_the_default_strength_is_that_of_the_model():
    from advisor.cli.kingme import options

    assert options.STRENGTH == model.STRENGTH


@pytest.mark.parametrize("name", COMMANDS["Commands"])
def test_every_option_is_on_the_commands_page(name):
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    for option in command.get_command(click.Context(command), name).params:
        if isinstance(option, click.Option):
            assert any(text in page for text in option.opts), option.opts
