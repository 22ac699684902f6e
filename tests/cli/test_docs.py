"""The documents say what the commands do."""

import re
import shlex
from pathlib import Path

import click
import pytest

from advisor.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS_PAGE = (ROOT / "docs/commands.md").read_text(encoding="utf-8")
SHORT_HELP = {name: text for section in COMMANDS.values() for name, text in section.items()}


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def console_lines():
    """The advisor commands of the README that stand alone on their line."""
    for block in blocks("console"):
        for line in block.splitlines():
            command = line.removeprefix("$ ").partition("  #")[0].strip()
            if command.startswith("advisor ") and "precompute" not in command:
                yield command


def test_the_first_answer_of_the_readme_is_the_true_one(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    first = next(block for block in blocks("console") if "advisor keep" in block)
    question = shlex.split(first.partition(".venv/bin/advisor ")[2])
    assert run(*question).stdout == blocks("text")[0]


@pytest.mark.parametrize("command", list(console_lines()))
def test_commands_of_the_readme_work(run, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    result = run(*shlex.split(command)[1:], input="")
    assert result.exit_code == 0, result.output


def test_the_game_of_the_readme_is_played_so(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    played = next(block for block in blocks("console") if "| advisor play" in block)
    command, _, shown = played.partition("\n")
    typed, command = re.fullmatch(r"\$ printf '(.*)' \| advisor (.*)", command).groups()
    result = run(*shlex.split(command), input=typed.replace("\\n", "\n"))
    # Intervals are as narrow as the table of the race that is there.
    number = re.compile(r" *\d\.\d{4,} *")
    assert number.sub("#", result.stdout) == number.sub("#", shown)
    both = (map(float, number.findall(text)) for text in (result.stdout, shown))
    assert all(abs(one - other) < 0.01 for one, other in zip(*both, strict=True))


def test_ci_runs_the_test_command_of_the_readme():
    line = next(line for line in README.splitlines() if "-m pytest" in line)
    assert line.startswith("python3 -m venv .venv && ")
    assert "grep -m 1 -e '-m pytest' README.md" in (ROOT / ".ci/run").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SHORT_HELP)
def test_every_command_and_option_is_on_the_commands_page(name):
    command = main.get_command(click.Context(main), name)
    assert f"advisor {name}" in COMMANDS_PAGE
    for option in command.params:
        if isinstance(option, click.Option):
            names = [*option.opts, *option.secondary_opts]
            assert any(text in COMMANDS_PAGE for text in names), names


def test_links_between_documents_lead_somewhere():
    for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "tables/README.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
