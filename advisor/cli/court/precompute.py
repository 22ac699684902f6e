"""`advisor precompute`: tables of many turns, made once."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from advisor.cli import output as shared
from advisor.cli.court import options
from advisor.cli.output import bar
from advisor.court.rules.names import parse_cards
from advisor.court.rules.options import RULE_SETS, RuleSet, check_hand
from advisor.court.turn.goals import Goal, check_goal, parse_goal
from advisor.errors import InvalidCards, InvalidOption, TableProblem, UsageProblem
from advisor.terminal import duration
from advisor.units import default_limit, show_bytes

if TYPE_CHECKING:
    from advisor.court.tables.making_turns import Task


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
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Processes on this machine.  [default: as many as cores]",
)
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
    as_json: bool,
    color: str,
    tables: Path,
    memory: int | None,
) -> None:
    """Solve whole turns and keep their values, so that keep and odds answer without solving.

    Goes on where an earlier run stopped: tables that are there and valid are not made again.
    Several runs may share a folder. Ctrl-C ends it; what is finished stays.

    With --goal turns the table of the race for the King learns the sets of cards named, the empty
    hand without any, and goes on from the table that comes with the program.
    """
    from advisor.cli.court import precompute_race
    from advisor.court.tables import making_turns

    limit = default_limit() if memory is None else memory
    jobs = jobs or shared.cores()
    if verify:
        ctx.exit(_verify(tables, sample, seed, limit, as_json))
    if sample:
        raise InvalidOption("--sample goes with --verify: add it or leave --sample out")
    chosen = RULE_SETS[rules]
    if precompute_race.is_asked(goal_texts):
        wanted = precompute_race.Wanted(chosen, hands, upto, source, width, minutes)
        look = "plan" if dry_run else "status" if status else None
        with _interruptible(ctx):
            precompute_race.command(
                wanted, tables, limit // jobs, lambda: _pool(jobs, scheduler), look, as_json
            )
        return
    for name, value in (("--width", width), ("--minutes", minutes)):
        if value is not None:
            raise InvalidOption(f"{name} goes with --goal turns: add it or leave {name} out")
    goals = [parse_goal(text) for text in goal_texts]
    tasks = making_turns.plan(
        chosen, _hands(chosen, hands, upto, source, goals), goals, limit // jobs
    )
    if status:
        _say(as_json, "status", making_turns.status(tables, tasks), tables)
        return
    rest = [task for task in (making_turns.missing(tables, task) for task in tasks) if task]
    if not rest and not dry_run:
        _say(as_json, "made", {"made": 0, "present": _count(tasks), "seconds": 0.0}, tables)
        return
    planned = making_turns.estimate(rest, jobs) | {"present": _count(tasks) - _count(rest)}
    if dry_run:
        _say(as_json, "plan", planned, tables)
        return
    click.echo(_plan_text(planned, tables), err=True)
    begin = time.monotonic()
    with (
        _interruptible(ctx),
        _pool(jobs, scheduler) as (make_pool, ahead),
        bar(_count(tasks), "tables") as advance,
    ):
        found = making_turns.run(tables, tasks, make_pool, ahead, advance)
    _say(as_json, "made", found | {"seconds": round(time.monotonic() - begin, 3)}, tables)


def _hands(
    rules: RuleSet,
    hands: tuple[str, ...],
    upto: int | None,
    source: str | None,
    goals: list[Goal],
) -> list[tuple[str, ...]]:
    """Return the sets of cards that the options ask for."""
    from advisor.court.tables import making_turns

    if (upto is None) != (source is None):
        raise InvalidOption("--upto K and --from CARDS belong together: give both or neither")
    listed = [parse_cards(text) for text in hands]
    for hand in listed:
        check_hand(hand, rules)
        for goal in goals:
            check_goal(goal, hand, rules)
    if upto is not None and source is not None:
        listed += making_turns.subsets(parse_cards(source), upto)
    if not listed:
        raise InvalidCards("no set of cards: give --cards farmer,guard, or --upto 2 --from CARDS")
    return listed


def _count(tasks: list[Task]) -> int:
    return sum(len(task.goals) for task in tasks)


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


def _plan_text(planned: dict[str, float], where: Path) -> str:
    return (
        f"{planned['tables']} tables of {planned['sets']} sets of cards to make, "
        f"{planned['present']} there; {duration(planned['seconds'])} and "
        f"{show_bytes(planned['bytes'])} in {where}"
    )


def _say(as_json: bool, what: str, found: dict[str, Any], where: Path) -> None:
    if as_json:
        click.echo(json.dumps({"command": "precompute", "folder": str(where), what: found}))
    elif what == "plan":
        click.echo(_plan_text(found, where))
    elif what == "status":
        click.echo(
            ", ".join(f"{number} {state}" for state, number in sorted(found.items()))
            + f" in {where}"
        )
    else:
        click.echo(
            f"{found['made']} tables made, {found['present']} were there, {found['seconds']:.1f} s"
        )


def _verify(where: Path, sample: int, seed: int, memory: int, as_json: bool) -> int:
    """Check the tables of a folder; return the exit code."""
    from advisor.court.tables import making_race, making_turns

    if not where.is_dir():
        raise UsageProblem(f"there is no folder {str(where)!r}: give another one with --tables")
    checked, bad = 0, []
    found = making_turns.verify(where, sample, seed, memory)
    for path, problem in chain(found, making_race.verify(where, sample, seed, memory)):
        checked += problem is None
        if problem:
            bad.append({"file": path.name, "error": problem})
    if as_json:
        click.echo(
            json.dumps(
                {
                    "command": "precompute",
                    "folder": str(where),
                    "sound": checked,
                    "sample": sample,
                    "bad": bad,
                }
            )
        )
    else:
        for entry in bad:
            click.echo(f"Error: {entry['error']}", err=True)
        again = f", {min(sample, checked)} solved again" if sample else ""
        click.echo(f"{checked} tables sound{again}, {len(bad)} bad in {where}")
    return TableProblem.exit_code if bad else 0
