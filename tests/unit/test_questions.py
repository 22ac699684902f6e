"""The front door: the same answers as the command line, from texts and objects, from threads."""

from __future__ import annotations

import doctest
import re
import shlex
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import advisor
from advisor import errors
from advisor.answers import Answer
from advisor.court import questions
from advisor.court.play.record import parse_record
from advisor.court.rules.notation import parse_position
from advisor.court.rules.options import RULE_SETS
from advisor.court.turn.goals import parse_goal
from advisor.dice import parse_dice, parse_rank

ROOT = Path(__file__).parents[2]
GAME = ROOT / "tests/golden/game.txt"
POSITION = "16/225:Fa,Hu,Me-La"
HANDS = ["farmer,guard,knight,general", "farmer,hunter,astronomer"]
KING = "farmer,general,hunter"


def failures(examples: doctest.DocTest) -> int:
    return doctest.DocTestRunner(verbose=False).run(examples).failed


@pytest.mark.parametrize(
    "examples", doctest.DocTestFinder().find(questions, "questions"), ids=lambda found: found.name
)
def test_examples_are_true(examples):
    assert failures(examples) == 0


def test_every_question_has_an_example():
    for name in advisor.__all__:
        if callable(getattr(advisor, name)) and name not in ("AdvisorError", "Settings"):
            assert f">>> {'same = ' * (name == 'shared')}" in getattr(advisor, name).__doc__


def test_the_page_about_python_is_true():
    text = re.sub(r"^```.*$", "", (ROOT / "docs/python.md").read_text("utf-8"), flags=re.MULTILINE)
    examples = doctest.DocTestParser().get_doctest(text, {}, "python.md", None, 0)
    assert len(examples.examples) > 10
    assert failures(examples) == 0


# ---------------------------------------------------------------- one way in


ASKED = [
    (f"keep {POSITION} --goal knight", lambda: advisor.keep(POSITION, "knight")),
    (
        f"keep {POSITION} --goal turns --supply guard,knight",
        lambda: advisor.keep(POSITION, "turns", supply="guard,knight"),
    ),
    (f"keep {POSITION}", lambda: advisor.keep(POSITION)),
    ("keep /123:Qu-", lambda: advisor.keep("/123:Qu-")),
    ("keep /6552:Fa- --goal guard --all", lambda: advisor.keep("/6552:Fa-", "guard", every=True)),
    ("odds --cards farmer --exact", lambda: advisor.odds(cards="farmer", exact=True)),
    (f"odds {POSITION} --lang de", lambda: advisor.odds(POSITION, language="de")),
    (
        "turns --cards farmer,general --supply hunter",
        lambda: advisor.turns("farmer,general", supply="hunter"),
    ),
    (
        "buy 2244 --cards farmer --gone guard --players 2",
        lambda: advisor.buy("2244", "farmer", gone="guard", players=2),
    ),
    (
        "final --best 7x5 --player farmer,guard --player hunter --holder gone",
        lambda: advisor.final("7x5", ["farmer,guard", "hunter"], holder="gone"),
    ),
    (
        "final --best 4x5 --player farmer --player hunter --position /6552:Fa-",
        lambda: advisor.final("4x5", ["farmer", "hunter"], position="/6552:Fa-"),
    ),
    (
        f"claim --result 5555555 --cards {KING} --player {HANDS[0]} --player {HANDS[1]}",
        lambda: advisor.claim("5555555", KING, HANDS),
    ),
    (
        "claim --result 5555555 --cards farmer,general,hunter --player farmer --to-play 1 "
        "--rules brettspielwelt",
        lambda: advisor.claim("5555555", KING, ["farmer"], to_play=1, rules="brettspielwelt"),
    ),
    ("cards", advisor.cards),
    ("cards Ch --rules brettspielwelt", lambda: advisor.cards("Ch", rules="brettspielwelt")),
]


@pytest.mark.parametrize(("command", "asked"), ASKED, ids=[command for command, _ in ASKED])
def test_an_answer_is_the_object_of_the_command_line(ask, command, asked):
    uncached = "" if command.startswith("cards") else " --no-cache"
    assert asked().to_dict() == ask(*shlex.split(command + uncached))


def test_an_analysis_is_that_of_the_command_line(ask, tmp_path):
    where = tmp_path / "game.txt"
    where.write_text("".join(GAME.read_text("utf-8").splitlines(keepends=True)[:12]), "utf-8")
    shown = ask("analyze", str(where), "--no-cache")
    record = parse_record(where.read_text("utf-8"))
    for given in (where, where.read_text("utf-8"), record):
        assert advisor.analyze(given, cache=False).to_dict() == shown


def test_what_is_parsed_stands_for_its_text():
    def same(one, other):
        return one.to_dict() == other.to_dict()

    settings = {"cache": False}
    position = parse_position(POSITION)
    text = advisor.keep(POSITION, "knight", **settings)
    assert same(advisor.keep(position, parse_goal("knight"), **settings), text)
    assert same(
        advisor.keep(POSITION, "knight", rules=RULE_SETS["rulebook"], memory="8G", **settings), text
    )
    assert same(
        advisor.buy(parse_dice("224466"), ["Ge", "Fa"], supply=["hunter", "maid"], **settings),
        advisor.buy("642642", "farmer,general", supply="maid,hunter", **settings),
    )
    assert same(
        advisor.final(parse_rank("7x5"), [["farmer", "guard"], ["hunter"]], holder=2, **settings),
        advisor.final("7x5", ["guard,farmer", "hunter"], **settings),
    )


