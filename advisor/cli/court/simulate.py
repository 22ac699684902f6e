"""`advisor simulate`: many games between bots."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli import output as shared
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.rules.options import RULE_SETS
from advisor.court.show.simulate import SimulateOutput


@click.command(
    "simulate", epilog="Example: advisor simulate --seats best,greedy,random --games 200 --seed 1"
)
@click.option(
    "--seats",
    required=True,
    metavar="BOTS",
    help="Who plays, clockwise: one to five of best, greedy and random, comma separated.",
)
@click.option("--games", type=int, default=100, show_default=True, metavar="N", help="Games.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="SEED", help="Seed of the dice."
)
@shared.jobs
@options.plotting("win rates and turns to the King")
@options.common
@options.tables
@click.pass_context
def command(
    ctx: click.Context,
    seats: str,
    games: int,
    seed: int,
    jobs: int | None,
    plot: str | None,
    rules: str,
    lang: str,
    written: Written,
    tables: Path,
) -> None:
    """Play many games between bots and show who wins how often.

    Also shown: how many turns it took to take the King, and which cards each kind of bot buys.
    The same seed gives the same games, whatever --jobs. The seats rotate from game to game, so
    that everybody starts equally often. Ctrl-C ends it and shows what was played so far.
    """
    options.check_plot(plot)
    from advisor.court.play import simulate

    lineup = simulate.read_lineup(seats)
    match = simulate.Match(lineup, games, seed, RULE_SETS[rules], tables)
    tally, interrupted = simulate.Tally(len(lineup)), False
    try:
        with shared.bar(games, "games") as advance:
            for part in simulate.simulate(match, min(jobs or shared.cores(), games)):
                tally.add(part)
                advance(part.games)
    except KeyboardInterrupt:
        interrupted = True
        click.echo(f"interrupted after {tally.games} of {games} games", err=True)
    if tally.games:
        answer = simulate.answer(match, tally)
        written.show(answer, SimulateOutput(written.color, lang).simulate)
        if plot:
            from advisor.court.show import drawing

            drawing.simulate(answer, plot)
            click.echo(f"drawn into {plot}", err=True)
    if interrupted:
        ctx.exit(1)
