"""`advisor kingme simulate`: many games between bots."""

from __future__ import annotations

import click

from advisor.cli.kingme import options
from advisor.cli.output import Written
from advisor.kingme.rules.goals import load
from advisor.kingme.show.text import Output


@click.command(
    "simulate",
    epilog="Example: advisor kingme simulate --seats greedy,random,random --games 20 --seed 1",
)
@click.option(
    "--seats",
    required=True,
    metavar="BOTS",
    help="Who plays, clockwise: three to six of best, greedy and random, comma separated.",
)
@click.option("--games", type=int, default=100, show_default=True, metavar="N", help="Games.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="SEED", help="Seed.")
@options.jobs_option
@options.deck
@options.output
@click.pass_context
def command(
    ctx: click.Context,
    seats: str,
    games: int,
    seed: int,
    jobs: int | None,
    deck: str | None,
    written: Written,
) -> None:
    """Play many games between bots and show who wins how often.

    The same seed gives the same games, whatever --jobs. The seats rotate from game to game, so
    that everybody starts equally often. Ctrl-C ends it and shows what was played so far.
    """
    from advisor.kingme.play import simulate

    lineup = tuple(part.strip().casefold() for part in seats.split(","))
    match = simulate.Match(lineup, games, seed, load(deck))
    tally, interrupted = simulate.Tally(len(lineup)), False
    try:
        with options.bar(games, "games") as advance:
            for part in simulate.simulate(match, min(jobs or options.cores(), games)):
                tally.add(part)
                advance(part.games)
    except KeyboardInterrupt:
        interrupted = True
        click.echo(f"interrupted after {tally.games} of {games} games", err=True)
    if tally.games:
        written.show(simulate.answer(match, tally), Output(written.color).simulate)
    if interrupted:
        ctx.exit(1)
