"""`advisor giveit simulate`: many games between bots."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.giveit import options
from advisor.cli.output import Written, bar, cores, output
from advisor.cli.output import jobs as jobs_option
from advisor.giveit.answers import Given
from advisor.giveit.rules import box as boxes
from advisor.giveit.show.text import Output


@click.command(
    "simulate", epilog="Example: advisor giveit simulate --seats best,exact --games 200 --seed 1"
)
@click.option(
    "--seats",
    required=True,
    metavar="BOTS",
    help="Who plays, clockwise: two to four of best, exact, first and random.",
)
@click.option("--games", type=int, default=100, show_default=True, metavar="N", help="Games.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="SEED", help="Seed of all chance."
)
@jobs_option
@options.box
@output
@options.tables
@click.pass_context
def command(
    ctx: click.Context,
    seats: str,
    games: int,
    seed: int,
    jobs: int | None,
    box_file: str | None,
    written: Written,
    tables: Path,
) -> None:
    """Play many whole games between bots and show who wins how often.

    The same seed gives the same games, whatever --jobs. The seats rotate from game to game.
    Ctrl-C ends it and shows what was played so far.
    """
    from advisor.giveit.play import simulate

    lineup = tuple(part.strip().casefold() for part in seats.split(","))
    match = simulate.Match(lineup, games, seed, boxes.load(box_file), tables)
    tally, interrupted = simulate.Tally(), False
    try:
        with bar(games, "games") as advance:
            for part in simulate.simulate(match, min(jobs or cores(), games)):
                tally.add(part)
                advance(part.games)
    except KeyboardInterrupt:
        interrupted = True
        click.echo(f"interrupted after {tally.games} of {games} games", err=True)
    if tally.games:
        written.show(Given(data=simulate.answer(match, tally)), Output(written.color).simulate)
    if interrupted:
        ctx.exit(1)
