"""`advisor precompute --goal turns`: narrower, killed, twice at once, damaged, verified."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from filelock import FileLock

from advisor import KERNEL_REVISION
from advisor.court.race import files as race_files
from advisor.court.race import known as race_tables
from advisor.court.race.hand import in_turn
from advisor.court.race.search import Solitaire
from advisor.court.rules.options import BRETTSPIELWELT, RULEBOOK, check_hand
from advisor.court.rules.supply import full_supply
from advisor.court.tables import making_race
from advisor.intervals import Interval
from advisor.storage import places, tables

HAND = ("farmer", "guard", "hunter", "knight", "bishop", "general")
LOCK = f".locks/{tables.name_of(race_files.question(RULEBOOK))}.lock"
MEMORY = 4 << 30
ASKED = ["precompute", "--goal", "turns", "--cards", ",".join(HAND), "--width", "0.01"]


@pytest.fixture
def nothing_shipped(monkeypatch, tmp_path):
    monkeypatch.setattr(places, "shipped", lambda: tmp_path / "nowhere")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ADVISOR_TABLES", str(tmp_path / "tables"))
    return tmp_path / "tables"


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """A folder with the table that ASKED makes from nothing."""
    folder = tmp_path_factory.mktemp("race") / "tables"
    plan = making_race.RacePlan(RULEBOOK, (making_race.Aim((HAND,), 0.01),), MEMORY)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(places, "shipped", lambda: folder / "nowhere")
        plan.run(folder, in_turn, telling())
    return folder


@pytest.fixture
def made(made_once, folder, nothing_shipped):
    """The user's folder, with a copy of that table in it."""
    return shutil.copytree(made_once, folder)


def telling(say=lambda text: None):
    return SimpleNamespace(say=say, warn=say, advance=lambda tables: None)


@pytest.mark.parametrize(
    ("most", "rules", "number"), [(5, RULEBOOK, 13_623), (6, BRETTSPIELWELT, 35_399)]
)
def test_every_hand_of_few_cards_is_counted(most, rules, number):
    hands = making_race.hands_upto(most, rules)
    assert len(hands) == len(set(hands)) == number
    for hand in hands:
        check_hand(hand, rules)


def test_hands_asked_for_become_known_and_stay_known(run, ask, folder, nothing_shipped):
    before = ask(*ASKED, "--jobs", "2", "--status")["status"]
    assert before == {"there": 0, "open": 1}
    assert not folder.exists()
    made = ask(*ASKED, "--jobs", "2")["made"]
    assert made["open"] == 0
    known = race_tables.probe(folder, RULEBOOK)
    assert known(HAND).turns.width <= 0.01
    assert made["hands"] == len(known)
    again = ask(*ASKED, "--jobs", "1")["made"]
    assert (again["passes"], again["hands"]) == (0, made["hands"])
    assert ask(*ASKED, "--dry-run")["plan"] == {"there": 1, "open": 0}
    assert run("precompute", "--verify", "--sample", "30").exit_code == 0


def test_many_processes_find_what_one_finds(folder, ask, nothing_shipped):
    ask(*ASKED, "--jobs", "2")
    alone = Solitaire(full_supply(HAND, RULEBOOK), MEMORY).solve(HAND, 0.01)
    node = race_tables.probe(folder, RULEBOOK)(HAND)
    assert alone.turns.lower <= node.turns.upper
    assert node.turns.lower <= alone.turns.upper


def test_interrupted_it_keeps_what_it_found(folder, nothing_shipped):
    def say(text):
        if int(text.removesuffix(" turns solved").split()[-1]) > 40:
            raise KeyboardInterrupt

    plan = making_race.RacePlan(RULEBOOK, (making_race.Aim((HAND,), 1e-6),), MEMORY)
    with pytest.raises(KeyboardInterrupt):
        plan.run(folder, in_turn, telling(say))
    first = race_tables.probe(folder, RULEBOOK)
    assert len(first) > 20
    replace(plan, seconds=0.5).run(folder, in_turn, telling())
    after = race_tables.probe(folder, RULEBOOK)
    assert after(HAND).turns.width <= first(HAND).turns.width


