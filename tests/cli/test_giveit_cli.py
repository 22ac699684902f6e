"""`advisor giveit ...` as a user meets it."""

import json

import pytest

from advisor.giveit.rules import box

START = ("17,18,19,20", "--turn", "4")
NEAR = ("6,3,9,8", "--turn", "1")
BOX = """
invented = false
length = 12
starts = [9, 10, 11, 12]
[messages]
add1 = { copies = 10, gold = 4 }
stop = { copies = 10, gold = 1 }
"""


def test_help_names_the_commands_with_examples(run):
    assert "Give It to the King!:" in run("-h").stdout
    assert "precompute" in run("giveit").stdout
    for command in ("odds", "move", "reveal", "play", "simulate", "precompute"):
        assert f"Example: advisor giveit {command}" in run("giveit", command, "-h").stdout


def test_odds(ask):
    found = ask("giveit", "odds", *NEAR)
    assert (found["players"], found["distances"], found["turn"]) == (4, [6, 3, 9, 8], 1)
    assert found["unit"] == "probability"
    assert sum(found["values"]) == pytest.approx(1)
    mean = [sum(roll["values"][seat] for roll in found["rolls"]) / 6 for seat in range(4)]
    assert found["values"] == pytest.approx(mean, abs=1e-12)
    assert [roll["roll"] for roll in found["rolls"]] == [1, 2, 3, 4, 5, 6]
    six = found["rolls"][5]["moves"]
    assert six[0] == {
        "messenger": 1, "to": 0, "values": [1.0, 0.0, 0.0, 0.0], "value": 1.0, "loss": 0.0,
    }  # fmt: skip
    assert any(
        not roll["moves"] for roll in ask("giveit", "odds", "3,9,12,15", "--turn", "2")["rolls"]
    )


def test_an_audience_has_no_rolls(ask):
    found = ask("giveit", "odds", "6,1,9,8", "--turn", "2")
    assert (found["values"], found["rolls"]) == ([0, 1, 0, 0], [])
    gold = ask("giveit", "odds", "6,1,9,8", "--turn", "2", "--deliver", "4,3,2,1", "--captain", "1")
    assert (gold["values"], gold["unit"]) == ([0, 3, 0, 0], "gold")


def test_move(ask, run):
    found = ask("giveit", "move", *NEAR, "--roll", "4")
    losses = [option["loss"] for option in found["options"]]
    assert losses == sorted(losses)
    assert losses[0] == 0
    assert found["options"][0]["value"] == max(option["value"] for option in found["options"])
    text = run("giveit", "move", "3,9,12,15", "--turn", "2", "--roll", "3").stdout
    assert "nobody can move" in text
    assert "exact for a day without messages" in text


def test_purses_that_never_run_out_give_the_same_gold(ask):
    more = (*NEAR, "--deliver", "5,4,3,2", "--captain", "2")
    fixed = ask("giveit", "odds", *more)
    purses = ask("giveit", "odds", *more, "--purses", "5,60,5,5")
    assert purses["purses"] == [5, 60, 5, 5]
    # The captain pays for some 35 passes before anything differs.
    assert fixed["values"] == pytest.approx(purses["values"], abs=1e-9)
    poor = ask("giveit", "odds", *more, "--purses", "1,1,1,1")
    assert poor["values"] != pytest.approx(fixed["values"], abs=1e-3)


def test_batch(run):
    lines = "6,3,9,8 1  # odds\n3,3,9,8 1\n\n6,3,9,8 1 4\n6,3,9,8 7\n"
    result = run("giveit", "move", "-", "--json", input=lines)
    assert result.exit_code == 2
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    kinds = [answer.get("command", answer.get("line")) for answer in answers]
    assert kinds == ["giveit odds", 2, "giveit move", 5]


def test_tables(ask, run, tmp_path):
    made = ask("giveit", "precompute", "--players", "4", "--length", "10")
    assert made["tables"] == [{"players": 4, "length": 10, "positions": 5040, "state": "made"}]
    again = ask("giveit", "precompute", "--players", "4", "--length", "10", "--status")
    assert again["tables"][0]["state"] == "there"
    solved = ask("giveit", "odds", *NEAR, "--tables", str(tmp_path / "none"))
    found = ask("giveit", "odds", *NEAR)
    assert (solved["source"], found["source"][:5]) == ("solved now", "table")
    assert found["values"] == pytest.approx(solved["values"], abs=1e-12)
    (file,) = (tmp_path / "tables").glob("*.table")
    file.write_bytes(file.read_bytes()[:-5] + b"12345")
    result = run("giveit", "odds", *NEAR)
    assert "'advisor giveit precompute' makes it anew" in result.stderr
    assert "solved now" in result.stdout
    assert (
        ask("giveit", "precompute", "--players", "4", "--length", "10")["tables"][0]["state"]
        == "made"
    )