# ---------------------------------------------------------------- cache, threads, refusals


def test_an_answer_is_found_again():
    first, second = (advisor.keep("/6552:Fa-", "guard") for _ in range(2))
    assert (first.source, second.source) == ("solved", "cache")
    assert replace(second, source="solved").to_dict() == first.to_dict()
    assert advisor.keep("/6552:Fa-", "guard", cache=False).source == "solved"


def test_questions_that_share_are_answered_the_same():
    same = advisor.shared(cache=False)
    alone = advisor.buy("224466", "farmer,general", supply="hunter,maid", cache=False)
    for _ in range(2):
        shared = advisor.buy("224466", "farmer,general", supply="hunter,maid", shared=same)
        assert [row.text for row in shared.options] == [row.text for row in alone.options]


def test_threads_get_the_answers_that_one_gets():
    asked = [
        lambda: advisor.keep(POSITION, "knight", cache=False),
        lambda: advisor.keep("/2345:Fa,Hu,As-", "merchant", cache=False),
        lambda: advisor.odds(cards="farmer,laborer", cache=False),
        lambda: advisor.final("7x5", HANDS, cache=False),
        lambda: advisor.keep(POSITION, "turns", supply="guard,knight", cache=False),
        lambda: advisor.keep("/6552:Fa-", "guard"),
    ] * 3
    alone = [replace(one(), source="") for one in asked[:6]] * 3
    with ThreadPoolExecutor(6) as pool:
        found = [replace(answer, source="") for answer in pool.map(lambda one: one(), asked)]
    assert found == alone


@pytest.mark.parametrize(
    ("asked", "error", "why"),
    [
        (lambda: advisor.keep("16/225"), errors.InvalidPosition, "dice"),
        (lambda: advisor.keep(POSITION, "gaurd"), errors.UnknownCard, "did you mean"),
        (lambda: advisor.keep(POSITION, "final"), errors.InvalidGoal, "other players"),
        (lambda: advisor.keep(POSITION, "knight", width=0.1), errors.InvalidOption, "goal turns"),
        (lambda: advisor.keep(POSITION, width=0.0), errors.InvalidOption, "1e-8"),
        (lambda: advisor.odds(cards="king"), errors.InvalidCards, "King"),
        (lambda: advisor.odds(cards="farmer", rules="mine"), errors.InvalidOption, "brettspiel"),
        (lambda: advisor.odds(cards="farmer", language="fr"), errors.InvalidOption, "en, de"),
        (lambda: advisor.odds(cards="farmer", memory="much"), errors.InvalidOption, "8G"),
        (lambda: advisor.turns(budget=0), errors.InvalidOption, "above 0"),
        (lambda: advisor.buy("", "farmer"), errors.InvalidDice, "empty"),
        (lambda: advisor.buy("22", "farmer"), errors.InvalidDice, "4"),
        (lambda: advisor.final("7x5", ["farmer"]), errors.InvalidOption, "needs two"),
        (
            lambda: advisor.final("7x5", ["maid", "hunter"], position="/6552:Fa-"),
            errors.InvalidPosition,
            "first",
        ),
        (lambda: advisor.claim("5555", "farmer", ["maid"]), errors.InvalidPosition, "7"),
        (lambda: advisor.cards("Zz"), errors.UnknownCard, "no card"),
        (lambda: advisor.analyze("nothing\n"), errors.InvalidRecord, "begins no record"),
        (lambda: advisor.analyze(GAME, rules="brettspielwelt"), errors.InvalidOption, "rulebook"),
        (lambda: advisor.keep(POSITION, "knight", memory=1 << 10), errors.TooLarge, "memory"),
    ],
)
def test_what_cannot_be_answered_is_said(asked, error, why):
    with pytest.raises(error, match=why):
        asked()
    assert issubclass(error, advisor.AdvisorError)


def test_what_is_odd_is_heard():
    heard, odd = [], []
    advisor.final("4x5", ["farmer", "hunter"], cache=False, warn=heard.append)
    advisor.final("4x5", ["farmer", "hunter"], cache=False, warn=heard.append, odd=odd.append)
    assert heard == odd
    assert "answered as given" in heard[0]


# ---------------------------------------------------------------- as it is shown


def subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def test_every_answer_prints_as_a_table():
    for _, asked in ASKED:
        answer = asked()
        first, *rows = repr(answer).splitlines()
        assert first.startswith(f"{answer.command}: rules ")
        assert 2 <= len(rows) <= 12
    for kind in subclasses(Answer):
        assert kind.__repr__ is Answer.__repr__, kind


def test_a_notebook_shows_what_is_escaped():
    answer = advisor.keep("/6552:Fa-", "guard")
    html = answer._repr_html_()
    assert html.count("<tr>") == 1 + len(answer.options)
    assert "<td>set aside 5 5, roll 2</td>" in html
    odd = replace(answer, goal="<b>&", options=(replace(answer.options[0], text="a < b"),))
    assert "goal &lt;b&gt;&amp;" in odd._repr_html_()
    assert "<td>a &lt; b</td>" in odd._repr_html_()


def test_names_that_are_not_there_are_missed():
    assert {"keep", "odds", "AdvisorError"} <= set(dir(advisor))
    with pytest.raises(AttributeError, match="nothing"):
        advisor.nothing  # noqa: B018