def test_interrupted_it_says_so(folder):
    running = subprocess.Popen(
        [sys.executable, "-m", "advisor", "precompute", "--goal", "turns", "--upto", "4"],
        env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (folder / LOCK).exists():
        time.sleep(0.1)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "interrupted" in errors
    assert "Traceback" not in errors
    FileLock(folder / LOCK).acquire(timeout=10)


def test_after_some_minutes_it_stops(folder, ask, nothing_shipped):
    made = ask("precompute", "--goal", "turns", "--cards", "fool,merchant", "--width", "1e-7",
               "--minutes", "0.01", "--jobs", "1")["made"]  # fmt: skip
    assert made["open"] == 1
    assert folder.exists()


def test_a_second_run_is_told_of_the_first(folder, refuse):
    (folder / ".locks").mkdir(parents=True)
    with FileLock(folder / LOCK):
        assert "another run" in refuse(*ASKED)


@pytest.mark.parametrize("what", ["lower", "upper", "king"])
def test_a_number_that_cannot_be_is_found(run, made, what):
    race = Solitaire(full_supply((), RULEBOOK), MEMORY, race_tables.probe(made, RULEBOOK))
    for hand in race.known.hands():
        node = race.node(hand)
        if what == "king":
            node.king *= 0.999
        else:
            node.turns = replace(node.turns, **{what: node.turns.middle})
    race_tables.write(made, race)
    result = run("precompute", "--verify", "--sample", "3")
    assert result.exit_code == 3
    assert "contradicts" in result.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        {"turns": Interval(9.0, 8.0)},
        {"turns": Interval(0.5, 8.0)},
        {"king": float("nan")},
        {"king": 1.5},
    ],
)
def test_what_no_table_can_hold_is_refused(run, made, wrong):
    race = Solitaire(full_supply((), RULEBOOK), MEMORY, race_tables.probe(made, RULEBOOK))
    for key, value in wrong.items():
        setattr(race.node(HAND), key, value)
    race_tables.write(made, race)
    result = run("precompute", "--verify")
    assert result.exit_code == 3
    assert "does not hold what it lists" in result.stderr


def test_too_little_memory_takes_nothing_out_of_a_table(run, made, ask):
    before = race_tables.probe(made, RULEBOOK)
    done = ask(*ASKED[:-1], "0.0001", "--memory", "1MB", "--jobs", "1")["made"]
    assert done["open"] == 1
    assert done["large"] > 0
    after = race_tables.probe(made, RULEBOOK)
    assert len(after) >= len(before)
    for hand in before.hands():
        assert after(hand).turns.width <= before(hand).turns.width
    assert run("precompute", "--verify", "--sample", "30", "--memory", "1MB").exit_code == 0


def test_many_hands_stop_in_time_as_well(folder, ask):
    begin = time.monotonic()
    made = ask("precompute", "--goal", "turns", "--upto", "8", "--from",
               "farmer,maid,laborer,guard,hunter,astronomer,merchant,knight,bishop,general",
               "--minutes", "0.01", "--jobs", "1")["made"]  # fmt: skip
    assert made["open"] > 0
    assert time.monotonic() - begin < 60


def test_a_full_disk_in_between_costs_nothing(folder, monkeypatch, nothing_shipped):
    writes = []

    def write(where, race):
        writes.append(len(race.nodes))
        if len(writes) < 3:
            raise tables.DiskProblem("full")

    monkeypatch.setattr(race_tables, "write", write)
    monkeypatch.setattr(making_race, "SAVED", 0.0)
    plan = making_race.RacePlan(RULEBOOK, (making_race.Aim((HAND,), 0.05),), MEMORY)
    assert plan.run(folder, in_turn, telling())["open"] == 0
    assert len(writes) > 3


def test_what_killed_writers_left_is_removed(folder, ask, nothing_shipped):
    folder.mkdir()
    stem = tables.name_of(race_files.question(RULEBOOK)).removesuffix(".table")
    draft = folder / f".{stem}.999.draft"
    draft.write_bytes(b"half")
    ask(*ASKED)
    assert not draft.exists()


@pytest.mark.parametrize(
    "values",
    [[1.0, 0, 6, 7, 0, -1, 3, 0.5], [5, 1, 2], [float("nan"), 1], [-1, 2], [0], [1e300, 1]],
)
def test_a_table_that_does_not_hold_what_it_lists_is_refused(folder, values):
    tables.write(folder, race_files.question(RULEBOOK), KERNEL_REVISION, np.array(values))
    with pytest.raises(tables.CorruptTable, match="does not hold what it lists"):
        race_tables.probe(folder, RULEBOOK)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--goal", "hunter"], "a table of its own"),
        (["--width", "0"], "--width 0"),
        (["--from", "farmer"], "--upto K"),
        (["--cards", "farmer,farmer"], "farmer"),
        (["--cards", "queen,king"], "King"),
    ],
)
def test_bad_input(refuse, folder, more, said):
    assert said in refuse("precompute", "--goal", "turns", *more)
    assert not folder.exists()


@pytest.mark.parametrize("option", ["--width", "--minutes"])
def test_options_of_the_race_alone(refuse, option):
    assert "--goal turns" in refuse("precompute", "--cards", "farmer", option, "1")


def test_json_is_one_object(run, folder):
    result = run(*ASKED, "--status", "--json")
    assert set(json.loads(result.stdout)) == {"command", "folder", "status"}
