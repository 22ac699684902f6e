"""`advisor kingme play`: a game at the terminal, against bots or each other."""

from __future__ import annotations

import secrets
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from advisor.cli.kingme import options
from advisor.errors import AdvisorError, InvalidOption
from advisor.kingme import questions
from advisor.kingme.rules.goals import load
from advisor.kingme.rules.record import SEEDS, Header

if TYPE_CHECKING:
    from advisor.kingme.play.file import RecordFile
    from advisor.kingme.play.session import Asked, Event, Session
    from advisor.kingme.show.game import PlayOutput

SEATS: Final = "human,best,best"
DRAWN: Final = 10**6
"""Seeds that are drawn are below, so that they can be typed again."""
BEGINS: Final = ("seats", "seed", "where", "deck")
"""Options that say how a game begins."""


@click.command(
    "play", epilog="Example: advisor kingme play --seats human:Anna,best,greedy --seed 7"
)
@click.option(
    "--seats",
    metavar="PLAYERS",
    help="Who plays, clockwise, the first one starting: three to six of human, best, greedy and "
    f"random, comma separated; human:Anna has a name.  [default: {SEATS}]",
)
@click.option("--seed", type=int, metavar="SEED", help="Seed of the goals.  [default: drawn]")
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
@options.deck
@options.coloring
@click.pass_context
def command(
    ctx: click.Context,
    seats: str | None,
    seed: int | None,
    where: Path | None,
    resume: Path | None,
    deck: str | None,
    color: str,
) -> None:
    """Play a game: three rounds, you and bots, or several of you at one terminal.

    At every step the prompt says what it takes: A 3 to place, A to raise, y or n to vote, ? for
    advice, f for what the others seem to have, u to take back, h for help, q to save and leave.

    Every step is written into a record at once: --resume goes on exactly there. The same seed and
    the same moves give the same record.
    """
    from advisor.kingme.play.session import Session
    from advisor.kingme.show.game import PlayOutput

    with _file(ctx, resume, seats, seed, where, deck) as file:
        session = Session(file, load(file.record.header.goals))
        output = PlayOutput(session, color)
        output.begin(len(file.record.entries) if resume else 0)
        try:
            code = _played(session, output)
        finally:
            output.saved(
                str(file.where),
                shlex.join(["advisor", "kingme", "play", "--resume", str(file.where)]),
                shlex.join(["advisor", "kingme", "analyze", str(file.where)]),
            )
    ctx.exit(code)


def _file(
    ctx: click.Context,
    resume: Path | None,
    seats: str | None,
    seed: int | None,
    where: Path | None,
    deck: str | None,
) -> RecordFile:
    """Return the record to play into: one to go on with, or a new one."""
    from advisor.kingme.play.file import RecordFile, free_name
    from advisor.kingme.play.session import read_seats

    if resume is not None:
        typed = click.core.ParameterSource.COMMANDLINE
        for param in ctx.command.params:
            if param.name in BEGINS and ctx.get_parameter_source(param.name) is typed:
                raise InvalidOption(f"{param.opts[0]} and --resume: the record says that; leave it")
        return RecordFile.resume(resume, lambda message: click.echo(f"Note: {message}", err=True))
    if seed is not None and not 0 <= seed < SEEDS:
        raise InvalidOption(f"--seed {seed}: write a whole number of at most 18 digits")
    load(deck)
    number = secrets.randbelow(DRAWN) if seed is None else seed
    header = Header(read_seats(SEATS if seats is None else seats), deck, number)
    return RecordFile.begin(where or free_name(number), header)


def _played(session: Session, output: PlayOutput) -> int:
    """Play until the game is over or the player leaves; return the exit code."""
    try:
        _show(session.advance(), session, output)
        while not session.is_over:
            output.prompt()
            text = _read()
            if text is None or _show(session.hear(text), session, output):
                break
    except KeyboardInterrupt:
        click.echo()
        return 1
    return 0


def _show(events: Iterable[Event], session: Session, output: PlayOutput) -> bool:
    """Show events; return whether the player leaves."""
    from advisor.kingme.play.session import Asked, Left, Problem

    left = False
    for event in events:
        if isinstance(event, Asked):
            try:
                _advise(event, session, output)
            except AdvisorError as problem:
                output.show(Problem(str(problem)))
        output.show(event)
        left = left or isinstance(event, Left)
    return left


def _advise(asked: Asked, session: Session, output: PlayOutput) -> None:
    seen = questions.Seen(session.record, asked.seat, asked.goal, session.deck, options.STRENGTH)
    if asked.favourites:
        output.infer(questions.infer(seen, 2))
    else:
        output.advise(questions.advise(seen, None, session.seed, 1), asked.every)


def _read() -> str | None:
    """Return the next line that is typed, None at the end of the input."""
    click.echo("> ", nl=False)
    text = options.typed_line()
    if not sys.stdin.isatty():
        # So that what comes through a pipe reads like what was seen.
        click.echo(text or "")
    elif text is None:
        click.echo()
    return text
