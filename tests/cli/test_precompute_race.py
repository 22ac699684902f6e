"""`advisor precompute --goal turns`: narrower, killed, twice at once, damaged, verified."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from filelock import FileLock

from advisor import KERNEL_REVISION, tables
from advisor.court import race_precompute, race_tables
from advisor.court.rules import RULEBOOK, check_hand
from advisor.court.solitaire import Solitaire
from advisor.court.supply import full_supply

HAND = ("farmer", "guard", "hunter", "knight", "bishop", "general")
ASKED = ["precompute", "--goal", "turns", "--cards", ",".join(HAND), "--width", "0.01"]


@pytest.fixture
def nothing_shipped(monkeypatch, tmp_path):
    monkeypatch.setattr(tables, "shipped", lambda: tmp_path / "nowhere")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ADVISOR_TABLES", str(tmp_path / "tables"))
    return tmp_path / "tables"


def test_every_hand_of_few_cards_is_counted():
    hands = race_precompute.hands_upto(5, RULEBOOK)
    assert len(hands) == len(set(hands)) == 13_623
    for hand in hands:
        check_hand(hand, RULEBOOK)


def test_hands_asked_for_become_known_and_stay_known(run, ask, folder, nothing_shipped):
    before = ask(*ASKED, "--jobs", "2", "--status")["status"]
    assert before == {"there": 0, "open": 1}
    assert not folder.exists()
    made = ask(*ASKED, "--jobs", "2")["made"]
    assert made["open"] == 0
    known = race_tables.probe(folder, RULEBOOK)
    assert known(HAND).width <= 0.01
    assert made["hands"] == len(known)
    again = ask(*ASKED, "--jobs", "1")["made"]
    assert (again["passes"], again["hands"]) == (0, made["hands"])
    assert ask(*ASKED, "--dry-run")["plan"] == {"there": 1, "open": 0}
    assert run("precompute", "--verify", "--sample", "30").exit_code == 0


def test_many_processes_find_what_one_finds(folder, ask, nothing_shipped):
    ask(*ASKED, "--jobs", "2")
    alone = Solitaire(full_supply(HAND, RULEBOOK), 4 << 30).solve(HAND, 0.01)
    node = race_tables.probe(folder, RULEBOOK)(HAND)
    assert alone.lower <= node.upper
    assert node.lower <= alone.upper


def test_killed_it_keeps_what_was_written_and_goes_on(folder, ask):
    running = subprocess.Popen(
        [sys.executable, "-m", "advisor", "precompute", "--goal", "turns", "--upto", "4"],
        env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (folder / ".locks/race.lock").exists():
        time.sleep(0.1)
    time.sleep(5)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=60)
    assert "interrupted" in errors
    assert "Traceback" not in errors
    known = race_tables.probe(folder, RULEBOOK)
    shipped = race_tables.probe(tables.shipped(), RULEBOOK)
    assert len(known) >= len(shipped)
    assert known(()).width <= shipped(()).width


def test_after_some_minutes_it_stops(folder, ask):
    made = ask("precompute", "--goal", "turns", "--cards", "fool,merchant", "--width", "1e-7",
               "--minutes", "0.05", "--jobs", "1")["made"]  # fmt: skip
    assert made["open"] == 1
    assert folder.exists()


def test_a_second_run_is_told_of_the_first(folder, refuse):
    (folder / ".locks").mkdir(parents=True)
    with FileLock(folder / ".locks/race.lock"):
        assert "another run" in refuse(*ASKED)


def test_a_bound_that_cannot_be_is_found(run, folder, ask, nothing_shipped):
    ask(*ASKED)
    race = Solitaire(full_supply((), RULEBOOK), 4 << 30, race_tables.probe(folder, RULEBOOK))
    for hand in race.known.hands():
        node = race.node(hand)
        node.king *= 0.999
        node.lower = node.upper = node.upper + 0.1
    race_tables.write(folder, race)
    result = run("precompute", "--verify", "--sample", "3")
    assert result.exit_code == 3
    assert "contradicts" in result.stderr


def test_a_table_that_lists_more_than_it_holds_is_refused(folder):
    values = np.array([1.0, 0, 6, 7, 0, -1, 3, 0.5])
    tables.write(folder, race_tables.question(RULEBOOK), KERNEL_REVISION, values)
    with pytest.raises(tables.CorruptTable, match="does not hold what it lists"):
        race_tables.probe(folder, RULEBOOK)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--goal", "hunter"], "a table of its own"),
        (["--width", "0"], "--width 0"),
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
