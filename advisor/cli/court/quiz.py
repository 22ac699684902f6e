"""`advisor quiz`: positions to decide, and how well one does."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from advisor.answers import Failure
from advisor.cli import output as shared
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.asking import Asking
from advisor.court.coach.answers import QuizAnswer, QuizHelp, QuizMove, QuizQuestion, QuizTry
from advisor.court.coach.totals import levels
from advisor.court.rules.options import RULE_SETS
from advisor.court.show.quiz import QuizOutput
from advisor.dice import SEEDS
from advisor.errors import AdvisorError
from advisor.storage.scores import Entry, Scores

if TYPE_CHECKING:
    from advisor.court.coach.quiz import Question, Quiz
    from advisor.court.turn.answers import RankedOption

TRIES: Final = 2
FILE: Final = "quiz"
DRAWN: Final = 10**6
QUIT: Final = ("q", "quit")
HELP: Final = ("?", "help")


@click.command("quiz", epilog="Example: advisor quiz --level 2 --count 10")
@click.option(
    "--level",
    type=click.IntRange(1, 3),
    default=1,
    show_default=True,
    help="From 1, where the best option is far ahead, to 3, where it is close.",
)
@click.option(
    "--count", type=click.IntRange(min=1), default=5, show_default=True, help="Questions."
)
@click.option(
    "--seed",
    type=click.IntRange(0, SEEDS - 1),
    metavar="SEED",
    help="The same seed asks the same questions.  [default: a new one]",
)
@click.option("--record", is_flag=True, help="Show the personal record, ask nothing.")
@options.common
@options.tables
def command(
    level: int,
    count: int,
    seed: int | None,
    record: bool,
    rules: str,
    lang: str,
    written: Written,
    tables: Path,
) -> None:
    """Ask for the best move in positions from games that a bot plays, and keep the score.

    The bot plays alone: questions are about the race to the King, nothing taken away by others.
    Type a move: dice to set aside (55, the others are then rolled), a card to use (Hu, with its
    effect where that matters: As 4>2), r to roll; ? for help, q to leave. After a move that is not
    the best there is a second try. Every answer goes into a personal record in the user's data
    folder.
    """
    output, scores = QuizOutput(written.color, lang), Scores(FILE)
    if record:
        entries = scores.read(_warn)
        shown = QuizAnswer(file=str(scores.path), answered=len(entries), levels=levels(entries))
        written.show(shown, output.record)
        return
    scores.check()
    from advisor.court.coach.quiz import Quiz

    asking = Asking(RULE_SETS[rules], lang, tables=tables, warn=_warn)
    quiz = Quiz(asking, level, _new_seed() if seed is None else seed)
    entries = []
    for entry in _session(quiz, count, written, output):
        scores.add(entry)
        entries.append(entry)
    answer = QuizAnswer(seed=quiz.seed, answered=len(entries), levels=levels(entries))
    written.show(answer, partial(output.ended, count=count))


def _warn(message: str) -> None:
    click.echo(f"Note: {message}", err=True)


def _new_seed() -> int:
    import secrets

    return secrets.randbelow(DRAWN)


def _session(quiz: Quiz, count: int, written: Written, output: QuizOutput) -> Iterator[Entry]:
    """Ask questions; yield an entry for each that was answered, until nothing more is typed."""
    lines = _lines(written.prompts)
    for number in range(1, count + 1):
        question = quiz.question(number)
        answer = question.answer
        asked = QuizQuestion(
            question=number, of=count, level=quiz.level,
            position=answer.position, goal=answer.goal, unit=answer.unit,
        )  # fmt: skip
        written.show(asked, partial(output.asked, position=question.position))
        given, go_on = _tried(question, lines, written, output)
        if given:
            yield _entry(quiz, number, question, given)
        if not go_on:
            return
        _answered(question, given, written, output)


def _answered(
    question: Question, given: list[RankedOption], written: Written, output: QuizOutput
) -> None:
    answer, right = question.answer, _right(given)
    move = QuizMove(
        given=tuple(option.text for option in given),
        losses=tuple(option.loss for option in given),
        right=right,
        best=answer.options[0].text,
        value=answer.value,
    )
    written.show(move, lambda _: output.answered(question.compared(given[-1]), given, right))


def _tried(
    question: Question, lines: Iterator[str], written: Written, output: QuizOutput
) -> tuple[list[RankedOption], bool]:
    """Return the options that were chosen, and whether the quiz goes on."""
    given: list[RankedOption] = []
    for text in lines:
        if text.casefold() in QUIT:
            break
        if text.casefold() in HELP or not (text or given):
            hint = QuizHelp(help=f"{question.accepted()}; ? for help, q to leave")
            written.show(hint, output.hint)
            continue
        if not text:
            return given, True
        try:
            option = question.option(text)
        except AdvisorError as error:
            written.show(Failure(error=str(error)), output.refused)
            continue
        given.append(option)
        if _right(given) or len(given) == TRIES:
            return given, True
        written.show(QuizTry(given=option.text, right=False), output.again)
    return given, False


def _right(given: list[RankedOption]) -> bool:
    from advisor.court.coach.quiz import RIGHT

    return bool(given) and given[-1].loss <= RIGHT


def _entry(quiz: Quiz, number: int, question: Question, given: list[RankedOption]) -> Entry:
    answer = question.answer
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "rules": quiz.asking.rules.name,
        "level": quiz.level,
        "seed": quiz.seed,
        "question": number,
        "position": answer.position,
        "goal": answer.goal,
        "unit": answer.unit,
        "given": [option.text for option in given],
        "losses": [option.loss for option in given],
        "right": _right(given),
        "best": answer.options[0].text,
    }


def _lines(prompted: bool) -> Iterator[str]:
    """Yield the lines that are typed, or come through a pipe."""
    while True:
        if prompted:
            click.echo("> ", nl=False)
        text = shared.typed_line()
        if text is None:
            if prompted:
                click.echo("")
            return
        yield text
