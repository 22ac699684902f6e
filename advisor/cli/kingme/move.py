"""`advisor kingme move`: whom to raise at the end of a round."""

from __future__ import annotations

from functools import partial

import click

from advisor.answers import Failure
from advisor.cli.kingme import options
from advisor.cli.output import Written
from advisor.errors import AdvisorError, InvalidOption, InvalidPosition
from advisor.kingme import questions
from advisor.kingme.rules.castle import parse_castle, parse_no
from advisor.kingme.rules.goals import parse_goals
from advisor.kingme.show.text import Output


@click.command(
    "move",
    epilog="Example: advisor kingme move '5:CE 4:FG 3:D 1:P' --turn 2 "
    "--goals ACDGLO,BDEGIL,CEFINP --no 1,0,1",
)
@click.argument("castle")
@click.option("--turn", metavar="SEAT", help="The seat to move, counted from 1.")
@click.option("--goals", metavar="GOAL,GOAL,...", help="The goals of all players, by seat.")
@click.option("--no", "no_left", metavar="N,N,...", help="No cards left, by seat.  [default: none]")
@click.option(
    "--totals",
    metavar="N,N,...",
    help="Points of the first two rounds: this is the third one, the chance to win counts.",
)
@click.option("--all", "every", is_flag=True, help="Show every option.")
@options.memory
@options.output
@click.pass_context
def command(
    ctx: click.Context,
    castle: str,
    turn: str | None,
    goals: str | None,
    no_left: str | None,
    totals: str | None,
    every: bool,
    memory: int | None,
    written: Written,
) -> None:
    """Rank the characters that can rise, exactly, all goals known.

    CASTLE names floors and initials, for example '5:CE 4:FG 3:D 1:P'; who is not named is out.
    With - as CASTLE one question a line is read from standard input, CASTLE | TURN | GOALS, then
    | NO if there are No cards left. Values are the points of the round that everybody has to
    expect.
    """
    points = options.totals(totals)
    if castle == "-":
        if turn is not None or goals is not None or no_left is not None:
            raise InvalidOption("'-' reads turn, goals and No cards from each line: leave them out")
        ctx.exit(_batch(written, points, every, memory))
    if turn is None or goals is None:
        missing = "--turn" if turn is None else "--goals"
        raise InvalidOption(f"no {missing}: say who moves and what all goals are, see the example")
    asked = _asked(castle, turn, goals, no_left, points)
    _answer(asked, written, every, memory)


def _answer(asked: questions.EndOfRound, written: Written, every: bool, memory: int | None) -> None:
    answer = questions.move(asked, memory)
    written.show(answer, partial(Output(written.color).move, every=every))


def _asked(
    castle: str, turn: str, goals: str, no_left: str | None, totals: tuple[int, ...] | None
) -> questions.EndOfRound:
    cards = parse_goals(goals)
    left = (0,) * len(cards) if no_left is None else parse_no(no_left, len(cards))
    return questions.EndOfRound(parse_castle(castle), options.seat(turn), cards, left, totals)


def _batch(
    written: Written, totals: tuple[int, ...] | None, every: bool, memory: int | None
) -> int:
    """Answer one question a line; return the exit code."""
    failed = False
    for number, line in options.lines_of_stdin():
        try:
            castle, *rest = (part.strip() for part in line.split("|"))
            if len(rest) not in (2, 3):
                raise InvalidPosition(f"{line!r}: a line is CASTLE | TURN | GOALS [| NO]")
            asked = _asked(castle, rest[0], rest[1], rest[2] if rest[2:] else None, totals)
            _answer(asked, written, every, memory)
        except AdvisorError as error:
            failed = True
            failure = Failure(error=str(error), line=number)
            written.show(failure, Output(written.color).bad_line)
    return InvalidPosition.exit_code if failed else 0