def test_reveal(ask, run):
    hands = ("--hand", "2:add1,keep", "--hand", "3:stop")
    found = ask("giveit", "reveal", *NEAR, "--roll", "4", *hands, "--seat", "2")
    assert found["hands"] == [[], ["add1", "keep"], ["stop"], []]
    assert sum(found["values"]) == pytest.approx(1)
    assert {each["message"] for each in found["messages"]} == {"add1", "keep"}
    assert found["residual"] <= 1e-12
    assert "invented" in found["model"]
    for each in found["announced"]:
        assert {option["kind"] for option in each["options"]} == {"reveal", "quiet"}
    active = ask("giveit", "reveal", *NEAR, "--roll", "4", "--hand", "1:add2")
    assert {option["kind"] for option in active["options"]} == {"reveal", "move"}
    assert "reveal add2" in run("giveit", "reveal", *NEAR, "--roll", "4", "--hand", "1:add2").stdout
    none = ask("giveit", "reveal", *NEAR, "--roll", "4")
    plain = ask("giveit", "move", *NEAR, "--roll", "4")
    assert none["values"] == pytest.approx(plain["values"], abs=1e-12)


def test_a_box_of_ones_own(ask, refuse, tmp_path):
    file = tmp_path / "box.toml"
    file.write_text(BOX, encoding="utf-8")
    more = (*NEAR, "--roll", "4", "--box", str(file))
    found = ask("giveit", "reveal", *more, "--hand", "1:add1")
    assert found["box"] == {"source": "box.toml", "invented": False}
    assert "invented" not in found["model"]
    assert found["messages"][0]["gold"] == 4
    assert "no such message" in refuse("giveit", "reveal", *more, "--hand", "1:keep")
    for old, new, message in (
        ("copies = 10, gold = 1", "copies = 9, gold = 1", "19 copies, but there are 20"),
        ("length = 12", "length = 11", "a start is 12"),
        ("[9, 10, 11, 12]", "[9, 9, 11, 12]", "cannot share"),
        ("add1", "add0", "no message"),
        ("invented = false", "invented = 3", "true or false"),
        ("length = 12", "", "length is missing"),
    ):
        file.write_text(BOX.replace(old, new), encoding="utf-8")
        assert message in refuse("giveit", "reveal", *more)


