"""`advisor final` and `advisor claim` as a user meets them."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.court.final.claim import display_of
from advisor.court.final.solve import FinalRound
from advisor.court.rules.cards import KING, QUEEN, in_order, pays
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import RULEBOOK, bought
from advisor.court.rules.seats import KING_DICE, Claim, seats
from advisor.court.rules.supply import purchasable
from advisor.court.turn.advice import Adviser
from advisor.court.turn.goals import parse_goal
from advisor.dice import rank_number

FIRST, SECOND = "farmer,guard,knight,bishop,general", "farmer,astronomer,knight,general"
TWO = ("--player", FIRST, "--player", SECOND)
MIDDLE = "5/555556:Fa,Gu,Kn,Ge-Bi"


@pytest.fixture
def go(run):
    """Run a command that answers and return what it printed; other exit codes by `code`."""

    def go(*arguments, code=0):
        result = run(*arguments)
        assert result.exit_code == code, result.output
        return result

    return go


def wins(answer):
    return [row["win"] for row in answer["players"]]


# ---------------------------------------------------------------- final


def test_table_and_json(go, ask):
    text = go("final", "--best", "7x5", *TWO).stdout
    assert "28.61 %" in text
    assert "2 (Queen and King)" in text
    answer = ask("final", "--best", "7x5", *TWO)
    assert {"command": "final", "best": "7x5", "holder": 2}.items() <= answer.items()
    assert answer["source"] == "cache"
    assert [row["queen"] for row in answer["players"]] == [False, True]
    assert answer["players"][0]["cards"] == FIRST.split(",")
    assert wins(answer) == pytest.approx([0.286059402988, 0.713940597012], abs=1e-8)


def test_a_queen_of_the_last_player_may_be_written(ask):
    named = ask("final", "--best", "7x5", "--player", FIRST, "--player", SECOND + ",queen")
    assert wins(named) == wins(ask("final", "--best", "7x5", *TWO, "--no-cache"))


def test_a_holder_who_has_rolled_already(go, ask):
    answer = ask("final", "--best", "7x5", *TWO, "--holder", "gone")
    assert answer["holder"] == answer["players"][-1]["player"] == "gone"
    assert sum(wins(answer)) == pytest.approx(1, abs=1e-12)
    assert "already rolled (King)" in go("final", "--best", "7x5", "--player", SECOND,
                                          "--holder", "gone").stdout  # fmt: skip


def test_advice_in_the_middle_of_a_turn(go, ask):
    asked = ("final", "--best", "7x5", *TWO, "--position", MIDDLE, "--goal", "final")
    answer = ask(*asked)
    assert (answer["command"], answer["goal"]) == ("final", "final")
    assert answer["value"] == pytest.approx(wins(answer)[0], abs=1e-12)
    values = [option["value"] for option in answer["options"]]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(answer["value"], abs=1e-12)
    assert "purchases" not in answer
    text = go(*asked).stdout
    assert "use the Guard (bring in a 2)" in text
    assert "Pays for" not in text


def test_a_turn_not_yet_begun_is_worth_the_chance_before_it(ask):
    before = ask("final", "--best", "7x5", *TWO)
    position = ask("final", "--best", "7x5", *TWO, "--position", "/6d:Fa,Gu,Kn,Bi,Ge-")
    assert wins(position) == wins(before)
    assert position["options"] == []


def test_the_queens_owner_in_the_middle_of_the_turn(ask):
    answer = ask("final", "--best", "7x6", "--player", "farmer,general", "--holder", "gone",
                 "--position", "666/666:Fa,Ge,Qu-")  # fmt: skip
    assert answer["value"] == 1
    assert answer["plan"][0] == "use the Queen (bring in a 6)"


def test_drawing(go, tmp_path):
    for name in ("final.svg", "final.png"):
        go("final", "--best", "7x5", *TWO, "--holder", "gone", "--plot", str(tmp_path / name))
        assert (tmp_path / name).stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--best", "7x5"), "0 players: a final round needs two"),
        (("--best", "7x5", "--holder", "1"), "0 players: a final round needs two"),
        (("--best", "7x5", "--player", FIRST), "1 player: a final round needs two"),
        (("--best", "7x5", "--player", FIRST + ",queen", "--player", SECOND), "one Queen"),
        (("--best", "13x5", *TWO), "only 12 dice"),
        (("--best", "7x7", *TWO), "'7x7' is no rank"),
        (("--best", "0x3", *TWO), "'0x3' is no rank"),
        (("--best", "seven", *TWO), "7x5"),
        (("--best", "7x5", *TWO, "--holder", "3"), "1 to 2"),
        (("--best", "7x5", *TWO, "--holder", "0"), "1 to 2"),
        (("--best", "7x5", *TWO, "--holder", "me"), "'me' is no player"),
        (("--best", "7x5", "--player", "farmer,king", "--player", SECOND), "King cannot be"),
        (("--best", "7x5", "--player", "farmre", "--player", SECOND), "farmre' is no card"),
        (("--best", "7x5", "--player", "guard,guard", "--player", SECOND), "2 x Guard"),
        (("--best", "7x5", *TWO, "--position", "5/5555:Fa-"), "has 5 dice"),
        (("--best", "7x5", *TWO, "--position", "/6552:Fa-"), "first --player"),
        (("--best", "7x5", *TWO, "--goal", "hunter"), "'hunter' is not 'final'"),
        (("--best", "7x5", *TWO, "--plot", "final.txt"), ".png or .svg"),
        ((*TWO,), "--best"),
    ],
)
def test_bad_input_is_explained(go, arguments, said):
    result = go("final", *arguments, code=2)
    assert any(part in result.stderr for part in said.split("|")), result.stderr
    assert not result.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--best", "6x5", *TWO), "the King costs 7 alike"),
        (("--best", "9x5", *TWO), "could not roll it again"),
        (("--best", "7x5", *TWO, "--holder", "1"), "before rolling"),
    ],
)
def test_odd_but_answerable_only_warns(go, arguments, said):
    result = go("final", *arguments, "--json")
    assert said in result.stderr
    assert sum(wins(json.loads(result.stdout))) == pytest.approx(1, abs=1e-12)


def test_what_could_be_rolled_again_does_not_warn(go):
    assert go("final", "--best", "7x5", *TWO).stderr == ""


def test_too_few_dice_win_exactly_nothing(ask):
    answer = ask("final", "--best", "8x1", "--player", "", "--player", "guard", "--player", SECOND)
    assert wins(answer) == [0, 0, 1]


def test_keep_says_where_the_final_round_is_answered(go):
    result = go("keep", "16/225:Fa,Hu,Me-La", "--goal", "final", code=2)
    assert "advisor final" in result.stderr


def test_names_in_other_languages(go):
    assert "Bauer" in go("final", "--best", "7x5", *TWO, "--lang", "de").stdout


@pytest.mark.parametrize("command", ["final", "claim"])
def test_help_and_import_are_light(go, command):
    assert "Example: advisor" in go(command, "--help").stdout
    loaded = f"import sys, advisor.cli.court.{command}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded]).returncode == 0


def test_the_example_of_the_readme_is_the_true_answer(go, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    section = readme.partition("## The final round")[2]
    question, shown = re.findall(r"```\w+\n(.*?)```", section, re.DOTALL)[:2]
    assert go(*shlex.split(question)[1:]).stdout == shown


# ---------------------------------------------------------------- claim

MINE, THEIRS = "farmer,hunter,knight,general", "farmer,guard,general"
CLAIM = ("claim", "--result", "55555553", "--cards", MINE, "--player", THEIRS)


def test_the_last_of_the_round_meets_the_present_cards(ask):
    answer = ask(*CLAIM)
    final = ask("final", "--best", "7x5", "--player", THEIRS, "--player", MINE)
    assert answer["win"] == answer["win_present"] == wins(final)[1]
    assert (answer["command"], answer["best"], answer["order"]) == ("claim", "7x5", [1])
    assert answer["players"][0]["buys"] is None
    assert not any("may still buy" in text for text in answer["assumptions"])


def test_one_who_still_plays_buys_what_helps_most(ask):
    answer = ask(*CLAIM, "--to-play", "1", "--supply", "hunter,bishop,fool")
    worth = {}
    theirs, mine = tuple(THEIRS.split(",")), MINE.split(",")
    for key in (None, "hunter", "bishop", "fool"):
        asked = seats((7, 5), [bought(theirs, key), mine], 1, RULEBOOK)
        worth[key] = FinalRound(asked, RULEBOOK, (rank_number((7, 5)),)).solve(1 << 30).win()[0]
    # The Fool is there for every result, so its worth can stand for "at least so much".
    worth["fool"] = max(worth["fool"], worth[None])
    goal = parse_goal("values:" + ",".join(f"{key}={w!r}" for key, w in worth.items() if key))
    turn = to_state(before_first_roll(theirs, RULEBOOK), RULEBOOK)
    value = Adviser(turn, [goal], 1 << 30).values()[0]
    assert answer["players"][0]["win"] == pytest.approx(value, abs=1e-12)
    assert answer["win"] == pytest.approx(1 - value, abs=1e-12)
    assert answer["win"] <= answer["win_present"]
    assert sum(row["probability"] for row in answer["players"][0]["buys"]) == pytest.approx(1)
    assert "player 1 may still buy one of the cards of --supply" in " ".join(answer["assumptions"])


def test_other_purchases_beside_it(go, ask):
    answer = ask(*CLAIM, "--supply", "guard,merchant,knight,alchemist")
    other = {row["card"]: row for row in answer["instead"]}
    assert set(other) == {"guard", "merchant", None}  # the Knight is owned, no straight of six
    assert other["guard"]["cards"] == list(in_order((*MINE.split(","), "guard")))
    assert all(row["win_next"] <= row["claim_next"] <= 1 for row in other.values())
    assert other[None]["claim_next"] <= other["guard"]["claim_next"]
    odds = ask("odds", "--cards", MINE)["goals"]
    king = next(row["probability"] for row in odds if row["card"] == "king")
    assert other[None]["claim_next"] == pytest.approx(king, abs=1e-12)
    assert "Buying something else instead" in go(*CLAIM, "--supply", "guard").stdout


def test_three_who_still_play_are_too_many_to_work_out(ask):
    answer = ask("claim", "--result", "5555555", "--cards", "farmer,general,knight",
                 "--player", "farmer", "--player", "guard", "--player", "maid", "--to-play", "3",
                 "--supply", "fool,hunter,maid,laborer,bishop,merchant,magician")  # fmt: skip
    assert answer["order"] == [3, 1, 2]
    assert [row["buys"] is None for row in answer["players"]] == [True, False, False]
    assert "player 1 could still buy" in " ".join(answer["assumptions"])


def test_two_who_still_play_choose_exactly(ask):
    both = ask("claim", "--result", "5555555", "--cards", "farmer,general,knight",
               "--player", "farmer,hunter,general", "--player", "farmer,guard,general",
               "--to-play", "2", "--supply", "laborer,maid")  # fmt: skip
    assert [row["buys"] is None for row in both["players"]] == [False, False]
    assert sum(wins(both)) + both["win"] == pytest.approx(1, abs=1e-12)
    for row in both["players"]:
        assert sum(part["probability"] for part in row["buys"]) == pytest.approx(1)


def test_freezing_a_buyer_flatters_the_claim(ask, monkeypatch):
    question = ("claim", "--result", "5555555", "--cards", "Fa,Hu,Kn,Ge", "--no-cache",
                "--player", "Fa,Gu,As,Kn", "--player", "Fa,Gu,La,As", "--to-play", "2")  # fmt: skip
    exact = ask(*question)
    monkeypatch.setattr("advisor.court.final.claim.MOST_ROUNDS", 20)
    assert ask(*question)["win"] > exact["win"] + 0.05


def test_what_nobody_has_left_is_not_bought(ask):
    """Two players have one General and one Bishop between them."""
    question = ("claim", "--result", "5555555", "--cards", "Fa,Bi,Ge",
                "--player", "Fa,Gu,As,Hu,Kn", "--to-play", "1")  # fmt: skip
    (other,) = ask(*question)["players"]
    assert not {"general", "bishop"} & {part["card"] for part in other["buys"]}
    listed = ask(*question, "--supply", "Fo,Ch,Ma,Ph,La,Gu,Me,Nw,Pb,Mg,Al,Nm")
    assert ask(*question)["win"] == pytest.approx(listed["win"], abs=1e-12)
    assert ask(*question, "--supply", "")["players"][0]["buys"] == [
        {"card": None, "probability": 1.0}
    ]


def test_the_last_copy_is_bought_once_only():
    claim = Claim(("farmer", "general"), (0, 0, 0, 0, 7, 0), (("guard",), ("maid",)), 2)
    before = display_of(claim, RULEBOOK)
    assert "general" in before.buyable(("maid",))
    assert "general" not in before.without("general").buyable(("maid",))


def test_the_king_costs_what_the_rule_card_says():
    assert pays(KING.cost, (KING_DICE, 0, 0, 0, 0, 0))
    assert not pays(KING.cost, (KING_DICE - 1, 0, 0, 0, 0, 0))
    assert QUEEN.comes_with == KING.key


def test_a_fool_is_turned_over():
    assert bought(("fool", "farmer"), "charlatan") == ("charlatan", "farmer")
    assert "charlatan" in purchasable(("fool",), RULEBOOK)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--result", "555555", "--cards", MINE, "--player", THEIRS), "the King costs 7"),
        (("--result", "555555555", "--cards", MINE, "--player", THEIRS), "give 6 to 8"),
        (("--result", "5555555", "--cards", MINE), "no other player"),
        (
            ("--result", "5555555", "--cards", MINE, "--player", THEIRS, "--to-play", "2"),
            "at most 1",
        ),
        (("--result", "5555555", "--cards", MINE + ",queen", "--player", ""), "Queen comes with"),
        (("--result", "5555557x", "--cards", MINE, "--player", ""), "no die value"),
    ],
)
def test_bad_claims_are_explained(go, arguments, said):
    result = go("claim", *arguments, code=2)
    assert said in result.stderr
