"""Completion in the shell, and names in other languages."""

import os
import re
import shutil
import subprocess
import sys

import click
import pytest
from click.shell_completion import ShellComplete, get_completion_class

from advisor.cli import COMMANDS_BY_NAME, main
from advisor.cli.completion import CardList, CardName
from advisor.court.rules.cards import BY_KEY, LANGUAGES
from advisor.court.rules.names import parse_card, parse_cards
from advisor.court.turn.goals import parse_goal

COURT = [name for name in COMMANDS_BY_NAME if name != "knights"]


@pytest.fixture
def complete():
    """Return what may follow: (words before, the beginning of the last one) -> texts."""
    shell = ShellComplete(main, {}, "advisor", "_ADVISOR_COMPLETE")

    def complete(*words):
        *before, last = words
        return [item.value for item in shell.get_completions(before, last)]

    return complete


def test_commands_and_options_complete(complete):
    assert complete("") == COMMANDS_BY_NAME
    assert complete("k") == ["keep", "knights", "kingme"]
    assert complete("knights", "t") == ["tournament", "target"]
    assert complete("odds", "--pl") == ["--plot"]


@pytest.mark.parametrize("command", COURT)
def test_choices_complete_in_every_command_that_has_them(complete, command):
    params = main.get_command(click.Context(main), command).params
    options = [name for param in params for name in param.opts]
    if "--lang" in options:
        assert complete(command, "--lang", "") == list(LANGUAGES)
    if "--rules" in options:
        assert complete(command, "--rules", "b") == ["brettspielwelt"]


@pytest.mark.parametrize("command", COURT)
def test_every_option_that_takes_cards_completes_them(complete, command):
    for param in main.get_command(click.Context(main), command).params:
        if param.metavar == "CARDS":
            assert isinstance(param.type, CardList)
            assert complete(command, param.opts[0], "gu") == ["guard"]


def test_the_last_card_of_a_list_completes(complete):
    assert complete("keep", "--cards", "farmer,g") == ["farmer,guard", "farmer,general"]
    assert complete("keep", "--cards", "guard,g") == ["guard,general"]
    assert complete("cards", "as") == ["astronomer"]
    assert complete("cards", "xyz") == []


def test_what_completes_can_be_read(complete):
    assert len(complete("odds", "--cards", "")) == len(BY_KEY)
    for language in LANGUAGES:
        for text in complete("odds", "--lang", language, "--cards", "farmer,"):
            assert len(parse_cards(text)) == 2
        for text in complete("keep", "--lang", language, "--goal", ""):
            if not text.endswith(":") and text != "turns":
                assert parse_goal(text)


def test_names_of_the_language_asked_for_come_first(complete):
    assert complete("odds", "--lang", "de", "--cards", "K") == ["Königin", "König"]
    assert complete("odds", "--cards", "K") == ["knight", "king"]
    assert complete("odds", "--lang", "de", "--cards", "knig") == ["knight"]
    assert complete("odds", "--cards", "baue") == ["Bauer"]


def test_goals_complete(complete):
    assert {"values:", "rank:", "turns"} <= set(complete("keep", "--goal", ""))
    assert complete("keep", "--goal", "hunter,kn") == ["hunter,knight"]
    assert complete("keep", "--goal", "rank:8") == [f"rank:8x{value}" for value in range(1, 7)]
    assert complete("precompute", "--goal", "values:farmer=3,gu") == ["values:farmer=3,guard="]


def test_a_card_says_what_it_costs():
    context = click.Context(main)
    (item,) = CardName().shell_complete(context, click.Argument(["card"]), "hunt")
    assert item.help == "Hunter: 4 alike"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_its_script(shell):
    source = get_completion_class(shell)(main, {}, "advisor", "_ADVISOR_COMPLETE").source()
    assert f"_ADVISOR_COMPLETE={shell}_complete" in source


def test_fish_splits_its_answers_at_the_first_comma_only(tmp_path):
    done = subprocess.run(
        ["advisor"],
        capture_output=True,
        encoding="utf-8",
        env={**advisor(tmp_path), "_ADVISOR_COMPLETE": "fish_source"},
    )
    assert 'string split -m 1 "," $completion' in done.stdout


@pytest.mark.skipif(not shutil.which("fish"), reason="needs fish")
def test_fish_completes(tmp_path):
    script = (
        "_ADVISOR_COMPLETE=fish_source advisor | source\n"
        'complete -C "advisor odds --cards farmer,hu"'
    )
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        capture_output=True,
        encoding="utf-8",
        env=advisor(tmp_path),
        timeout=60,
    )
    assert done.stdout == "farmer,hunter\tHunter: 4 alike\n", done.stderr


def advisor(tmp_path):
    """A folder with the command `advisor` of this interpreter in it."""
    script = tmp_path / "advisor"
    script.write_text(
        f"#!{sys.executable}\nfrom advisor.cli import main\nmain(prog_name='advisor')\n"
    )
    script.chmod(0o755)
    return {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_bash_completes(tmp_path):
    script = (
        'eval "$(_ADVISOR_COMPLETE=bash_source advisor)"\n'
        'COMP_WORDS=(advisor odds --cards "farmer,hu") COMP_CWORD=3\n'
        "_advisor_completion advisor\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
        "complete -p advisor\n"
    )
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        encoding="utf-8",
        env=advisor(tmp_path),
        timeout=60,
    )
    assert done.stdout.splitlines()[0] == "farmer,hunter", done.stderr
    assert "_advisor_completion advisor" in done.stdout


def test_completing_loads_nothing_heavy(tmp_path):
    script = (
        "import sys\n"
        "from click.shell_completion import ShellComplete\n"
        "from advisor.cli import main\n"
        "shell = ShellComplete(main, {}, 'advisor', '_ADVISOR_COMPLETE')\n"
        "assert shell.get_completions(['keep', '--goal'], 'hu')\n"
        "print({'numpy', 'advisor._kernel', 'diskcache', 'tabulate'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8")
    assert done.stdout.strip() == "set()", done.stderr


# ---------------------------------------------------------------- names of another language

ASKED = [
    ["keep", "16/225:Fa,Hu,Me-La", "--goal", "knight"],
    ["keep", "16/225:Fa,Hu,Me-La", "--goal", "values:knight=2,guard=1"],
    ["odds", "--cards", "farmer"],
    ["odds", "3/345:Fa,Me-"],
    ["turns", "--cards", "farmer,general,hunter,knight", "--supply", "guard"],
    ["buy", "223344", "--cards", "farmer,general", "--supply", "guard,hunter,astronomer"],
    ["final", "--best", "7x5", "--player", "Fa,Gu,Ge", "--player", "Fa,As,Kn,Ge"],
    ["claim", "--result", "55555553", "--cards", "Fa,Hu,Kn,Ge", "--player", "Fa,Gu"],
    ["cards"],
]
PROSE = {"king", "queen"}
"""Who sentences speak of, in English; as cards they are named."""


@pytest.mark.parametrize("command", ASKED, ids=" ".join)
def test_cards_have_their_names_in_the_language_asked_for(run, command):
    text = run(*command, "--lang", "de").stdout
    body = "\n".join(
        line for line in text.splitlines() if not re.match(r"- |exact|so many|expected", line)
    )
    english = {name for card in BY_KEY.values() for name in (card.key, card.name)}
    german = {card.named("de") for card in BY_KEY.values()}
    words = set(re.findall(r"\w+", body))
    assert words & german
    found = {parse_card(word) for word in words & (english - german)}
    assert found <= PROSE
