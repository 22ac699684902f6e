"""The rooms of the house: imports run downwards only, and starting up stays light."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import advisor

ROOT = Path(advisor.__file__).parent
# The arrows of the house, in one place. A room may import from the rooms listed before its own
# line only: what stands on one line does not know each other. A new arrow is a decision.
FLOORS = """
    answers errors interrupts multisets text samples ties _kernel advisor
    terminal dice intervals units jobs
    storage
    drawing
    court.rules knights.rules kingme.rules giveit.rules giveit.answers
    court.asking knights.throw kingme.round kingme.belief kingme.answers giveit.day
    court.turn knights.turn kingme.play giveit.play
    court.race court.final knights.play kingme.questions giveit.questions
    court.play court.tables knights.target knights.answers kingme.show giveit.reveal
    court.coach knights.questions giveit.show
    court.questions
    court.show knights.show
    cli
"""
FLOOR = {room: level for level, line in enumerate(FLOORS.strip().splitlines())
         for room in line.split()}  # fmt: skip
FACE = {"court.questions", "errors"}
"""What `import advisor` hands on, loaded when it is first used: the only arrows that lead up."""
GAMES = ("court", "knights", "kingme", "giveit")
HEAVY = {"numpy", "advisor._kernel", "diskcache", "tabulate", "matplotlib"}


@cache
def modules():
    """Return the modules by name below `advisor`, a package by the name of its folder."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__") or "advisor"] = path
    return {name: path for name, path in found.items() if name not in (*GAMES, "__main__")}


def room(name):
    """Return the room of a module: two names deep in a game, one elsewhere."""
    parts = name.split(".")
    return ".".join(parts[: 2 if parts[0] in GAMES else 1])


@cache
def imported(path):
    """Return the modules below `advisor` that a module imports, wherever in its text."""
    return list(imports_of(path))


def imports_of(path):
    known = modules()
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
                yield rest or "advisor"


def wrong_arrows(name, others):
    """Return the imports of a module that lead to its own floor or above it."""
    here = room(name)
    if name == "advisor":
        return [other for other in others if other not in FACE]
    return [o for o in others if room(o) != here and FLOOR[room(o)] >= FLOOR[here]]


@pytest.mark.parametrize("name", modules())
def test_imports_run_downwards(name):
    assert room(name) in FLOOR, f"{name} has no place among the floors: give it one"
    assert wrong_arrows(name, imported(modules()[name])) == []


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("court.rules.game", "court.turn.advice"),
        ("court.race.questions", "court.final.solve"),
        ("court.play.session", "court.coach.coach"),
        ("storage.tables", "court.rules.cards"),
        ("knights.turn.outlook", "knights.play.game"),
    ],
)
def test_one_wrong_import_is_found(name, other):
    assert wrong_arrows(name, [other, "errors"]) == [other]


def test_no_imports_run_in_circles_within_a_room():
    arrows = {name: set(imported(path)) - {name} for name, path in modules().items()}
    arrows["advisor"] -= FACE
    while leaves := {name for name, others in arrows.items() if not others & arrows.keys()}:
        for name in leaves:
            del arrows[name]
    assert arrows == {}


def test_the_reference_is_imported_by_tests_only():
    references = {
        "court.turn.reference",
        "knights.throw.reference",
        "kingme.round.reference",
        "giveit.day.reference",
    }
    users = [name for name, path in modules().items() if references & set(imported(path))]
    assert users == []


@pytest.mark.parametrize("name", modules())
def test_what_every_game_shares_knows_no_game(name):
    shared = room(name).partition(".")[0] not in (*GAMES, "cli")
    if shared or name in ("cli.groups", "cli.output"):
        found = set(imported(modules()[name])) - (FACE if name == "advisor" else set())
        assert [other for other in found if other.startswith(GAMES)] == []


@pytest.mark.parametrize("name", modules())
def test_no_game_knows_another(name):
    for game in GAMES:
        if name.startswith((f"{game}.", f"cli.{game}")):
            others = {other.split(".")[0] for other in imported(modules()[name])} & {*GAMES}
            assert others <= {game}


@pytest.mark.parametrize(
    "name", ["court/turn/reference.py", "knights/throw/reference.py", "giveit/day/reference.py"]
)
def test_the_reference_stays_short(name):
    assert len((ROOT / name).read_text().splitlines()) <= 150


def test_no_rule_hides_behind_the_name_of_a_card():
    from advisor.court.rules.cards import BY_KEY

    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare) and name != "court.rules.options":
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
        [["giveit", command, "--help"] for command in ("odds", "move", "reveal", "precompute")],
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
    ids=[
        "import",
        "help",
        "help of knights",
        "help of kingme",
        "help of giveit",
        "help of commands",
        "cards",
    ],
)
def test_help_and_cards_load_nothing_heavy(commands):
    assert loaded(*commands) == set()


def test_the_face_loads_next_to_nothing():
    script = "import sys, advisor; print(*sorted(m for m in sys.modules if 'advisor.' in m))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8")
    assert done.stdout.split() == []


def test_a_cached_answer_needs_no_kernel():
    question = ["keep", "/123:-", "--goal", "guard"]
    assert "advisor._kernel" in loaded(question)
    assert loaded([*question, "--json"]) == {"diskcache"}
