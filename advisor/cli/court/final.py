"""`advisor final`: who wins the final round, and what to do in it."""

from __future__ import annotations

from functools import partial

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.questions import Settings
from advisor.court.show.final import FinalOutput


@click.command(
    "final",
    epilog="Example: advisor final --best 7x5 --player farmer,guard,knight,bishop,general "
    "--player farmer,astronomer,knight,general",
)
@click.option("--best", required=True, metavar="RANK", help="Best result so far, for example 7x5.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="CARDS",
    help="All cards of one player; again for each one still to roll, in rolling order, the "
    'Queen\'s owner last. "" for no cards.',
)
@click.option(
    "--holder",
    metavar="NUMBER",
    help="Who holds the King: the number of a listed player, or 'gone' for one who has rolled "
    "already.  [default: the last]",
)
@click.option(
    "--position",
    metavar="POSITION",
    help="Where the first listed player stands in the turn: ranks the options.",
)
@click.option(
    "--goal",
    type=click.Choice(["final"]),
    default="final",
    show_default=True,
    help="What the options are ranked by: the chance to win the final round.",
)
@click.option("--all", "every", is_flag=True, help="Show every option and every use of a card.")
@options.plotting("the answer")
@options.answering
def command(
    best: str,
    players: tuple[str, ...],
    holder: str | None,
    position: str | None,
    goal: str,
    every: bool,
    plot: str | None,
    settings: Settings,
    written: Written,
) -> None:
    """Show each player's chance to win the final round, all playing their best for it.

    List the players still to roll in rolling order. The last one is the Queen's owner and gets the
    Queen without being asked. With --position, the first player's options are ranked by the chance
    to win.
    """
    language = settings["language"]
    options.check_plot(plot, language)
    answer = questions.final(
        best, players, holder=holder, position=position, every=every, odd=_warn, **settings
    )
    output = FinalOutput(written.color, language)
    written.show(answer, partial(output.final, every=every))
    if plot:
        from advisor.court.show import drawing

        drawing.final(answer, plot, language)
        click.echo(f"drawn into {plot}", err=True)


def _warn(text: str) -> None:
    click.echo(f"Warning: {text}", err=True)
