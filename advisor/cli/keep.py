"""`advisor keep`: what to do now."""

from __future__ import annotations

from typing import Any

import click

from advisor.cli import options
from advisor.court import answers, render
from advisor.court.answers import Asking
from advisor.court.goals import parse_goal
from advisor.court.notation import parse_position
from advisor.errors import AdvisorError, InvalidGoal, InvalidPosition, MissingTable


@click.command("keep", epilog="Example: advisor keep 16/225:Fa,Hu,Me-La --goal knight")
@options.position_options
@click.option(
    "--goal",
    metavar="GOAL",
    help="hunter | hunter,knight | values:farmer=3,guard=2.5 | "
    "rank:8x3.  [default: every card by itself]",
)
@click.option("--all", "every", is_flag=True, help="Show every option and every use of a card.")
@options.answering
@click.pass_context
def command(
    ctx: click.Context,
    /,
    goal: str | None,
    every: bool,
    asking: Asking,
    written: options.Written,
    **where: Any,
) -> None:
    """Rank the options of a position: what to set aside, which card to use, when to roll.

    POSITION is ASIDE/ACTIVE:UNUSED-USED, for example 16/225:Fa,Hu,Me-La: dice set aside, active
    dice, unused and used cards. Instead of it the dice and cards can be given by options. With -
    as POSITION one position a line is read from standard input, each with its own goal behind it
    if it has one.
    """
    output = render.Output(*written)
    if options.is_batch(**where):
        ctx.exit(_batch(asking, output, goal, every))
    if not any(where.values()):
        raise InvalidPosition(
            "no position: give one, for example 16/225:Fa,Hu,Me-La, or --cards and --roll"
        )
    position = options.read_position(asking.rules, **where)
    output.keep(answers.keep(asking, position, _goal(goal), every), every)


def _goal(text: str | None) -> Any:
    if text is None:
        return None
    if text.strip().casefold() == "turns":
        raise MissingTable(
            "goal 'turns' needs the table of expected turns, which is not installed: choose a "
            "card, for example --goal hunter"
        )
    if text.strip().casefold() == "final":
        raise InvalidGoal(
            "goal 'final' depends on the other players: ask with "
            "'advisor final --best 7x5 --player CARDS --player CARDS --position POSITION'"
        )
    return parse_goal(text)


def _batch(asking: Asking, output: render.Output, goal: str | None, every: bool) -> int:
    """Answer one position a line; return the exit code."""
    failed = False
    for number, line in options.lines_of_stdin():
        try:
            where, *own = line.split()
            if len(own) > 1:
                raise InvalidGoal(
                    f"{line!r}: a line is a position and at most one goal without blanks"
                )
            chosen = _goal(own[0] if own else goal)
            output.keep(answers.keep(asking, parse_position(where), chosen, every), every)
        except AdvisorError as error:
            failed = True
            output.bad_line(number, str(error))
    return InvalidPosition.exit_code if failed else 0
