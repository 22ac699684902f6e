"""`advisor claim`: take the King now or not."""

from __future__ import annotations

import sys

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.questions import Settings
from advisor.court.show.final import FinalOutput


@click.command(
    "claim",
    epilog="Example: advisor claim --result 55555553 --cards farmer,hunter,knight,general "
    "--player farmer,guard,astronomer,bishop --to-play 1",
)
@click.option(
    "--result", required=True, metavar="DICE", help="Your final dice, seven alike or better."
)
@click.option("--cards", required=True, metavar="CARDS", help="All your cards.")
@click.option(
    "--player",
    "players",
    multiple=True,
    metavar="CARDS",
    help="All cards of another player; again for each, clockwise from your left, which is the "
    'order of turns after yours. "" for no cards.',
)
@click.option(
    "--to-play",
    type=int,
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="How many of them, from the first on, still have their turn in this round.",
)
@click.option(
    "--supply",
    metavar="CARDS",
    help='Cards that can still be bought, "" for none.  [default: all copies nobody owns]',
)
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Work out the win by a later claim for every other purchase, not for three.",
)
@options.answering
def command(
    result: str,
    cards: str,
    players: tuple[str, ...],
    to_play: int,
    supply: str | None,
    every: bool,
    settings: Settings,
    written: Written,
) -> None:
    """Show your chance to win if you take the King now, and what other purchases lead to.

    The final round is solved exactly. What happens before it is a model; the answer names what it
    takes for granted.
    """
    answer = questions.claim(
        result, cards, players, to_play=to_play, supply=supply, every=every, **settings, told=_tell
    )
    written.show(answer, FinalOutput(written.color, settings["language"]).claim)


def _tell(text: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"solving: {text}", err=True)
