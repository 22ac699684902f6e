"""`advisor knights ...` as a user meets it."""

import json

import pytest
from click.testing import CliRunner

from advisor.cli import main

POSITION = """
[[players]]
name = "Alice"
cards = ["red 3332", "blue 3334", "green 2223", "die3 4441"]
[[players]]
name = "Boris"
cards = ["violet 3331", "white 4442", "pile 3334", "tournament"]
[[players]]
name = "Christina"
cards = ["black 2225", "die5", "castle-guard 3332"]
[[decks]]
top = "die1 2223"
[[decks]]
top = "tournament"
"""


def run(*arguments, code=0, stdin=None):
    result = CliRunner().invoke(main, ["knights", *arguments], input=stdin)
    assert result.exit_code == code, result.output
    return result


def answer(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


@pytest.fixture
def position(tmp_path):
    file = tmp_path / "position.toml"
    file.write_text(POSITION, encoding="utf-8")
    return str(file)


def test_help_names_the_commands_with_examples():
    assert "Knights:" in CliRunner().invoke(main, ["-h"]).stdout
    assert "tournament" in run().stdout
    for command in ("keep", "odds", "tournament", "target"):
        assert f"Example: advisor knights {command}" in run(command, "-h").stdout


def test_a_misspelt_command():
    assert "did you mean 'keep'" in run("kep", code=2).stderr


def test_keep():
    found = answer("keep", "552366", "--card", "3332", "--throws-left", "2")
    assert found["command"] == "knights keep"
    assert found["value"] == pytest.approx(0.4783950617)
    best = found["options"][0]
    assert (best["keep"], best["rank"], best["loss"]) == ("55", 1, 0.0)
    assert best["value"] == found["value"]
    assert set(best) >= {"keep", "value", "loss", "rank"}
    assert found == answer("keep", "6,6,5,5,3,2", "--card", "3332")


def test_keep_when_attacking():
    found = answer("keep", "444336", "--card", "4442", "--attack")
    assert found["options"][0]["keep"] == "3444"
    assert found["value"] == pytest.approx(0.6023985317)
    defended = answer("keep", "444336", "--card", "4442", "--attack", "--defender-die", "3")
    assert defended["value"] < found["value"]
    assert defended["defender_die_cards"] == [3]


def test_keep_for_the_throne_is_keep_against_5551():
    throne, card = (
        answer("keep", "552366", "--die", "5", *aim) for aim in (["--throne"], ["--card", "5551"])
    )
    assert throne["throne"]
    assert throne["options"] == card["options"]


def test_keep_with_locked_dice():
    found = answer(
        "keep", "225543", "--card", "3332", "--kept-locked", "--kept", "22", "--throws-left", "1"
    )
    assert all(option["keep"].startswith("22") for option in found["options"])
    assert found["rules"] == {"kept_locked": True, "kickers": "one"}


def test_keep_as_a_table():
    text = run("keep", "552366", "--card", "3332").stdout
    assert "235566   against 3332   2 throws left   47.84 %" in text
    assert "keep 5 5, throw 2" in text
    assert "exact for best play to beat 3332" in text
    assert "--all shows them" in text
    assert "--all shows them" not in run("keep", "552366", "--card", "3332", "--all").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["5523661", "--card", "3332"], "7 dice"),
        (["552369", "--card", "3332"], "'9'"),
        (["552366", "--card", "6662"], "1 to 5"),
        (["552366", "--card", "3336"], "1 to 5"),
        (["552366", "--card", "333"], "no card"),
        (["552366"], "--card 3332, or --throne"),
        (["552366", "--card", "3332", "--throne"], "two aims"),
        (["552366", "--card", "3332", "--die", "3,3"], "write 3 once"),
        (["552366", "--card", "3332", "--die", "6"], "1 to 5"),
        (["552366", "--card", "3332", "--defender-die", "3"], "add --attack"),
        (["552366", "--throne", "--attack"], "nobody defends"),
        (["552366", "--card", "3332", "--throws-left", "4"], "0 to 3"),
        (["552366", "--card", "3332", "--kept", "55"], "--kept-locked"),
        (["552366", "--card", "3332", "--kept-locked", "--kept", "66"], "6 is out"),
    ],
)
def test_keep_refuses(arguments, message):
    result = run("keep", *arguments, code=2)
    assert message in result.stderr
    assert result.stderr.startswith("Error: ")
    assert not result.stdout


def test_odds():
    found = answer("odds", "--card", "3332", "--throws", "3", "--die", "5")
    assert found["rows"] == [
        {"card": "3332", "throws": 3, "die_cards": [5], "p": pytest.approx(0.79, abs=0.01)}
    ]
    assert len(answer("odds")["rows"]) == 80
    attacked = answer("odds", "--card", "3332", "--throws", "3", "--attack")
    assert attacked["rows"][0]["p"] == pytest.approx(0.408561157398)


def test_odds_as_table_and_picture(tmp_path):
    pytest.importorskip("matplotlib")
    for name in ("odds.png", "odds.svg"):
        result = run("odds", "--plot", str(tmp_path / name))
        assert (tmp_path / name).stat().st_size > 1000
        assert "drawn into" in result.stderr
        assert "4 throws" in result.stdout
    assert "must end in" in run("odds", "--plot", str(tmp_path / "odds.gif"), code=2).stderr


