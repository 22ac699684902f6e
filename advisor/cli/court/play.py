"""`advisor play`: a game at the terminal, against bots or each other."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from advisor.cli import output as shared
from advisor.cli.court import options
from advisor.court.asking import Asking
from advisor.court.play.header import Header
from advisor.court.play.record_file import RecordFile, free_name
from advisor.court.race.questions import Told, check_budget
from advisor.court.rules.notation import parse_position
from advisor.court.rules.options import RULE_SETS
from advisor.dice import SEEDS
from advisor.errors import InvalidOption

if TYPE_CHECKING:
    from advisor.court.play.events import Event
    from advisor.court.play.session import Session
    from advisor.court.show.game import PlayOutput

SEATS: Final = "human,best"
DRAWN: Final = 10**6
"""Seeds that are drawn are below, so that they can be typed again."""
THRESHOLD: Final = 0.05
BUDGET: Final = 3.0
BEGINS: Final = ("seats", "seed", "turn", "where", "rules")
"""Options that say how a game begins."""


@dataclass(frozen=True)
class Coach:
    """From which loss on a move has to be confirmed, and how the command line says so."""

    threshold: float | None
    flags: tuple[str, ...]


@click.command("play", epilog="Example: advisor play --seats human:Anna,best --seed 7 --coach")
@click.option(
    "--seats",
    metavar="PLAYERS",
    help="Who plays, clockwise, the first one starting: one to five of human, best, greedy and "
    f"random, comma separated; human:Anna has a name.  [default: {SEATS}]",
)
@click.option("--seed", type=int, metavar="SEED", help="Seed of the dice.  [default: drawn]")
@click.option(
    "--turn", metavar="POSITION", help="Play a single turn from a position instead of a game."
)
@click.option(
    "--record",
    "where",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the game is written, step by step.  [default: in the user's data folder]",
)
@click.option(
    "--resume",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on with the game of a record.",
)
@click.option("--coach", is_flag=True, help="Warn before moves that lose much.")
@click.option(
    "--threshold",
    type=float,
    metavar="LOSS",
    help="What --coach calls much, in turns, or in the end as a probability to win.  "
    f"[default: {THRESHOLD}]",
)
@click.option(
    "--budget",
    type=float,
    default=BUDGET,
    show_default=True,
    metavar="S",
    help="Seconds a turn for the intervals of advice.",
)
@options.ruling
@shared.coloring
@options.tables
@click.pass_context
def command(
    ctx: click.Context,
    seats: str | None,
    seed: int | None,
    turn: str | None,
    where: Path | None,
    resume: Path | None,
    coach: bool,
    threshold: float | None,
    budget: float,
    rules: str,
    lang: str,
    color: str,
    tables: Path,
) -> None:
    """Play a game: by turns you and bots, or several of you at one terminal, or a single turn.

    At every step the prompt says what it takes: dice to set aside (66, or 66r to roll the others
    at once), r to roll, a card to use (Hu, As 4>2), ? for advice, u to take a step back, h for
    help, q to save and leave. At the end of a turn a card is bought by its number or name.

    Every step is written into a record at once: --resume goes on exactly there. The same seed and
    the same moves give the same record.
    """
    check_budget(budget)
    coaching = _coach(coach, threshold)
    from advisor.court.coach.coach import Coach
    from advisor.court.play.session import Session
    from advisor.court.show.game import PlayOutput

    with _file(ctx, resume, seats, seed, turn, where, rules) as file:
        asking = Asking(
            file.record.header.rules, lang, tables=tables,
            warn=lambda message: click.echo(f"Note: {message}", err=True),
        )  # fmt: skip
        session = Session(file, Coach(asking, budget), coaching.threshold)
        output = PlayOutput(session, color, lang)
        output.begin(len(file.record.entries) if resume else 0)
        try:
            code = _played(session, output)
        finally:
            output.saved(
                str(file.where),
                shlex.join(["advisor", "play", "--resume", str(file.where), *coaching.flags]),
                shlex.join(["advisor", "analyze", str(file.where)]),
            )
    ctx.exit(code)


# ---------------------------------------------------------------- what is played


def _coach(coach: bool, threshold: float | None) -> Coach:
    if threshold is not None and not 0 <= threshold <= 100:
        raise InvalidOption(f"--threshold {threshold:g}: write a loss from 0 on, for example 0.1")
    if threshold is not None:
        return Coach(threshold, ("--coach", "--threshold", f"{threshold:g}"))
    return Coach(THRESHOLD, ("--coach",)) if coach else Coach(None, ())


def _file(
    ctx: click.Context,
    resume: Path | None,
    seats: str | None,
    seed: int | None,
    turn: str | None,
    where: Path | None,
    rules: str,
) -> RecordFile:
    """Return the record to play into: one to go on with, or a new one."""
    if resume is not None:
        typed = click.core.ParameterSource.COMMANDLINE
        for param in ctx.command.params:
            if param.name in BEGINS and ctx.get_parameter_source(param.name) is typed:
                raise InvalidOption(f"{param.opts[0]} and --resume: the record says that; leave it")
        return RecordFile.resume(resume, lambda message: click.echo(f"Note: {message}", err=True))
    header = _header(seats, seed, turn, rules)
    # What is wrong with a game is said before there is a file.
    header.first()
    assert header.seed is not None
    return RecordFile.begin(where or free_name(header.seed), header)


def _header(seats: str | None, seed: int | None, turn: str | None, rules: str) -> Header:
    from advisor.court.play.players import read_seats

    if seats is not None and turn is not None:
        raise InvalidOption("--seats and --turn: a single turn has no seats; leave one out")
    if seed is not None and not 0 <= seed < SEEDS:
        raise InvalidOption(f"--seed {seed}: write a whole number of at most 18 digits")
    return Header(
        RULE_SETS[rules],
        () if turn is not None else read_seats(SEATS if seats is None else seats),
        secrets.randbelow(DRAWN) if seed is None else seed,
        None if turn is None else parse_position(turn),
    )


# ---------------------------------------------------------------- reading and showing


def _played(session: Session, output: PlayOutput) -> int:
    """Play until the game is over or the player leaves; return the exit code."""
    try:
        _show(session.advance(), output)
        while not session.is_over:
            output.prompt()
            text = _read(output)
            if text is None:
                break
            with options.progress() as told:
                left = _show(session.hear(text, told), output, told)
            if left:
                break
    except KeyboardInterrupt:
        click.echo()
        return 1
    return 0


def _show(events: Iterable[Event], output: PlayOutput, told: Told = lambda message: None) -> bool:
    """Show events, each in place of what `told` said before; return whether the player leaves."""
    from advisor.court.play.events import Left

    left = False
    for event in events:
        told("")
        output.show(event)
        left = left or isinstance(event, Left)
    return left


def _read(output: PlayOutput) -> str | None:
    """Return the next line that is typed, None at the end of the input."""
    click.echo(output.sign, nl=False)
    text = shared.typed_line()
    if not sys.stdin.isatty():
        # So that what comes through a pipe reads like what was seen.
        click.echo(text or "")
    elif text is None:
        click.echo()
    return text
