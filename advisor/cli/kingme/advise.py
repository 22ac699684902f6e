"""`advisor kingme advise`: what to do now."""

from __future__ import annotations

from functools import partial

import click

from advisor.cli.kingme import options
from advisor.cli.output import Written
from advisor.kingme import questions
from advisor.kingme.show.text import Output


@click.command("advise", epilog="Example: advisor kingme advise game.txt --me 1 --goal ABEFNP")
@options.seen
@click.option(
    "--playouts",
    type=click.IntRange(2, 1_000_000),
    metavar="N",
    help="Play so many rounds out for each option, also where exact values could be had.  "
    "[default: 400 where they cannot]",
)
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the play-outs."
)
@options.jobs_option
@click.option("--all", "every", is_flag=True, help="Show every option.")
@options.output
def command(
    record: str,
    me: str,
    goal: str | None,
    deck: str | None,
    strength: float,
    playouts: int | None,
    seed: int,
    jobs: int | None,
    every: bool,
    written: Written,
) -> None:
    """Rank what is due in RECORD: placing, raising or voting.

    By the own points of the round to be expected, in the third round by the chance to win the
    game. Exact where every possible deal can be solved, otherwise play-outs with deals drawn by
    what the others did (see infer), with 95 % intervals.
    """
    seen = options.read_seen(record, me, goal, deck, strength)
    with options.bar(questions.playouts_wanted(seen, playouts), "play-outs") as advance:
        answer = questions.advise(seen, playouts, seed, jobs or options.cores(), advance)
    written.show(answer, partial(Output(written.color).advise, every=every))