def test_tournament():
    found = answer("tournament", "--players", "3")
    assert [player["seat"] for player in found["players"]] == [1, 2, 3]
    assert [player["win"] for player in found["players"]] == pytest.approx(
        [0.384504264472, 0.30193790173, 0.313557833798]
    )
    hands = answer("tournament", "--player", "3,5", "--player", "-", "--champion", "2")
    assert hands["players"][0]["die_cards"] == [3, 5]
    assert hands["players"][1]["throws"] == 4
    assert "seat" in run("tournament", "--players", "2").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--players N"),
        (["--players", "3", "--player", "-"], "either"),
        (["--players", "7"], "2<=x<=6"),
        (["--players", "1"], "2<=x<=6"),
        (["--players", "0"], "2<=x<=6"),
        (["--players", "-3"], "2<=x<=6"),
        (["--players", "9" * 30], "2<=x<=6"),
        (["--player", "3"], "given 1 time: a tournament has 2 to 6"),
        (["--player", "3", "--champion", "2"], "given 1 time"),
        (["--player", "3"] * 7, "given 7 times"),
        (["--player", "3", "--player", "4,4"], "write 4 once"),
        (["--players", "3", "--champion", "4"], "seats are 1 to 3"),
    ],
)
def test_tournament_refuses(arguments, message):
    assert message in run("tournament", *arguments, code=2).stderr


def test_target(position):
    found = answer("target", position, "--attempts", "2")
    options = found["options"]
    assert [option["rank"] for option in options] == list(range(1, len(options) + 1))
    assert [option["win"] for option in options] == sorted(
        (option["win"] for option in options), reverse=True
    )
    assert all(0 <= option["win"] <= option["win_at_most"] <= 1 for option in options)
    throne = next(option for option in options if option["kind"] == "throne")
    assert throne["success"] == pytest.approx(throne["win"])
    assert throne["risk"] == pytest.approx(1 - throne["win"])
    assert found["components"]["invented"]
    assert "invented" in found["model"]
    assert found["why"]
    assert found["simulation"] is None
    assert {option["kind"] for option in options} == {
        "deck",
        "tournament",
        "castle",
        "special",
        "throne",
        "change",
    }


def test_target_as_a_table(position):
    text = run("target", position, "--attempts", "1").stdout
    assert "Alice to choose a target" in text
    assert "the throne (5551)" in text
    assert "invented" in text


def test_one_target_and_rollouts(position):
    found = answer(
        "target",
        position,
        "--target",
        "boris: violet 3331",
        "--attempts",
        "1",
        "--rollouts",
        "20",
        "--jobs",
        "1",
        "--seed",
        "4",
    )
    (option,) = found["options"]
    estimate = option["rollouts"]
    assert estimate["games"] == 20
    assert 0 <= estimate["low"] <= estimate["win"] <= estimate["high"] <= 1
    assert "seed 4" in found["simulation"]
    assert "invented" in found["simulation"]


def test_one_target_keeps_the_reasons_of_all(position):
    simulated = ("--rollouts", "10", "--jobs", "1")
    for more in ((), simulated):
        asked = ("target", position, "--attempts", "1", *more)
        every, one = answer(*asked), answer(*asked, "--target", "Boris: violet 3331")
        assert one["options"] == [each for each in every["options"] if each in one["options"]]
        assert {**one, "options": None} == {**every, "options": None}


def test_the_simulation_names_what_is_approximate(tmp_path, position):
    asked = ("--attempts", "1", "--rollouts", "1", "--jobs", "1")
    approximate = "three and more players later throwers are modelled approximately"
    assert approximate in answer("target", position, *asked)["simulation"]
    two = tmp_path / "two.toml"
    christina = POSITION[
        POSITION.index('[[players]]\nname = "Christina"') : POSITION.index("[[decks")
    ]
    two.write_text(POSITION.replace(christina, ""), encoding="utf-8")
    assert approximate not in answer("target", str(two), *asked)["simulation"]


def test_a_position_on_standard_input():
    result = run("target", "-", "--attempts", "1", "--json", stdin=POSITION)
    assert json.loads(result.stdout)["player"] == "Alice"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--target", "Christina: black 2225"], "only castle"),
        (["--target", "deck 5"], "no target"),
        (["--components", "nowhere.toml"], "cannot be read"),
        (["--attempts", "9"], "attempts"),
        (["--rollouts", "0"], "1<=x<=1000000"),
        (["--rollouts", "1000001"], "1<=x<=1000000"),
    ],
)
def test_target_refuses(position, arguments, message):
    assert message in run("target", position, *arguments, code=2).stderr


def test_a_position_that_is_not_there():
    assert "cannot be read" in run("target", "nowhere.toml", code=2).stderr


DEEP = b"a=" + 5000 * b"["


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEEP, "nested too deeply"),
        (b"components" + 5000 * b".a" + b" = 1", "nested too deeply"),
        (b"changed = " + 5000 * b"1", "4300 digits"),
        (b"changed = 0x" + 5000 * b"f", "4300 digits"),
        (b'components = "\\u0000"', "null byte"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_odd_texts_are_refused_as_files_and_on_standard_input(tmp_path, text, message):
    file = tmp_path / "odd.toml"
    file.write_bytes(text)
    for arguments, stdin in ((str(file), None), ("-", text)):
        error = run("target", arguments, code=2, stdin=stdin).stderr
        assert error.startswith("Error: ")
        assert message in error
        assert error.count("\n") <= 2


def test_an_odd_card_list_is_refused(position, tmp_path):
    file = tmp_path / "cards.toml"
    file.write_bytes(DEEP)
    assert "nested too deeply" in run("target", position, "--components", str(file), code=2).stderr


def test_a_turn_with_too_many_ways_is_looked_ahead_less_far(tmp_path, monkeypatch):
    monkeypatch.setattr("advisor.knights.turn.outlook.MOST_NODES", 200)
    file = tmp_path / "position.toml"
    file.write_text(POSITION.replace('top = "tournament"', 'top = "tournament"\nsize = 3'))
    assert answer("target", str(file))["attempts"] < 3
    assert "--attempts 2" in run("target", str(file), "--attempts", "3", code=1).stderr
