"""`advisor precompute`: kill it, run it twice, damage its files; and answers from its tables."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import pytest

from advisor import KERNEL_REVISION
from advisor.court.asking import Asking
from advisor.court.rules.notation import parse_position
from advisor.court.rules.options import RULEBOOK
from advisor.court.turn import stored
from advisor.court.turn.goals import card_goal, parse_goal
from advisor.court.turn.questions import keep as keep_for_goal
from advisor.court.turn.solver import TurnTable
from advisor.storage import tables

HANDS = ["--upto", "2", "--from", "maid,laborer,hunter,astronomer", "--goal", "guard",
         "--goal", "king", "--jobs", "1"]  # fmt: skip
BY_TWO = [*HANDS[:-1], "2"]
TABLES = 22


@pytest.fixture
def advisor(run, tmp_path):
    def advisor(*arguments, code=0):
        done = run(*arguments)
        assert done.exit_code == code, done.output
        assert "Traceback" not in done.stderr
        return done

    advisor.folder = tmp_path / "tables"
    return advisor


def started(*arguments):
    """Return the command as a process of its own, just started."""
    command = [sys.executable, "-m", "advisor", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def made(done):
    return json.loads(done.stdout)["made"]


def test_plan_make_status_resume_verify(advisor):
    plan = json.loads(advisor("precompute", *BY_TWO, "--dry-run", "--json").stdout)["plan"]
    assert (plan["sets"], plan["tables"], plan["present"]) == (11, TABLES, 0)
    assert not advisor.folder.exists()
    assert made(advisor("precompute", *BY_TWO, "--json"))["made"] == TABLES
    size = sum(path.stat().st_size for path in tables.all_tables(advisor.folder))
    assert size <= plan["bytes"] <= 2 * size
    again = made(advisor("precompute", *BY_TWO, "--json"))
    assert (again["made"], again["present"]) == (0, TABLES)
    status = json.loads(advisor("precompute", *BY_TWO, "--status", "--json").stdout)
    assert status["status"] == {"there": TABLES}
    checked = advisor("precompute", "--verify", "--sample", "5", "--json")
    assert json.loads(checked.stdout)["sound"] == TABLES


def test_a_damaged_table_is_found_and_made_anew(advisor):
    advisor("precompute", *HANDS)
    first, second, *_ = tables.all_tables(advisor.folder)
    content = bytearray(first.read_bytes())
    content[-40] ^= 1
    first.write_bytes(content)
    second.write_bytes(b"nonsense")
    found = json.loads(advisor("precompute", "--verify", "--json", code=3).stdout)
    assert {entry["file"] for entry in found["bad"]} == {first.name, second.name}
    first.unlink()
    assert made(advisor("precompute", *HANDS, "--json"))["made"] == 2
    advisor("precompute", "--verify", "--sample", "22")


def test_killed_at_any_moment_it_loses_nothing(advisor):
    for pause in (0.3, 0.9, 1.0, 1.1, 1.2, 1.3):
        running = started("precompute", *BY_TWO)
        time.sleep(pause)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        for path in tables.all_tables(advisor.folder):
            tables.read_header(path).check()
    before = {path: path.stat().st_mtime_ns for path in tables.all_tables(advisor.folder)}
    result = made(advisor("precompute", *HANDS, "--json"))
    assert result == {"made": TABLES - len(before), "present": len(before),
                      "seconds": result["seconds"]}  # fmt: skip
    assert all(path.stat().st_mtime_ns == then for path, then in before.items())
    assert not list(advisor.folder.glob(".*.draft"))


def test_interrupted_it_says_so_and_goes_on_later(advisor):
    running = started("precompute", "--upto", "3", "--from",
                      "maid,laborer,hunter,astronomer,guard,knight")  # fmt: skip
    running.stderr.readline()  # the plan: from here on it works
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=20)
    assert running.returncode == 1
    assert "interrupted: what is finished stays" in errors
    assert "Traceback" not in errors


def test_two_runs_at_once_do_nothing_twice(advisor):
    runs = [started("precompute", *BY_TWO, "--json") for _ in range(2)]
    results = [json.loads(run.communicate(timeout=60)[0])["made"] for run in runs]
    assert sum(result["made"] for result in results) == TABLES
    assert all(result["made"] + result["present"] == TABLES for result in results)


def test_bad_input(advisor, tmp_path):
    assert (
        "already" in advisor("precompute", "--cards", "farmer", "--goal", "farmer", code=2).stderr
    )
    assert "--upto" in advisor("precompute", "--upto", "2", code=2).stderr
    assert "no set of cards" in advisor("precompute", code=2).stderr
    assert "--verify" in advisor("precompute", *HANDS, "--sample", "2", code=2).stderr
    file = tmp_path / "file"
    file.write_text("")
    refused = advisor("precompute", *HANDS, "--tables", str(file), code=1).stderr
    assert "cannot write" in refused


def test_sets_that_do_not_fit_are_named_before_anything_is_done(advisor):
    refused = advisor("precompute", *HANDS, "--memory", "20k", code=1).stderr
    assert "of 11 sets of cards do not fit" in refused
    assert not advisor.folder.exists()


def test_a_complete_folder_needs_no_writing(advisor):
    advisor("precompute", *HANDS)
    before = sorted(advisor.folder.rglob("*"))
    (advisor.folder / ".locks").rename(advisor.folder / "elsewhere")
    assert made(advisor("precompute", *HANDS, "--json"))["present"] == TABLES
    assert not (advisor.folder / ".locks").exists()
    assert len(sorted(advisor.folder.rglob("*"))) == len(before)


def test_a_folder_where_a_table_goes_is_named(advisor):
    advisor("precompute", "--cards", "hunter", "--goal", "guard")
    (path,) = tables.all_tables(advisor.folder)
    path.unlink()
    path.mkdir()
    found = advisor("keep", "/334:Hu-", "--goal", "guard", "--no-cache")
    assert "remove it" in found.stderr
    assert "solved now" in found.stdout


# ---------------------------------------------------------------- answers from tables


@pytest.mark.parametrize("text", ["16/225:Fa,Hu,As-La", "/1136:Fa,Hu,As,La-", "3/4d:Fa,As,Hu-La",
                                  "2/113+:Fa,As,La,Hu-", "/4d:Fa,Hu,As,La-"])  # fmt: skip
@pytest.mark.parametrize("goal", ["knight", "values:guard=1.5,knight=4"])
def test_answers_from_a_table_are_those_of_solving(tmp_path, text, goal):
    position, wanted = parse_position(text), parse_goal(goal)
    cards = position.cards
    root = stored.root(RULEBOOK, cards)
    values = TurnTable(root, [wanted], 1 << 30).values
    assert stored.values_of(root) == values.size
    question = stored.question(RULEBOOK, cards, wanted)
    written = tables.write(tmp_path, question, KERNEL_REVISION, values[0])
    solved = keep_for_goal(Asking(RULEBOOK), position, wanted, every=True)
    read = keep_for_goal(Asking(RULEBOOK, tables=tmp_path), position, wanted, every=True)
    assert read.source == f"table {written.fingerprint[:12]}"
    assert solved == replace(read, source="solved")


def test_odds_need_the_tables_of_all_cards(advisor):
    ask = ("odds", "--cards", "hunter,maid", "--json", "--no-cache")
    solved = json.loads(advisor(*ask).stdout)
    advisor("precompute", "--cards", "hunter,maid", "--goal", "guard")
    assert json.loads(advisor(*ask).stdout)["source"] == "solved"
    advisor("precompute", "--cards", "hunter,maid")
    read = json.loads(advisor(*ask).stdout)
    assert read["source"].startswith("table ")
    assert read["goals"] == solved["goals"]


def test_a_table_in_doubt_is_named_and_not_used(advisor):
    ask = ("keep", "/334:Hu-", "--goal", "guard", "--json", "--no-cache")
    solved = json.loads(advisor(*ask).stdout)
    advisor("precompute", "--cards", "hunter", "--goal", "guard")
    (path,) = tables.all_tables(advisor.folder)
    content = bytearray(path.read_bytes())
    content[-100] ^= 4
    path.write_bytes(content)
    doubted = advisor(*ask)
    assert json.loads(doubted.stdout) == solved
    assert "checksum" in doubted.stderr


def test_nodes_are_counted_as_the_kernel_sees_them():
    root = stored.root(RULEBOOK, ("farmer", "laborer", "guard", "astronomer"))
    table = TurnTable(root, [card_goal("king")], 1 << 30)
    dice = [int(n) for n in table.graph.dice_of if n >= 0]
    from math import comb

    assert stored.nodes_of(root) == sum(
        comb(k + 5, 5) * comb(n - k + 5, 5) for n in dice for k in range(n)
    )
    assert np.isfinite(table.values).all()