def test_the_default_box_is_invented_and_complete():
    found = box.default()
    assert found.invented
    assert (found.length, found.starts, len(found.messages)) == (24, (21, 22, 23, 24), 20)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("odds", "3,3,4,5", "--turn", "1"), "two messengers stand on space 3"),
        (("odds", "0,3,4,5", "--turn", "1"), "distance 0"),
        (("odds", "1,-3,4,5", "--turn", "1"), "distance -3"),
        (("odds", "1,3,4", "--turn", "1"), "four distances"),
        (("odds", "a,3,4,5", "--turn", "1"), "four distances"),
        (("odds", "2,3,4,5"), "--turn SEAT"),
        (("odds", "2,3,4,5", "--turn", "5"), "seats are 1 to 4"),
        (("odds", "2,3,4,5", "--turn", "0"), "seats are 1 to 4"),
        (("odds", "2,3,4,5", "--turn", "3", "--players", "2"), "messenger 3 is a trainee"),
        (("odds", "2,3,4,5", "--turn", "1", "--players", "5"), "2<=x<=4"),
        (("odds", "2,3,4,5", "--turn", "1", "--captain", "1"), "add --deliver"),
        (("odds", "2,3,4,5", "--turn", "1", "--deliver", "1,1,1,1"), "--captain SEAT"),
        (("odds", "2,3,4,5", "--turn", "1", "--deliver", "1,1"), "4 amounts"),
        (("move", "2,3,4,5", "--turn", "1", "--roll", "7"), "1 to 6"),
        (("move", "2,3,4,5", "--turn", "1"), "Add --roll"),
        (("move", "1,3,4,5", "--turn", "1", "--roll", "2"), "without rolling"),
        (("reveal", "2,3,4,5", "--turn", "1"), "Add --roll"),
        (("reveal", "1,3,4,5", "--turn", "1", "--roll", "2"), "without rolling"),
        (("reveal", "2,3,4,5", "--turn", "1", "--roll", "2", "--hand", "keep"), "2:add1,keep"),
        (("reveal", "2,3,4,5", "--turn", "1", "--roll", "2", "--hand", "5:keep"), "1 to 4"),
        (("reveal", "2,3,4,5", "--turn", "1", "--roll", "2", "--hand", "1:add7"), "no such"),
        (
            ("reveal", "2,3,4,5", "--turn", "1", "--roll", "2", "--hand", "1:add3,add3,add3"),
            "the box has 2",
        ),
        (
            ("reveal", "2,3,4,5", "--turn", "1", "--roll", "2", "--hand", "1:keep,keep,stop,stop",
             "--hand", "2:add1,add2,add3"),
            "at most 6",
        ),
        (("precompute", "--length", "9"), "10 to 60"),
        (("simulate", "--seats", "best"), "2 to 4"),
        (("simulate", "--seats", "best,worst"), "no bot"),
        (("simulate", "--seats", "first,first", "--games", "0"), "from 1"),
        (("play", "--seats", "human"), "2 to 4"),
        (("play", "--seats", "human,nobody"), "no player"),
    ],
)  # fmt: skip
def test_bad_input(refuse, arguments, message):
    assert message in refuse("giveit", *arguments)


def test_what_needs_too_much_memory_is_refused_with_the_estimate(refuse):
    more = ("--deliver", "4,4,4,4", "--captain", "4", "--purses", "5,5,5,5", "--memory", "1G")
    assert "GiB" in refuse("giveit", "odds", *START, *more, code=1)
    assert "MiB" in refuse(
        "giveit", "reveal", *START, "--roll", "3", "--hand", "1:keep,stop", "--memory", "9M", code=1
    )


def test_simulate(ask, run):
    found = ask(
        "giveit", "simulate", "--seats", "first,random,random", "--games", "6", "--jobs", "1"
    )
    assert found["games"] == 6
    assert sum(each["won"] for each in found["players"]) == pytest.approx(6)
    assert all(each["lower"] <= each["win"] <= each["upper"] for each in found["players"])
    assert "invented" in found["model"]
    assert (
        "95 % interval"
        in run(
            "giveit", "simulate", "--seats", "first,random", "--games", "2", "--jobs", "1"
        ).stdout
    )


@pytest.fixture
def small_box(tmp_path):
    file = tmp_path / "box.toml"
    file.write_text(BOX, encoding="utf-8")
    return str(file)


def test_bots_with_tables_play(ask, small_box):
    found = ask(
        "giveit", "simulate", "--seats", "best,exact", "--games", "4", "--jobs", "1",
        "--box", small_box,
    )  # fmt: skip
    assert found["games"] == 4
    assert found["players"][0]["reveals"] > 0
    assert found["players"][1]["reveals"] == 0


def test_play_with_typed_dice(run, small_box):
    typed = "?\n9\n3\n?\nx\nq\n"
    result = run(
        "giveit", "play", "--seats", "human:Anna,first", "--seed", "3", "--dice", "typed",
        "--box", small_box, input=typed,
    )  # fmt: skip
    assert result.exit_code == 0
    assert "Day 1" in result.stdout
    assert "what does the die show?" in result.stdout
    assert "'9' is no roll" in result.stdout
    assert " rolls 3" in result.stdout
    assert "the bot best would" in result.stdout
    assert "'x' is not possible" in result.stdout


def test_a_game_is_played_to_its_end(run, small_box):
    # Enter where nothing need be revealed, else any messenger: what is not possible is asked again.
    typed = "\n1\n2\n3\n4\n" * 300
    result = run(
        "giveit", "play", "--seats", "human:Anna,best,first", "--seed", "1", "--box", small_box,
        input=typed,
    )  # fmt: skip
    assert result.exit_code == 0
    assert "Day 5" in result.stdout
    assert "The game is over. Won: " in result.stdout
