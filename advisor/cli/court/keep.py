"""`advisor keep`: what to do now."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import click

from advisor.answers import Failure
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.asking import Asking
from advisor.court.race import questions as race
from advisor.court.rules.notation import Position, check_position, parse_position
from advisor.court.show.turn import Output
from advisor.court.turn.answers import KeepAnswer, KeepEachAnswer
from advisor.court.turn.goals import parse_goal
from advisor.court.turn.questions import keep as keep_for_goal
from advisor.errors import AdvisorError, InvalidGoal, InvalidOption, InvalidPosition
from advisor.text import quoted

Kept = KeepAnswer | KeepEachAnswer
TURNS: Final = "turns"


@dataclass(frozen=True)
class Question:
    """What is asked of every position: all options, and how the race for the King is bounded."""

    every: bool
    budget: float
    width: float | None = None
    supply: str | None = None
    players: int | None = None
    gone: str | None = None

    @property
    def of_the_race(self) -> list[str]:
        """The options given that only the race for the King has."""
        names = ("width", "supply", "players", "gone")
        return [f"--{name}" for name in names if getattr(self, name) is not None]


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
    asking: Asking,
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
    if width is not None:
        race.check_width(width)
    race.check_budget(budget)
    output, races = Output(written.color, asking.language), race.Races(asking)
    question = Question(every, budget, width, supply, players, gone)
    batch = options.is_batch(**where)
    if goal and goal.strip().casefold() != TURNS and question.of_the_race and not batch:
        raise InvalidOption(
            f"{question.of_the_race[0]} belongs to the goal turns: leave it out or choose "
            "--goal turns"
        )
    if batch:
        ctx.exit(_batch(races, written, output, goal, question))
    if not any(where.values()):
        raise InvalidPosition(
            "no position: give one, for example 16/225:Fa,Hu,Me-La, or --cards and --roll"
        )
    position = options.read_position(asking.rules, **where)
    written.show(_answer(races, position, goal, question), partial(output.keep, every=every))


def _answer(races: race.Races, position: Position, goal: str | None, question: Question) -> Kept:
    if goal is None or goal.strip().casefold() == TURNS:
        return _turns(races, position, goal, question)
    if goal.strip().casefold() == "final":
        raise InvalidGoal(
            "goal 'final' depends on the other players: ask with "
            "'advisor final --best 7x5 --player CARDS --player CARDS --position POSITION'"
        )
    return keep_for_goal(races.asking, position, parse_goal(goal), question.every)


def _turns(races: race.Races, position: Position, goal: str | None, question: Question) -> Kept:
    rules, every, budget = races.asking.rules, question.every, question.budget
    check_position(position, rules)
    with options.progress() as told:
        if goal is None and not question.of_the_race:
            return race.keep_or_odds(races, position, budget, every, told)
        supply = options.read_supply(
            position.cards, rules, question.supply, question.gone, question.players
        )
        return race.keep(races, position, supply, question.width, budget, every, told)


def _batch(
    races: race.Races,
    written: Written,
    output: Output,
    goal: str | None,
    question: Question,
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
            answer = _answer(races, parse_position(where), chosen, question)
            written.show(answer, partial(output.keep, every=question.every))
        except AdvisorError as error:
            failed = True
            written.show(Failure(error=str(error), line=number), output.bad_line)
    return InvalidPosition.exit_code if failed else 0
