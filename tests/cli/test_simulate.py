"""`advisor simulate` through its JSON, its tables, its refusals and its end."""

from __future__ import annotations

import pytest

from advisor.court.play import simulate
from advisor.court.rules.options import RULEBOOK

GAMES = ("simulate", "--seats", "best,greedy,random", "--games", "6", "--seed", "3")


def test_keys_and_sums_are_as_promised(ask):
    answer = ask(*GAMES, "--jobs", "1")
    assert list(answer) == [
        "command", "rules", "seats", "seed", "games", "wanted", "undecided", "players", "turns",
        "purchases",
    ]  # fmt: skip
    assert (answer["games"], answer["wanted"], answer["undecided"]) == (6, 6, 0)
    assert [row["bot"] for row in answer["players"]] == ["best", "greedy", "random"]
    assert sum(row["won"] for row in answer["players"]) == 6
    assert sum(row["took_king"] for row in answer["players"]) == pytest.approx(1)
    for row in answer["players"]:
        assert row["lower"] <= row["win"] == row["won"] / 6 <= row["upper"]
    shares = answer["turns"]["distribution"]
    assert sum(row["probability"] for row in shares) == pytest.approx(1)
    mean = sum(row["turns"] * row["probability"] for row in shares)
    assert answer["turns"]["mean"] == pytest.approx(mean)
    for row in answer["purchases"]:
        assert all(0 < card["share"] <= 1 for card in row["cards"])
    kings = sum(c["share"] for r in answer["purchases"] for c in r["cards"] if c["card"] == "king")
    assert kings == pytest.approx(1)


def test_the_number_of_processes_does_not_matter(ask, monkeypatch):
    monkeypatch.setattr(simulate, "CHUNK", 2)
    games = ("simulate", "--seats", "greedy,random", "--games", "5", "--seed", "3")
    alone = ask(*games, "--jobs", "1")
    assert alone == ask(*games, "--jobs", "2")
    assert alone["purchases"] != ask(*games[:-1], "4", "--jobs", "1")["purchases"]


def test_seats_rotate_so_that_everybody_starts_equally_often(monkeypatch):
    starts = []
    real = simulate.make_bot

    def make(kind, rules, seed, *more):
        bot = real("random", rules, seed)
        moves = bot.moves

        def watched(game):
            if game.round == 1 and not game.done and not game.turn.may_roll:
                starts.append((seed[1], seed[2] - 1))
            return moves(game)

        bot.moves = watched
        return bot

    monkeypatch.setattr(simulate, "make_bot", make)
    match = simulate.Match(("best", "greedy", "random"), 6, 0, RULEBOOK)
    monkeypatch.setattr(simulate, "MOST_ROUNDS", 2)
    assert simulate.play(match, range(6)).undecided == 6
    assert sorted(set(starts)) == [(0, 0), (1, 2), (2, 1), (3, 0), (4, 2), (5, 1)]


def test_the_table_says_what_the_json_says(run):
    text = run(*GAMES, "--jobs", "1", "--lang", "de").stdout
    assert text.startswith("6 games, seed 3\n")
    assert "Wachmann" in text
    assert "standard error" in text


def test_alone_there_is_nobody_to_beat(ask):
    answer = ask("simulate", "--seats", "greedy", "--games", "2", "--jobs", "1")
    assert answer["players"][0]["win"] == 1


def test_a_drawing(run, tmp_path):
    where = tmp_path / "games.svg"
    run("simulate", "--seats", "random,greedy", "--games", "2", "--jobs", "1", "--plot", str(where))
    assert "<svg" in where.read_text()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--seats", "best,clever"), "'clever' is no bot; choose from best, greedy, random"),
        (("--seats", ""), "'' is no bot"),
        (("--seats", "best," * 5 + "best"), "6 players"),
        (("--seats", "best", "--games", "0"), "--games 0"),
        (("--seats", "best", "--seed", "-1"), "--seed -1"),
        (("--seats", "best", "--plot", "x.pdf"), ".png or .svg"),
    ],
)
def test_refusals(refuse, arguments, why):
    assert why in refuse("simulate", *arguments)


def test_what_was_played_is_shown_when_interrupted(run, monkeypatch):
    def interrupted(match, processes):
        yield simulate.play(match, range(3))
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate, "simulate", interrupted)
    result = run("simulate", "--seats", "greedy", "--games", "50", "--jobs", "1")
    assert result.exit_code == 1
    assert result.stdout.startswith("3 games of 50, seed 0")
    assert "interrupted after 3 of 50 games" in result.stderr
