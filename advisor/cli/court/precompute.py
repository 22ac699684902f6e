"""`advisor precompute`: tables of many turns, made once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from advisor.cli import output as shared
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.rules.names import parse_cards, parse_hand
from advisor.court.rules.options import RULE_SETS, RuleSet, check_hand
from advisor.court.rules.supply import check_race, full_supply
from advisor.court.tables.answers import BadTable, PrecomputeAnswer, VerifyAnswer
from advisor.court.turn.goals import check_goal, parse_goal
from advisor.errors import InvalidCards, InvalidGoal, InvalidOption, TableProblem, UsageProblem
from advisor.terminal import duration
from advisor.units import default_limit, show_bytes

if TYPE_CHECKING:
    from advisor.court.tables.answers import Counts
    from advisor.court.tables.making import Plan


TURNS: Final = "turns"
AHEAD: Final = 5
"""Tasks handed out a worker, so that none waits while finished tables are written."""


@click.command(
    "precompute",
    epilog="Example: advisor precompute --cards farmer,guard --upto 2 --from maid,laborer,hunter",
)
@click.option(
    "--cards", "hands", multiple=True, metavar="CARDS", help="A set of cards; repeatable."
)
@click.option("--upto", type=click.IntRange(min=0), metavar="K", help="Every set of at most K ...")
@click.option(
    "--from", "source", metavar="CARDS", help="... of these cards.  [default for turns: all cards]"
)
@click.option(
    "--goal",
    "goal_texts",
    multiple=True,
    metavar="GOAL",
    help="As in keep; repeatable.  [default: every card by itself]",
)
@click.option(
    "--width",
    type=float,
    metavar="W",
    help="For the goal turns: widest interval.  [default: 0.001]",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="M",
    help="For the goal turns: stop after so long.",
)
@shared.jobs
@click.option(
    "--scheduler", metavar="ADDRESS", help="Use the Dask cluster at this address instead."
)
@click.option("--dry-run", is_flag=True, help="Show the plan only.")
@click.option("--status", is_flag=True, help="Show which tables of the plan are there.")
@click.option("--verify", is_flag=True, help="Check every table in the folder.")
@click.option(
    "--sample",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="With --verify: also solve N of them, and N hands of the race, again.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Draws the sample.")
@options.common
@options.tables
@click.option(
    "--memory",
    type=options.Size(),
    envvar="ADVISOR_MEMORY",
    help="Most memory for all processes together.  [default: half of the machine's]",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    hands: tuple[str, ...],
    upto: int | None,
    source: str | None,
    goal_texts: tuple[str, ...],
    width: float | None,
    minutes: float | None,
    jobs: int | None,
    scheduler: str | None,
    dry_run: bool,
    status: bool,
    verify: bool,
    sample: int,
    seed: int,
    rules: str,
    lang: str,
    written: Written,
    tables: Path,
    memory: int | None,
) -> None:
    """Solve whole turns and keep their values, so that keep and odds answer without solving.

    Goes on where an earlier run stopped: tables that are there and valid are not made again.
    Several runs may share a folder. Ctrl-C ends it; what is finished stays.

    With --goal turns the table of the race for the King learns the sets of cards named, the empty
    hand without any, and goes on from the table that comes with the program.
    """
    limit = default_limit() if memory is None else memory
    jobs = jobs or shared.cores()
    if verify:
        ctx.exit(_verify(tables, sample, seed, limit, written))
    if sample:
        raise InvalidOption("--sample goes with --verify: add it or leave --sample out")
    wanted = Wanted(RULE_SETS[rules], hands, upto, source, goal_texts, width, minutes)
    plan = wanted.plan(limit // jobs)
    if status:
        written.show(PrecomputeAnswer(folder=str(tables), status=plan.status(tables)), _say)
        return
    outlined = plan.outline(tables, jobs)
    if dry_run:
        written.show(PrecomputeAnswer(folder=str(tables), plan=outlined), _say)
        return
    if outlined.get("tables"):
        click.echo(_plan_text(outlined, str(tables)), err=True)
    begin = time.monotonic()
    with (
        _interruptible(ctx),
        _pool(jobs, scheduler) as (make_pool, ahead),
        _telling(outlined) as told,
    ):
        found = plan.make(tables, make_pool, ahead, told)
    found["seconds"] = round(time.monotonic() - begin, 3)
    written.show(PrecomputeAnswer(folder=str(tables), made=found), _say)


@dataclass(frozen=True)
class Wanted:
    """What the tables are to know, as the options say it."""

    rules: RuleSet
    hands: tuple[str, ...]
    upto: int | None
    source: str | None
    goals: tuple[str, ...]
    width: float | None
    minutes: float | None

    def plan(self, memory: int) -> Plan:
        """Return the plan; `memory` in bytes for one process."""
        named = {text.strip().casefold() for text in self.goals}
        if TURNS not in named:
            return self._turns(memory)
        if named != {TURNS}:
            raise InvalidGoal(
                "--goal turns is a table of its own: make it alone, and the other goals with a "
                "second command"
            )
        return self._race(memory)

    def _turns(self, memory: int) -> Plan:
        from advisor.court.tables import making_turns

        for name, value in (("--width", self.width), ("--minutes", self.minutes)):
            if value is not None:
                raise InvalidOption(f"{name} goes with --goal turns: add it or leave {name} out")
        if (self.upto is None) != (self.source is None):
            raise InvalidOption("--upto K and --from CARDS belong together: give both or neither")
        goals = [parse_goal(text) for text in self.goals]
        listed = [parse_cards(text) for text in self.hands]
        for hand in listed:
            check_hand(hand, self.rules)
            for goal in goals:
                check_goal(goal, hand, self.rules)
        if self.upto is not None and self.source is not None:
            listed += making_turns.subsets(parse_cards(self.source), self.upto)
        if not listed:
            raise InvalidCards(
                "no set of cards: give --cards farmer,guard, or --upto 2 --from CARDS"
            )
        return making_turns.plan(self.rules, listed, goals, memory)

    def _race(self, memory: int) -> Plan:
        from advisor.court.race.questions import FULL_WIDTH, check_width
        from advisor.court.tables import making_race, making_turns

        width = FULL_WIDTH if self.width is None else self.width
        check_width(width)
        if self.source is not None and self.upto is None:
            raise InvalidOption("--from CARDS says of which cards: add --upto K, how many of them")
        chosen = [parse_hand(text) for text in self.hands]
        if self.upto is not None and self.source is None:
            chosen += making_race.hands_upto(self.upto, self.rules)
        elif self.upto is not None and self.source is not None:
            chosen += making_turns.subsets(parse_cards(self.source), self.upto)
        for hand in chosen:
            check_race(hand, full_supply(hand, self.rules))
        aim = making_race.Aim(tuple(dict.fromkeys(chosen)) or ((),), width)
        seconds = inf if self.minutes is None else 60 * self.minutes
        return making_race.RacePlan(self.rules, (aim,), memory, seconds)


@dataclass(frozen=True)
class Telling:
    """Shows how far the work is: a bar for tables, a line for words."""

    advance: Callable[[int], None]
    say: Callable[[str], None]

    def warn(self, text: str) -> None:
        """Write a note."""
        click.echo(f"Note: {text}", err=True)


@contextmanager
def _telling(outlined: Counts) -> Iterator[Telling]:
    if "tables" in outlined:
        with shared.bar(int(outlined["tables"] + outlined["present"]), "tables") as advance:
            yield Telling(advance, lambda text: None)
    else:
        with options.progress() as say:
            yield Telling(lambda tables: None, say)


@contextmanager
def _interruptible(ctx: click.Context) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        click.echo("interrupted: what is finished stays, the same command goes on", err=True)
        ctx.exit(1)


@contextmanager
def _pool(jobs: int, scheduler: str | None) -> Iterator[Any]:
    """Give a maker of pools and how many tasks to hand out at a time."""
    from advisor import jobs as pools

    if scheduler is None:
        yield lambda: pools.LocalPool(jobs), AHEAD * jobs
        return
    with pools.cluster(scheduler) as (make_pool, threads):
        yield make_pool, AHEAD * threads


def _plan_text(planned: Counts, where: str) -> str:
    return (
        f"{planned['tables']} tables of {planned['sets']} sets of cards to make, "
        f"{planned['present']} there; {duration(planned['seconds'])} and "
        f"{show_bytes(planned['bytes'])} in {where}"
    )


def _say(answer: PrecomputeAnswer) -> None:
    click.echo(_text(answer))
    if answer.made and answer.made.get("large"):
        click.echo(
            f"{answer.made['large']} hands do not fit into the memory of a process: raise "
            "--memory or lower --jobs",
            err=True,
        )


def _text(answer: PrecomputeAnswer) -> str:
    found, where = answer.plan or answer.status or answer.made or {}, answer.folder
    if "tables" in found:
        return _plan_text(found, where)
    if "hands" in found:
        return (
            f"{found['hands']} hands known, {found['expanded']} of them expanded, "
            f"{found['open']} of those asked for still too wide; {found['passes']} turns solved "
            f"in {found['seconds']:.0f} s"
        )
    if "open" in found:
        return f"{found['there']} hands known well enough, {found['open']} to be solved, in {where}"
    if answer.status is not None:
        states = ", ".join(f"{number} {state}" for state, number in sorted(found.items()))
        return f"{states} in {where}"
    return f"{found['made']} tables made, {found['present']} were there, {found['seconds']:.1f} s"


def _verify(where: Path, sample: int, seed: int, memory: int, written: Written) -> int:
    """Check the tables of a folder; return the exit code."""
    from advisor.court.tables import making_race, making_turns
    from advisor.court.tables.making import verify

    if not where.is_dir():
        raise UsageProblem(f"there is no folder {str(where)!r}: give another one with --tables")
    kinds = making_turns.solved_again, making_race.contradicted
    found = list(verify(where, sample, seed, memory, kinds))
    bad = [BadTable(file=path.name, error=problem) for path, problem in found if problem]
    sound = sum(problem is None for _, problem in found)
    answer = VerifyAnswer(folder=str(where), sound=sound, sample=sample, bad=tuple(bad))
    written.show(answer, _say_sound)
    return TableProblem.exit_code if bad else 0


def _say_sound(answer: VerifyAnswer) -> None:
    for entry in answer.bad:
        click.echo(f"Error: {entry.error}", err=True)
    again = f", {min(answer.sample, answer.sound)} solved again" if answer.sample else ""
    click.echo(f"{answer.sound} tables sound{again}, {len(answer.bad)} bad in {answer.folder}")
