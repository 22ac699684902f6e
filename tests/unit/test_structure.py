"""The rooms of the house: imports run downwards only, and starting up stays light."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import advisor

ROOT = Path(advisor.__file__).parent
# Each room may import from the floors below it only.
FLOORS = [
    {"errors", "multisets", "bytesdisk", "terminal", "text", "toml", "samples", ""},
    {"dice", "memory", "store", "jobs", "files", "_kernel"},
    {"tables", "plots", "scores"},
    {"court.cards"},
    {"court.rules"},
    {"court.names", "court.turn"},
    {
        "court.notation",
        "court.goals",
        "court.layout",
        "court.exact",
        "court.reference",
        "court.supply",
    },
    {"court.solver", "court.seats"},
    {"court.advice", "court.turn_tables", "court.game"},
    {"court.record"},
    {"court.record_file", "court.short_input"},
    {"court.precompute", "court.final_round", "court.fixed_point", "court.race_files"},
    {"court.solitaire"},
    {"court.claim", "court.pace", "court.race_tables", "court.stakes", "court.playing"},
    {"court.pursuit", "court.estimates"},
    {"court.bots"},
    {"court.simulate", "court.prospects"},
    {"court.analysis"},
    {"court.answers", "court.render", "court.plots", "court.race_precompute"},
    {
        "court.render_final",
        "court.render_simulate",
        "court.render_quiz",
        "court.render_analysis",
        "court.race",
    },
    {"court.quiz", "court.report", "court.counsel"},
    {"court.session"},
    {"court.render_play"},
    # Knights stands beside, not above: another test holds that no game knows another.
    {"knights.rules"},
    {"knights.cards", "knights.play", "knights.reference"},
    {"knights.components", "knights.odds", "knights.tournament", "knights.advice"},
    {"knights.turn", "knights.throwing"},
    {"knights.position", "knights.policy"},
    {"knights.outlook"},
    {"knights.lookahead", "knights.game"},
    {"knights.rollouts"},
    {"knights.target", "knights.render", "knights.plots"},
    {"knights.answers"},
    # King Me! by rooms; modules of one room may import each other.
    {"kingme.rules"},
    {"kingme.round", "kingme.belief"},
    {"kingme.play"},
    {"kingme.questions"},
    {"kingme.show"},
    {"cli"},
]
HEAVY = {"numpy", "advisor._kernel", "diskcache", "tabulate", "matplotlib"}


def rooms():
    """Return the modules by their name below `advisor`; packages of commands are one room."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name] = path
    packages = ("court", "knights", "kingme", "__main__")
    return {name: path for name, path in found.items() if name not in packages}


def room(name):
    return ".".join(name.split(".")[:2])


def floor(name):
    wanted = "cli" if name.split(".")[0] == "cli" else name
    wanted = room(name) if name.startswith("kingme.") else wanted
    return next((level for level, floor in enumerate(FLOORS) if wanted in floor), None)


def imported(path):
    """Return the modules below `advisor` that a module imports, wherever in its text."""
    known = rooms()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            package, _, rest = name.partition(".")
            if package == "advisor":
                while rest and rest not in known and rest != "_kernel":
                    rest = rest.rpartition(".")[0]
                yield rest


@pytest.mark.parametrize("name", rooms())
def test_imports_run_downwards(name):
    here = floor(name)
    assert here is not None, f"{name} has no place among the floors: give it one"
    for other in imported(rooms()[name]):
        if name.startswith("cli") and other.startswith("cli"):
            continue
        if name.startswith("kingme.") and room(name) == room(other):
            continue
        assert floor(other) is not None, f"{other} has no place among the floors: give it one"
        assert floor(other) < here, f"{name} imports {other}"


def test_the_reference_is_imported_by_tests_only():
    references = {"court.reference", "knights.reference", "kingme.round.reference"}
    users = [name for name, path in rooms().items() if references & set(imported(path))]
    assert users == []


@pytest.mark.parametrize(
    "name",
    [
        *(
            "dice",
            "errors",
            "files",
            "memory",
            "multisets",
            "store",
            "bytesdisk",
            "jobs",
            "terminal",
            "samples",
        ),
        *("cli.groups", "cli.shared", "_kernel"),
    ],
)
def test_what_every_game_shares_knows_no_game(name):
    path = rooms().get(name, ROOT / f"{name}.pyi")
    assert [
        other for other in imported(path) if other.startswith(("court", "knights", "kingme"))
    ] == []


def test_no_game_knows_another():
    for name, path in rooms().items():
        games = {other.split(".")[0] for other in imported(path)} & {"court", "knights", "kingme"}
        if name.startswith(("knights", "cli.knights")):
            assert games <= {"knights"}, name
        elif name.startswith(("kingme", "cli.kingme")):
            assert games <= {"kingme"}, name
        elif name.startswith("court"):
            assert games <= {"court"}, name


@pytest.mark.parametrize("game", ["court", "knights"])
def test_the_reference_stays_short(game):
    assert len((ROOT / game / "reference.py").read_text().splitlines()) <= 150


def test_no_rule_hides_behind_the_name_of_a_card():
    from advisor.court.cards import BY_KEY

    for name, path in rooms().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and not name.startswith("court.rules"):
                for side in (node.left, *node.comparators):
                    if isinstance(side, ast.Constant):
                        assert side.value not in BY_KEY, f"{name}:{node.lineno}"


def loaded(*commands):
    """Return which heavy modules a new interpreter has loaded after running some commands."""
    script = (
        "import json, sys\n"
        "from advisor.cli import main\n"
        f"for arguments in {list(commands)!r}:\n"
        "    main(arguments, prog_name='advisor', standalone_mode=False)\n"
        "print()\n"
        f"print(json.dumps(sorted({HEAVY!r} & set(sys.modules))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "commands",
    [
        [],
        [["--help"]],
        [["knights", command, "--help"] for command in ("keep", "odds", "tournament", "target")],
        [
            ["kingme", command, "--help"]
            for command in ("move", "infer", "advise", "play", "analyze", "simulate")
        ],
        [
            [command, "-h"]
            for command in ("keep", "odds", "cards", "cache", "quiz", "analyze", "play")
        ],
        [["cards", "farmer"], ["cards", "--json"]],
    ],
    ids=["import", "help", "help of knights", "help of kingme", "help of commands", "cards"],
)
def test_help_and_cards_load_nothing_heavy(commands):
    assert loaded(*commands) == set()


def test_a_cached_answer_needs_no_kernel():
    question = ["keep", "/123:-", "--goal", "guard"]
    assert "advisor._kernel" in loaded(question)
    assert loaded([*question, "--json"]) == {"diskcache"}
