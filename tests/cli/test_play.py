"""`advisor play` by pipe: whole games, undo, resuming, refusals, the coach, leaving."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from advisor.court.play.players import read_seats
from advisor.court.play.record import parse_record
from advisor.court.rules.options import RULE_SETS
from advisor.terminal import NO_BREAK, percent
from tests.typing_players import typed_game

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def play(run, tmp_path):
    """Play by pipe: (lines, arguments) -> (result, record); a new record unless one is resumed."""

    def play(lines, *arguments, code=0):
        where = tmp_path / f"game-{len(list(tmp_path.iterdir()))}.txt"
        if "--resume" in arguments:
            where = Path(arguments[arguments.index("--resume") + 1])
        else:
            arguments = (*arguments, "--record", str(where))
        result = run("play", *arguments, input="".join(f"{line}\n" for line in lines))
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result, where.read_text(encoding="utf-8")

    return play


# ---------------------------------------------------------------- whole games


def test_bots_alone_play_the_game_that_is_on_file(play):
    result, record = play([], "--seats", "greedy,random:Rolf,greedy", "--seed", "11")
    assert record == (GOLDEN / "play-bots.txt").read_text(encoding="utf-8")
    game = parse_record(record, check_dice=True).game
    assert game.is_over
    assert f"{['greedy 1', 'Rolf', 'greedy 3'][game.winner]} has won with" in result.stdout
    assert "advisor analyze" in result.stdout


def test_a_human_plays_the_game_that_is_on_file(play):
    lines = (GOLDEN / "play-human-input.txt").read_text(encoding="utf-8").splitlines()
    result, record = play(lines, "--seats", "human:Anna,greedy", "--seed", "5")
    assert record == (GOLDEN / "play-human.txt").read_text(encoding="utf-8")
    assert "Anna has won with 7x" in result.stdout


@pytest.mark.parametrize(
    ("seats", "rules"),
    [
        ("human", "rulebook"),
        ("human:Anna,best", "rulebook"),
        ("human,human:Bo,random", "rulebook"),
        ("greedy,human", "brettspielwelt"),
    ],
)
def test_what_is_typed_becomes_the_record(play, seats, rules):
    lines, expected = typed_game(read_seats(seats), 5, "greedy", RULE_SETS[rules])
    options = ("--seats", seats, "--seed", "5", "--rules", rules)
    result, record = play(lines, *options)
    assert record == expected
    assert parse_record(record, check_dice=True).is_over
    assert "won with" in result.stdout or "has the King" in result.stdout
    # What is illegal, asked or taken back in between does not change the game.
    noisy = [more for line in lines for more in ("", "xyz", "77", "h", "c", line)]
    quiet = [line for line in noisy if line]
    assert play(quiet, *options)[1] == expected


def test_steps_taken_back_stay_in_the_record(play):
    lines, expected = typed_game(read_seats("human"), 5, "greedy")
    typed, back = [], 0
    for line in lines:
        # A purchase ends the turn; `66r` is two steps.
        number = 0 if line.isalpha() and line != "r" else 1 + bool(re.fullmatch("[1-6]+r", line))
        typed += [line, *["u"] * number, *[line] * bool(number)]
        back += number
    _, record = play(typed, "--seats", "human", "--seed", "5")
    assert record.splitlines().count("undo") >= back > 20
    again = parse_record(record, check_dice=True)
    plain = parse_record(expected)
    assert [entry.text for entry in again.entries] == [entry.text for entry in plain.entries]


def test_undo_ends_with_the_turn(play):
    result, record = play(["55", "u", "u", "55r", "u", "u", "u", "55r", "1", "Fa", "u"],
                          "--seats", "human", "--seed", "5")  # fmt: skip
    assert result.stdout.count("Nothing to take back: your turn has just begun") == 3
    assert "Taken back: aside 55" in result.stdout
    _, first, again, _ = (line for line in record.splitlines() if line.startswith("roll"))
    assert first == again
    assert record.count("undo") == 3


# ---------------------------------------------------------------- resuming


def test_a_game_cut_off_anywhere_goes_on_exactly_there(play, tmp_path):
    seats = "human,random"
    lines, expected = typed_game(read_seats(seats), 8, "greedy")
    head = expected.index("roll")
    whole = parse_record(expected)
    for cut in range(head, len(expected), max(1, len(expected) // 12)):
        where = tmp_path / f"cut-{cut}.txt"
        where.write_text(expected[:cut], encoding="utf-8")
        there = expected[:cut].rpartition("\n")[0].count("\n") + 1
        done = typed_before(whole, there)
        result, record = play(lines_after(lines, done), "--resume", str(where))
        assert record == expected, cut
        assert "Resumed after" in result.stdout or cut <= head + 10


def test_bots_cut_off_between_two_steps_go_on_with_the_second(play, tmp_path):
    expected = (GOLDEN / "play-bots.txt").read_text(encoding="utf-8")
    lines = expected.splitlines()
    between = [
        number for number in range(1, len(lines))
        if lines[number - 1].startswith("aside") and lines[number].startswith(("roll", "use"))
    ]  # fmt: skip
    for number in between[:: max(1, len(between) // 12)]:
        where = tmp_path / f"cut-{number}.txt"
        where.write_text("\n".join(lines[:number]) + "\n", encoding="utf-8")
        assert play([], "--resume", str(where))[1] == expected, number


def typed_before(record, line):
    """Return how many steps of the human stand in the first lines of a record."""
    return [
        entry.moves for entry in record.entries if entry.line <= line and entry.before.seat == 0
    ]


def lines_after(lines, done):
    """Return what is left to be typed: the first lines that were played in full are gone."""
    steps = sum(1 for moves in done if not (len(moves) == 1 and type(moves[0]).__name__ == "Fall"))
    rest = list(lines)
    while steps and rest:
        line = rest.pop(0)
        parts = [line[:-1], "r"] if line.endswith("r") and len(line) > 1 else [line]
        if steps < len(parts):
            rest.insert(0, parts[1])
            break
        steps -= len(parts)
    return rest


def test_killed_at_a_prompt_nothing_is_lost(tmp_path):
    where = tmp_path / "game.txt"
    command = [sys.executable, "-m", "advisor", "play"]
    lines, expected = typed_game(read_seats("human"), 5, "greedy")
    with subprocess.Popen(
        [*command, "--seats", "human", "--seed", "5", "--record", str(where)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8",
    ) as process:  # fmt: skip
        process.stdin.write("".join(f"{line}\n" for line in lines[:2]))
        process.stdin.flush()
        # The second line buys; the next prompt comes when the dice of the next turn have fallen.
        waits(lambda: where.exists() and "roll" in where.read_text().partition("buy")[2])
        process.send_signal(signal.SIGKILL)
    assert expected.startswith(where.read_text())
    done = subprocess.run(
        [*command, "--resume", str(where)], input="\n".join(lines[2:]) + "\n",
        capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert where.read_text() == expected


def test_a_full_disk_is_named_and_the_game_can_go_on(tmp_path):
    where = tmp_path / "game.txt"
    lines, expected = typed_game(read_seats("human"), 5, "greedy")
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200)); "
    limited += "from advisor.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", limited, "play", "--seats", "human", "--seed", "5",
         "--record", str(where)],
        input="\n".join(lines) + "\n", capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 2
    assert f"record {str(where)!r} cannot be written: File too large" in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert f"To go on: advisor play --resume {where}" in done.stdout
    assert where.read_text() == expected[:200]


def test_one_record_is_not_resumed_twice(tmp_path, refuse):
    where = tmp_path / "game.txt"
    with subprocess.Popen(
        [sys.executable, "-m", "advisor", "play", "--seed", "5", "--record", str(where)],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, encoding="utf-8",
    ) as process:  # fmt: skip
        waits(lambda: where.exists() and "roll" in where.read_text())
        assert "is being played already" in refuse("play", "--resume", str(where))
        process.send_signal(signal.SIGKILL)
    assert where.read_text().splitlines()[-1].startswith("roll")


def test_ctrl_c_saves_and_ends_with_1(tmp_path):
    where = tmp_path / "game.txt"
    with subprocess.Popen(
        [sys.executable, "-m", "advisor", "play", "--seed", "5", "--record", str(where)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
    ) as process:  # fmt: skip
        waits(lambda: where.exists() and "roll" in where.read_text())
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"To go on: advisor play --resume {where}" in out
    assert err == ""


def waits(true):
    for _ in range(1200):
        if true():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within a minute")


@pytest.mark.parametrize("lines", [[], ["q"], ["66", "quit"]])
def test_leaving_says_how_to_go_on(play, lines):
    result, record = play(lines, "--seed", "7", "--coach", "--threshold", "0.2")
    assert "To go on: advisor play --resume " in result.stdout
    assert result.stdout.rstrip().endswith("--coach --threshold 0.2")
    assert record.splitlines()[2:5] == ["seat human", "seat best", "seed 7"]


def test_a_finished_game_resumed_says_who_has_won(play, tmp_path):
    where = tmp_path / "over.txt"
    where.write_bytes((GOLDEN / "play-bots.txt").read_bytes())
    result, record = play([], "--resume", str(where))
    assert "has won with" in result.stdout
    assert record == (GOLDEN / "play-bots.txt").read_text(encoding="utf-8")


def test_the_default_record_lies_in_the_data_folder(run, tmp_path):
    for number in (1, 2):
        result = run("play", "--seats", "human", "--seed", "3", input="")
        assert result.exit_code == 0
        games = sorted((tmp_path / "data" / "games").iterdir())
        assert len(games) == number
    assert [name.name[10:] for name in games] == ["-seed3-2.txt", "-seed3.txt"]
    drawn = run("play", "--seats", "human", input="").stdout.partition("seed ")[2].split()[0]
    assert any(name.name.endswith(f"-seed{drawn}.txt") for name in games[0].parent.iterdir())


# ---------------------------------------------------------------- a single turn


def test_a_single_turn(play):
    result, record = play(["66r", "a", "u", "a", "n"], "--turn", "/566:-", "--seed", "4")
    assert "The turn is over" in result.stdout
    assert record.splitlines()[:4] == ["court-record 1", "rules rulebook", "turn /566:-", "seed 4"]
    assert record.splitlines()[-1] == "buy nothing"
    assert parse_record(record, check_dice=True).is_over


def test_a_turn_of_the_queens_owner_is_advised_card_by_card(play):
    result, _ = play(["?", "66r", "a", "?"], "--turn", "/566:Qu-", "--seed", "4", "--coach")
    assert "Laborer" in result.stdout
    assert "no race for the King" in result.stdout
    assert "loses" not in result.stdout


def test_only_what_can_be_analysed_is_offered_for_it(play, run):
    for position, offered in (("/566:Qu-", False), ("/566:-", True)):
        result, _ = play(["a", "n"], "--turn", position, "--seed", "4")
        assert "The turn is over" in result.stdout
        look = [line for line in result.stdout.splitlines() if "advisor analyze" in line]
        assert bool(look) == offered
        for line in look:
            assert run(*shlex.split(line.partition(": advisor ")[2])).exit_code == 0


# ---------------------------------------------------------------- what is typed wrongly


def test_illegal_input_at_every_kind_of_prompt(play):
    position = ("--turn", "2/56:As,Hu-", "--seed", "4")
    wrong = [
        ("", "Enter alone does nothing here"),
        ("x" * 100_000, "has 100000 letters"),
        ("3", "no active die shows it"),
        ("r", "set one of 5 6 aside first"),
        ("56r", "none is left to roll"),
        ("9", "no die value"),
        ("Kn", "not among the unused cards"),
        ("p", "only the roll of the final round"),
        ("hunter 4", "it cannot do that here; it can: 3"),
        ("qwertz", "is no card"),
        ("\x1b[31m\x00é☃", "is no card"),
        ("buy farmer", "dice are still in play"),
        ("use", "names no card"),
        ("As\nAs", "Astronomer can: 5>2"),
    ]
    for text, why in wrong:
        result, record = play([text], *position)
        assert why.casefold() in " ".join(result.stdout.split()).casefold(), (text, result.stdout)
        assert record.count("\n") == 4
    # Which effect?
    result, record = play(["As", "7", "xyz", "2>5", "6", "a"], *position)
    assert result.stdout.count("effect, as shown in front, or Enter to go back") == 4
    assert "use astronomer turn a 6 into a 2" in record
    # Dice before the card stay in front of the effect.
    result, record = play(["5 As", "2", "5", "y"], "--turn", "2/556:As,Fa-", "--seed", "4")
    assert record.splitlines()[-2:] == ["aside 5", "use astronomer turn a 5 into a 2"]
    # The purchase.
    result, record = play(["a", "9", "66r", "king", "farmer farmer", ""], *position)
    shown = " ".join(result.stdout.split())
    for why in ("'9' is no number of the list", "'66r' is no card", "the King costs"):
        assert why.casefold() in shown.casefold()
    assert record.endswith("buy nothing\n")


def test_before_the_first_roll_and_in_the_final_round(play):
    options = ("--rules", "brettspielwelt", "--turn", "/3d:La-", "--seed", "4")
    result, record = play(["5", "x", "La", "r", "u", "u", "r"], *options)
    assert "r to roll, a card to use; ? advice" in result.stdout
    assert record.count("use laborer bring in a die") == 1
    assert "Taken back: use laborer bring in a die" in result.stdout


def test_the_final_round(play, tmp_path):
    _, record = play([], "--seats", "greedy,greedy", "--seed", "2")
    over = parse_record(record)
    first = next(entry.line for entry in over.entries if entry.before.final)
    where = tmp_path / "final.txt"
    where.write_text("\n".join(record.splitlines()[: first - 1]).replace("greedy", "human") + "\n")
    result, after = play(["66", "n", "?", "c", "why", "p"], "--resume", str(where))
    assert "or more takes it over" in result.stdout
    assert "r to roll (or Enter), p to give up the roll; ? advice" in result.stdout
    assert "cannot be done before the dice are rolled" in result.stdout
    assert "If you roll: " in result.stdout
    assert "There is nothing to explain here" in result.stdout
    assert after.splitlines()[first - 1] == "pass"
    where.write_text("\n".join(record.splitlines()[: first - 1]).replace("greedy", "human") + "\n")
    result, after = play(["", "?", "why", "??"], "--resume", str(where), "--coach")
    assert after.splitlines()[first - 1].startswith("roll")
    assert "chance to win, exact for best play of everybody" in result.stdout


# ---------------------------------------------------------------- advice and coach


def test_advice_is_that_of_keep_and_buy(play, ask):
    result, _ = play(["?", "why", "55", "r", "1", "?", "why"], "--seats", "human", "--seed", "5")
    kept = ask("keep", "/155:-")
    rows = [
        line.split("  ")[1].strip()
        for line in result.stdout.splitlines()
        if re.match("[0-9]  ", line)
    ]
    assert rows[:2] == [option["text"] for option in kept["options"][:2]]
    assert f"{kept['options'][0]['text']} beats {kept['options'][1]['text']}" in result.stdout
    assert "buy the Farmer" in result.stdout
    # What follows the best purchase is what the next turn buys with it.
    assert "Why: buy the Farmer beats buy the Serving Maid" in result.stdout
    shares = {row["card"]: row["probability"] for row in ask("keep", "/4d:Fa-")["buys"]}
    assert f"Laborer: {percent(shares['laborer'])} against" in result.stdout.replace(NO_BREAK, " ")
    assert "4 dice and no card against 3 dice and Serving Maid\n" in result.stdout


def test_what_is_gone_cannot_be_bought(play, ask, tmp_path):
    where = tmp_path / "game.txt"
    where.write_text(
        "court-record 1\nseat random\nseat human\nseed 5\nroll 155\naside 155\nbuy farmer\n"
    )
    play(["q"], "--resume", str(where))
    from advisor.court.coach.coach import supply_of
    from advisor.court.play.record import parse_record

    game = parse_record(where.read_text()).game
    assert "farmer" in supply_of(game).cards
    three = parse_record(
        "court-record 1\nseat human\nseat human\nseed 5\nroll 155\naside 155\nbuy farmer\n"
        "roll 115\naside 115\nbuy farmer\nroll 1111\naside 1111\nbuy hunter\n"
    ).game
    gone = ask("keep", "/4d:Fa-", "--players", "2", "--gone", "farmer,hunter", "--budget", "0.1")
    assert sorted(supply_of(three).cards) == sorted(gone["supply"])


def test_whether_to_take_the_king_is_asked_elsewhere(play, run, tmp_path):
    where = tmp_path / "game.txt"
    _, record = typed_game(read_seats("human,greedy"), 5)
    over = parse_record(record)
    king = next(entry for entry in over.entries if entry.text == "buy king")
    if king.before.seat:
        record = record.replace("seat human\nseat greedy", "seat greedy\nseat human")
    where.write_text("\n".join(record.splitlines()[: king.line - 1]) + "\n")
    result, _ = play(["?", "why", "n"], "--resume", str(where), "--coach")
    assert "against: buy the King" in result.stdout
    assert "There is nothing to explain here" in result.stdout
    command = next(line for line in result.stdout.splitlines() if line.startswith("Now or later: "))
    answer = run(*shlex.split(command)[4:])
    assert answer.exit_code == 0
    assert "taking the King now wins" in answer.stdout


def test_a_king_out_of_reach(play, tmp_path):
    _, record = play([], "--seats", "greedy,random", "--seed", "2")
    over = parse_record(record)
    first = next(entry for entry in over.entries if entry.before.final)
    assert first.text == "pass"
    where = tmp_path / "game.txt"
    lines = record.replace("random", "human").splitlines()[: first.line - 1]
    where.write_text("\n".join(lines) + "\n")
    result, after = play(["?", "r", "1", "?", "a"], "--resume", str(where), "--coach")
    assert "Your dice cannot do that: p gives up the roll" in result.stdout
    assert "If you roll: 0.00 %" in result.stdout
    assert "is not enough" in result.stdout or not parse_record(after).is_over


def test_the_coach_warns_and_lets_think_again(play):
    # 4 5 6 pay for the Laborer: rolling two of them again loses 0.18 turns.
    options = ("--seats", "human", "--seed", "7", "--coach")
    result, record = play(["6r", "", "6r", "456", "n"], *options)
    assert (
        result.stdout.count("That loses about 0.18 turns against: set aside 4 5 6, end the turn")
        == 2
    )
    assert "aside 456" in record
    assert "against: buy the Laborer" in result.stdout
    assert "buy" not in record
    result, record = play(["6r", "y"], *options)
    assert record.splitlines()[5:6] == ["aside 6"]
    result, record = play(["6r"], *options, "--threshold", "0.2")
    assert "loses" not in result.stdout
    for sure in ("y", "n"):
        result, record = play(["456", "n", sure], *options)
        assert "buy nothing" in record
    assert "y or n again to go on" in result.stdout
    result, record = play(["456", "n", "", "no"], *options)
    assert "buy" not in record
    result, record = play(["6r", "6r"], *options)
    assert record.splitlines()[5:6] == ["aside 6"]


def test_the_coach_and_the_same_input_give_the_same_record(play):
    lines, expected = typed_game(read_seats("human,greedy"), 5, "greedy")
    sure = [more for line in lines for more in (line, "y")]
    records = {
        play(sure, "--seats", "human,greedy", "--seed", "5", "--coach", "--threshold", "0")[1]
        for _ in range(2)
    }
    assert records == {expected}


# ---------------------------------------------------------------- refusals and looks


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--seats", "human,robot"), "'robot' is no player: choose from human, best"),
        (("--seats", ""), "'' is no player"),
        (("--seats", "best,best,best,best,best,best"), "6 players; the game is for 1 to 5"),
        (("--seats", "human:a#b"), "no '#'"),
        (("--seed", "-1"), "--seed -1"),
        (("--seed", "1" * 19), "at most 18 digits"),
        (("--turn", "/3d:-", "--seats", "human"), "--seats and --turn"),
        (("--turn", "1/2:-"), "has 2 dice"),
        (("--resume", "nowhere.txt"), "cannot be read"),
        (("--resume", "nowhere.txt", "--seed", "3"), "--seed and --resume"),
        (("--record", "/nowhere/at/all.txt"), "cannot be written"),
        (("--coach", "--threshold", "-1"), "--threshold -1"),
        (("--budget", "0"), "--budget 0"),
    ],
)
def test_what_is_refused(refuse, arguments, why):
    assert why in refuse("play", *arguments)


def test_a_record_is_not_written_over(refuse, run, tmp_path):
    where = tmp_path / "game.txt"
    run("play", "--record", str(where), input="")
    assert "is there already" in refuse("play", "--record", str(where))


def test_a_record_without_a_seed_cannot_be_gone_on_with(run, tmp_path):
    where = tmp_path / "game.txt"
    where.write_text("court-record 1\nseat human\n")
    result = run("play", "--resume", str(where), input="")
    assert result.exit_code == 2
    assert "add a line 'seed NUMBER'" in result.stderr


def test_narrow_terminals_and_colour(play, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    lines = ["h", "c", "?", "why", "55r", "1", "1"]
    result, _ = play(lines, "--seats", "human", "--seed", "5", "--lang", "de")
    long = [line for line in result.stdout.splitlines() if len(line) > 40]
    assert all("advisor" in line or "Record: " in line for line in long), long
    assert "\x1b" not in result.stdout
    assert "Bauer" in result.stdout


def test_help_needs_no_kernel():
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "advisor", "play", "--help"],
        capture_output=True, encoding="utf-8", env={**os.environ},
    )  # fmt: skip
    assert done.returncode == 0
    assert "numpy" not in done.stderr
