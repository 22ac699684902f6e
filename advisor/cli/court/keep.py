"""`advisor keep`: what to do now."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import click

from advisor.answers import Failure
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.questions import Settings
from advisor.court.rules.notation import Position
from advisor.court.show.turn import Output
from advisor.errors import AdvisorError, InvalidGoal, InvalidPosition
from advisor.text import quoted


@click.command("keep", epilog="Example: advisor keep 16/225:Fa,Hu,Me-La --goal knight")
@options.position_options
@click.option(
    "--goal",
    metavar="GOAL",
    help="turns (fewest to the King) | hunter | hunter,knight | values:farmer=3,guard=2.5 | "
    "rank:8x3.  [default: turns]",
)
@click.option("--all", "every", is_flag=True, help="Show every option and every use of a card.")
@options.supply_options
@options.display_options
@options.answering
@click.pass_context
def command(
    ctx: click.Context,
    /,
    goal: str | None,
    every: bool,
    width: float | None,
    budget: float,
    supply: str | None,
    players: int | None,
    gone: str | None,
    settings: Settings,
    written: Written,
    **where: Any,
) -> None:
    """Rank the options of a position: what to set aside, which card to use, when to roll.

    POSITION is ASIDE/ACTIVE:UNUSED-USED, for example 16/225:Fa,Hu,Me-La: dice set aside, active
    dice, unused and used cards. Instead of it the dice and cards can be given by options. With -
    as POSITION one position a line is read from standard input, each with its own goal behind it
    if it has one.

    Without a goal, or for turns, options are ranked by the turns to the King that a player alone
    has to expect, as certified intervals; --supply, --gone and --players say what can be bought,
    --width and --budget how narrow the intervals become. Where no table of that is there and no
    goal is given, each card is answered by itself, as in `advisor odds`.
    """
    race = {"width": width, "supply": supply, "players": players, "gone": gone}
    output = Output(written.color, settings["language"])

    def answer(position: str | Position, goal: str | None, **race: Any) -> None:
        with options.progress() as told:
            found = questions.keep(
                position, goal, every=every, budget=budget, told=told, **race, **settings
            )
        written.show(found, partial(output.keep, every=every))

    if options.is_batch(**where):
        questions.check_precision(width, budget)
        settings["shared"] = questions.shared(**settings)
        ctx.exit(_batch(goal, race, answer, partial(written.show, in_words=output.bad_line)))
    if not any(where.values()):
        raise InvalidPosition(
            "no position: give one, for example 16/225:Fa,Hu,Me-La, or --cards and --roll"
        )
    answer(options.read_position(settings, **where), goal, **race)


def _batch(
    goal: str | None,
    race: dict[str, Any],
    answer: Callable[..., None],
    refuse: Callable[[Failure], None],
) -> int:
    """Answer one position a line; return the exit code."""
    failed = False
    for number, line in options.lines_of_stdin():
        try:
            where, *own = line.split()
            if len(own) > 1:
                raise InvalidGoal(
                    f"{quoted(line)}: a line is a position and at most one goal without blanks"
                )
            chosen = own[0] if own else goal
            of_the_race = chosen is None or questions.is_turns(chosen)
            answer(where, chosen, **(race if of_the_race else {}))
        except AdvisorError as error:
            failed = True
            refuse(Failure(error=str(error), line=number))
    return InvalidPosition.exit_code if failed else 0
