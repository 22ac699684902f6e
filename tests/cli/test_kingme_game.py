"""`advisor kingme infer`, `advise`, `play`, `analyze`, `simulate` as a user meets them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from advisor.errors import InvalidRecord
from advisor.kingme.play import analysis
from advisor.kingme.play.bots import BOTS
from advisor.kingme.play.file import RecordFile, record_of
from advisor.kingme.rules import goals as cards
from advisor.kingme.rules.game import Phase, Reveal, Votes
from advisor.kingme.rules.record import Header, Record, Seat, format_record, parse_record

DECK = cards.default()


def record(steps=10_000, phase=None, no=0.6, seed=4) -> Record:
    """Return a game of three at random: so many steps, then up to a phase."""
    rng = random.Random(seed)
    names = ("Anna", "Boris", "Carla")
    found = Record(Header(tuple(Seat("human", name) for name in names)))
    while not found.is_over and (
        len(found.entries) < steps or (phase is not None and found.game.phase is not phase)
    ):
        game = found.game
        if game.is_chance:
            left = [card for card in DECK.cards if card not in game.gone]
            found.add(Reveal(tuple(rng.sample(left, 3))))
        elif game.phase is Phase.VOTE:
            found.add(Votes(tuple(left > 0 and rng.random() < no for left in game.no_left)))
        else:
            found.add(rng.choice(game.legal_moves()))
    return found


@pytest.fixture
def written(tmp_path):
    """Write a record, return (its file, the game, a goal that can have been dealt)."""

    def written(*arguments, **more):
        found = record(*arguments, **more)
        file = tmp_path / "game.txt"
        file.write_text(format_record(found), encoding="utf-8")
        goal = next(card for card in DECK.cards if card not in found.game.gone)
        return str(file), found.game, cards.format_goal(goal)

    return written


# ---------------------------------------------------------------- infer


def test_infer(ask, written, run):
    file, _, goal = written(22)
    found = ask("kingme", "infer", file, "--me", "1", "--goal", goal, "--top", "3")
    assert (found["command"], found["me"], found["goal"]) == ("kingme infer", 1, goal)
    assert [(player["seat"], player["name"]) for player in found["players"]] == [
        (2, "Boris"),
        (3, "Carla"),
    ]
    for player in found["players"]:
        chances = [card["probability"] for card in player["cards"]]
        assert len(chances) == 3
        assert chances == sorted(chances, reverse=True)
        assert goal not in [card["goal"] for card in player["cards"]]
        assert sum(player["characters"].values()) == pytest.approx(6)
    assert found["goals"]["invented"]
    assert "invented" in found["model"]
    text = run("kingme", "infer", file, "--me", "1", "--goal", goal).stdout
    assert "2 Boris" in text
    assert "600 deals" in text


def test_infer_with_other_cards(ask, written, tmp_path):
    file, *_ = written(22)
    anything = ask("kingme", "infer", file, "--me", "1", "--goal", "ABCDEF", "--goals", "any")
    assert anything["deals"] == 1716**2
    assert "invented" not in anything["model"]
    own = tmp_path / "cards.txt"
    own.write_text("\n".join(map(cards.format_goal, cards.every().cards[:20])), encoding="utf-8")
    found = ask("kingme", "infer", file, "--me", "1", "--goal", "ABCDEF", "--goals", str(own))
    assert found["deals"] == 19 * 18
    assert found["goals"] == {"source": "cards.txt", "invented": False}


def test_with_strength_0_nothing_is_learnt(ask, written):
    file, *_ = written(22)
    found = ask("kingme", "infer", file, "--me", "1", "--strength", "0")
    for player in found["players"]:
        assert list(player["characters"].values()) == pytest.approx([12 / 26] * 13)


# ---------------------------------------------------------------- advise


@pytest.mark.parametrize(
    ("steps", "phase", "due"),
    [(4, Phase.PLACE, "place"), (18, Phase.RAISE, "raise"), (18, Phase.VOTE, "vote")],
)
def test_advise(ask, written, run, steps, phase, due):
    file, game, goal = written(steps, phase)
    me = str(game.seat + 1)
    asked = ("kingme", "advise", file, "--me", me, "--goal", goal, "--playouts", "20")
    found = ask(*asked, "--jobs", "1")
    assert (found["due"], found["method"], found["games"]) == (due, "play-outs", 20)
    assert found["value"] == found["options"][0]["value"]
    for number, option in enumerate(found["options"], 1):
        assert option["rank"] == number
        assert option["low"] <= option["value"] <= option["high"]
        assert option["loss"] == pytest.approx(found["value"] - option["value"])
    assert (found["another_no"] is None) == (due != "vote")
    if due == "vote":
        assert {option["vote"] for option in found["options"]} == {"yes", "no"}
    assert "invented" in found["model"]
    assert "95 % intervals" in found["model"]
    assert found == ask(*asked, "--jobs", "1", "--seed", "0")
    text = run(*asked, "--jobs", "1").stdout
    assert "95 % interval" in text
    assert ("somebody else says No" in text) == (due == "vote")


def test_advise_is_exact_late_in_a_round(ask, run, written):
    file, game, goal = written(40, Phase.RAISE, no=1.0)
    while sum(game.no_left):
        steps = len(parse_record(Path(file).read_text(encoding="utf-8")).entries)
        file, game, goal = written(steps + 1, Phase.RAISE, no=1.0)
    me = str(game.seat + 1)
    found = ask("kingme", "advise", file, "--me", me, "--goal", goal)
    assert found["method"] == "exact"
    assert found["options"][0]["low"] is None
    assert "each solved as if all goals were open" in found["model"]
    estimated = ask(
        "kingme", "advise", file, "--me", me, "--goal", goal, "--playouts", "20", "--jobs", "1"
    )
    assert estimated["method"] == "play-outs"


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        (("--goal", "GOAL"), "Missing option", "--me"),
        (("--me", "2"), "no --goal", "ACDGLO"),
        (("--me", "2", "--goal", "ABCDEF"), "not among", "--goals"),
        (("--me", "4", "--goal", "GOAL"), "--me 4", "1 to 3"),
        (("--me", "OTHER", "--goal", "GOAL"), "is on turn", "ask for that seat"),
        (
            ("--me", "2", "--goal", "GOAL", "--goals", "nowhere.txt"),
            "nowhere.txt",
            "cannot be read",
        ),
        (("--me", "2", "--goal", "GOAL", "--strength", "-1"), "--strength", "0"),
        (("--me", "2", "--goal", "GOAL", "--playouts", "1"), "--playouts", "2"),
    ],
)
def test_advise_refuses(refuse, written, arguments, named, mend):
    file, game, goal = written(18, Phase.RAISE)
    other = str((game.seat + 1) % 3 + 1)
    filled = [{"GOAL": goal, "OTHER": other}.get(word, word) for word in arguments]
    text = refuse("kingme", "advise", file, *filled)
    assert named in text
    assert mend in text


@pytest.mark.parametrize(
    ("lines", "named", "mend"),
    [
        ("", "the record is empty", "kingme-record 1"),
        ("court-record 1", "begins no record", "kingme-record 1"),
        ("kingme-record 2", "version 1", "use the program"),
        ("HEAD\nplace A 5\n", "line 5", "1 to 4"),
        ("HEAD\nplace A 3\nplace A 2\n", "line 6", "on floor 3 already"),
        ("HEAD\nplace A\n", "line 5", "place A 3"),
        ("HEAD\nplce A 3\n", "line 5", "did you mean 'place'"),
        ("HEAD\nplace Z 3\n", "'Z'", "ABCDEFGILMNOP"),
        ("HEAD\nraise A\n", "line 5", "still being placed"),
        ("HEAD\nvotes YYX\n", "'YYX'", "Y or N"),
        ("HEAD\nvotes YYY\n", "line 5", "votes are given"),
        ("HEAD\nundo\n", "line 5", "no step is left"),
        (
            "HEAD\nplace A 4\nplace B 4\nplace C 4\nplace D 4\nplace E 4\n",
            "line 9",
            "has 4 characters",
        ),
        ("kingme-record 1\nseat human\n", "1 seats", "3 to 6 lines"),
        ("HEAD\nreveal ABCDEF\n", "line 5", "3 to 6 players"),
        ("kingme-record 1\nseed x", "line 2", "whole number"),
        ("kingme-record 1\nseat H!", "line 2", "one word"),
    ],
)
def test_bad_records_are_refused_with_their_line(refuse, tmp_path, lines, named, mend):
    file = tmp_path / "bad.txt"
    head = "kingme-record 1\nseat human\nseat human\nseat human"
    file.write_text(lines.replace("HEAD", head), encoding="utf-8")
    text = refuse("kingme", "infer", str(file), "--me", "1")
    assert named in text
    assert mend in text


def test_a_vote_without_a_no_card_is_refused(refuse, tmp_path):
    found = record(40, Phase.VOTE, no=1.0)
    while all(found.game.no_left):
        found = record(len(found.entries) + 1, Phase.VOTE, no=1.0)
    file = tmp_path / "game.txt"
    file.write_text(format_record(found) + "votes NNN\n", encoding="utf-8")
    assert "no No card left" in refuse("kingme", "infer", str(file), "--me", "1")


def test_a_game_that_is_over_has_nothing_to_find_out(refuse, written):
    file, *_ = written()
    assert "over" in refuse("kingme", "infer", file, "--me", "1")
    assert "cannot be read" in refuse("kingme", "infer", file + "x", "--me", "1")


# ---------------------------------------------------------------- analyze


def test_analyze(ask, run, written, monkeypatch):
    monkeypatch.setattr(analysis, "MOST", 600)
    file, game, _ = written(no=0.9)
    found = ask("kingme", "analyze", file)
    assert [each["round"] for each in found["rounds"]] == [1, 2, 3]
    assert [each["unit"] for each in found["rounds"]] == ["points", "points", "probability"]
    assert found["totals"] == list(game.totals)
    assert found["result"] == list(game.returns())
    decisions = [one for each in found["rounds"] for one in each["decisions"]]
    assert len(decisions) > 3
    for one in decisions:
        assert one["loss"] == pytest.approx(one["best_value"] - one["value"], abs=1e-9)
        assert one["loss"] >= 0
    written_down = Path(file).read_text(encoding="utf-8")
    lines = written_down.splitlines()
    assert all(lines[one["line"] - 1] == f"raise {one['character']}" for one in decisions)
    text = run("kingme", "analyze", file).stdout
    assert "Round 3" in text
    assert "In all: Anna" in text
    assert len(run("kingme", "analyze", file, "--all").stdout) > len(text)
    assert run("kingme", "analyze", "-", input=written_down).stdout == text


def test_goals_that_the_cards_do_not_have_are_refused(refuse, written, tmp_path, monkeypatch):
    monkeypatch.setattr(analysis, "MOST", 10)
    file, *_ = written()
    own = tmp_path / "cards.txt"
    own.write_text("\n".join(map(cards.format_goal, cards.every().cards[:18])), encoding="utf-8")
    assert "--goals" in refuse("kingme", "analyze", file, "--goals", str(own))


# ---------------------------------------------------------------- play


PLACED = "A 4\nB4\nplace C 3\nD 3\n"


def test_a_game_is_played_and_gone_on_with(run, tmp_path):
    file = tmp_path / "game.txt"
    begin = ("kingme", "play", "--seats", "human:Anna,greedy,random", "--seed", "5")
    result = run(*begin, "--record", str(file), input="A 4\nh\nf\nx\nu\nu\nA 4\nq\n")
    assert result.exit_code == 0
    assert "Taken back" in result.stdout
    assert "Nothing to take back" in result.stdout
    assert "'x' is no move" in result.stdout
    assert "likeliest cards" in result.stdout
    assert f"advisor kingme play --resume {file}" in result.stdout
    first = parse_record(file.read_text(encoding="utf-8"))
    assert first.header.seats[0] == Seat("human", "Anna")
    assert len(first.entries) == 3
    again = run("kingme", "play", "--resume", str(file), input="q\n")
    assert "Resumed after 3 steps" in again.stdout
    assert parse_record(file.read_text(encoding="utf-8")).game == first.game


def test_the_same_seed_and_moves_give_the_same_record(run, tmp_path):
    games = []
    for name in ("one", "two"):
        file = tmp_path / name
        run(
            "kingme", "play", "--seats", "human,greedy,random", "--seed", "9", "--record",
            str(file), input="A4\nB 3\nC 3\n",
        )  # fmt: skip
        games.append(parse_record(file.read_text(encoding="utf-8")).game)
    assert games[0] == games[1]


def test_bots_play_alone_to_the_end_and_the_game_can_be_judged(run, ask, tmp_path, monkeypatch):
    monkeypatch.setattr(analysis, "MOST", 600)
    file = tmp_path / "game.txt"
    result = run(
        "kingme", "play", "--seats", "random,greedy,random", "--seed", "3", "--record", str(file)
    )
    assert result.exit_code == 0
    assert "is king" in result.stdout
    assert f"advisor kingme analyze {file}" in result.stdout
    played = parse_record(file.read_text(encoding="utf-8"))
    assert played.is_over
    assert ask("kingme", "analyze", str(file))["totals"] == list(played.game.totals)


def test_humans_vote_one_after_the_other(run, tmp_path):
    file = tmp_path / "game.txt"
    found = record(20, Phase.VOTE)
    text = format_record(found).replace("seat human Carla", "seat human Carla\nseed 4")
    file.write_text(text, encoding="utf-8")
    shown = run("kingme", "play", "--resume", str(file), input="maybe\ny\nu\nn\ny\nn\nq\n").stdout
    assert "'maybe' is no vote" in shown
    last = [line for line in file.read_text(encoding="utf-8").splitlines() if "votes" in line][-1]
    assert last == "votes NYN"
    assert "No: Anna, Carla" in shown


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        (("--seats", "human,best"), "2 players", "3 to 6"),
        (("--seats", "human,best,clever"), "'clever'", "choose from"),
        (("--seed", "-1"), "--seed -1", "18 digits"),
        (("--resume", "nowhere.txt"), "nowhere.txt", "cannot be read"),
        (("--resume", "nowhere.txt", "--seed", "1"), "--seed and --resume", "leave it"),
        (("--goals", "nowhere.txt"), "nowhere.txt", "cannot be read"),
    ],
)
def test_play_refuses(refuse, arguments, named, mend):
    text = refuse("kingme", "play", *arguments)
    assert named in text
    assert mend in text


def test_a_record_is_played_by_one_at_a_time_and_never_written_over(tmp_path):
    file = tmp_path / "game.txt"
    header = Header((Seat("human"),) * 3, seed=1)
    with RecordFile.begin(file, header) as begun:
        begun.add("place A 3")
        with pytest.raises(InvalidRecord, match="being played already"):
            RecordFile.resume(file, print)
    with pytest.raises(InvalidRecord, match="is there already"):
        RecordFile.begin(file, header)
    assert len(record_of(file.read_bytes(), "x", print).entries) == 1


def test_a_line_that_was_cut_off_is_left_out(tmp_path):
    file = tmp_path / "game.txt"
    with RecordFile.begin(file, Header((Seat("human"),) * 3, seed=1)) as begun:
        begun.add("place A 3")
    file.write_bytes(file.read_bytes() + b"place B")
    told = []
    assert len(record_of(file.read_bytes(), "x", told.append).entries) == 1
    with RecordFile.resume(file, told.append) as again:
        again.add("place B 4")
    assert len(told) == 2
    assert file.read_text(encoding="utf-8").endswith("place A 3\nplace B 4\n")


# ---------------------------------------------------------------- simulate


def test_simulate(ask, run):
    asked = ("kingme", "simulate", "--seats", "greedy,random,random", "--games", "9", "--seed", "1")
    found = ask(*asked, "--jobs", "1")
    assert sum(player["won"] for player in found["players"]) == pytest.approx(9)
    for player in found["players"]:
        assert player["lower"] <= player["win"] <= player["upper"]
    assert "invented" in found["model"]
    assert found == ask(*asked, "--jobs", "2")
    assert "95 % interval" in run(*asked, "--jobs", "1").stdout


def test_greedy_beats_random(ask):
    found = ask(
        "kingme", "simulate", "--seats", "greedy,random,random", "--games", "60", "--jobs", "1"
    )
    assert found["players"][0]["lower"] > 1 / 3


@pytest.mark.parametrize(
    ("arguments", "named", "mend"),
    [
        (("--seats", "best"), "1 players", "3 to 6"),
        (("--seats", "best,greedy,human"), "'human'", ", ".join(BOTS)),
        (("--seats", "random,random,random", "--games", "0"), "--games 0", "from 1"),
        (("--seats", "random,random,random", "--seed", "-1"), "--seed -1", "18 digits"),
        ((), "--seats", ""),
    ],
)
def test_simulate_refuses(refuse, arguments, named, mend):
    text = refuse("kingme", "simulate", *arguments)
    assert named in text
    assert mend in text


@pytest.mark.parametrize("command", ["infer", "advise", "play", "analyze", "simulate"])
def test_help_has_an_example(run, command):
    assert f"Example: advisor kingme {command}" in run("kingme", command, "-h").stdout


def test_answers_are_one_object_a_line(run, written):
    file, *_ = written(22)
    result = run("kingme", "infer", file, "--me", "1", "--json")
    assert len(result.stdout.splitlines()) == 1
    json.loads(result.stdout)


def test_goals_shown_that_the_cards_do_not_have_are_refused(refuse, written, tmp_path):
    file, game, _ = written(110)
    assert game.gone
    own = tmp_path / "cards.txt"
    own.write_text("\n".join(map(cards.format_goal, cards.every().cards[:18])), encoding="utf-8")
    text = refuse("kingme", "infer", file, "--me", "1", "--goals", str(own))
    assert "not among" in text
    assert "--goals any" in text
