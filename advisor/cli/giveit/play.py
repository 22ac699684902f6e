"""`advisor giveit play`: a game at the terminal."""

from __future__ import annotations

import random
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from advisor.cli.giveit import options
from advisor.cli.output import coloring, typed_line
from advisor.dice import SEEDS
from advisor.errors import InvalidInput, InvalidOption
from advisor.giveit.rules import box as boxes

if TYPE_CHECKING:
    from advisor.giveit.play.session import Session
    from advisor.giveit.show.game import PlayOutput

DRAWN: Final = 10**6
"""Seeds that are drawn are below, so that they can be typed again."""


@click.command("play", epilog="Example: advisor giveit play --seats human:Anna,best,exact --seed 7")
@click.option(
    "--seats",
    default="human,best",
    show_default=True,
    metavar="PLAYERS",
    help="Who plays, clockwise: two to four of human, best, exact, first and random; human:Anna "
    "has a name.",
)
@click.option("--seed", type=int, metavar="SEED", help="Seed of all chance.  [default: drawn]")
@click.option(
    "--dice",
    type=click.Choice(["rolled", "typed"]),
    default="rolled",
    show_default=True,
    help="Rolled by the program, or at the table and typed.",
)
@options.box
@coloring
@options.tables
@click.pass_context
def command(
    ctx: click.Context,
    seats: str,
    seed: int | None,
    dice: str,
    box_file: str | None,
    color: str,
    tables: Path,
) -> None:
    """Play a whole game: by turns you and bots, or several of you at one terminal.

    The prompt says what it takes: the number of a messenger to move, the name of a message to
    reveal, Enter for none, ? for advice, q to leave. Who is the only one to have a choice is asked;
    forced steps happen by themselves.
    """
    from advisor.giveit.play import session as playing
    from advisor.giveit.play.simulate import table_for
    from advisor.giveit.rules.game import new_game
    from advisor.giveit.show.game import PlayOutput

    players, box = playing.read_seats(seats), boxes.load(box_file)
    if seed is not None and not 0 <= seed < SEEDS:
        raise InvalidOption(f"--seed {seed}: write a whole number of at most 18 digits")
    chosen = secrets.randbelow(DRAWN) if seed is None else seed
    rng = random.Random(f"{chosen}")
    game = new_game(len(players), box, rng)
    session = playing.Session(
        game, players, rng, table_for(tables, len(players), box.length), dice == "typed"
    )
    output = PlayOutput(session, color)
    click.echo(f"{', '.join(seat.name for seat in players)}; seed {chosen}; {box.describe()}")
    output.day(game)
    ctx.exit(_played(session, output))


def _played(session: Session, output: PlayOutput) -> int:
    """Play until the game is over or the player leaves; return the exit code."""
    try:
        while True:
            for before, step in session.advance():
                output.step(before, step)
            if session.game.is_over:
                return 0
            output.prompt()
            text = _read()
            if text is None or text.strip().casefold() == "q":
                return 0
            _heard(session, output, text)
    except KeyboardInterrupt:
        click.echo()
        return 1


def _heard(session: Session, output: PlayOutput, text: str) -> None:
    if text.strip() == "?":
        output.advice()
        return
    try:
        output.step(*session.hear(text))
    except InvalidInput as error:
        click.echo(str(error))


def _read() -> str | None:
    click.echo("> ", nl=False)
    text = typed_line()
    if not sys.stdin.isatty():
        # So that what comes through a pipe reads like what was seen.
        click.echo(text or "")
    elif text is None:
        click.echo()
    return text
