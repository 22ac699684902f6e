"""`advisor kingme infer`: who has which favourites."""

from __future__ import annotations

import click

from advisor.cli.kingme import options
from advisor.cli.output import Written
from advisor.kingme import questions
from advisor.kingme.show.text import Output


@click.command("infer", epilog="Example: advisor kingme infer game.txt --me 1 --goal ABEFNP")
@options.seen
@click.option(
    "--top",
    type=click.IntRange(1, 1716),
    default=2,
    show_default=True,
    metavar="N",
    help="So many of the likeliest cards of each player.",
)
@options.output
def command(
    record: str,
    me: str,
    goal: str | None,
    deck: str | None,
    strength: float,
    top: int,
    written: Written,
) -> None:
    """Show each other player's likeliest goals, by what they did in the round of RECORD.

    RECORD is a game as docs/kingme.md describes it (- for standard input). All deals that are
    possible given the own goal and the cards put away are weighed by the chance of everything that
    was placed, raised and voted, if each player chooses by the own goal alone.
    """
    seen = options.read_seen(record, me, goal, deck, strength)
    written.show(questions.infer(seen, top), Output(written.color).infer)
