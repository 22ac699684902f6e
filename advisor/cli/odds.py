"""`advisor odds`: how likely each card is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from advisor import render
from advisor.cli import options
from advisor.court import answers


@click.command("odds", epilog="Example: advisor odds --cards farmer,guard")
@options.position_options
@click.option("--exact", is_flag=True, help="Print exact fractions where they are small enough.")
@click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Draw the odds into a .png or .svg file.",
)
@options.common
@options.solving
def command(
    exact: bool,
    plot: str | None,
    rules: str,
    lang: str,
    as_json: bool,
    color: str,
    memory: int | None,
    cache: bool,
    tables: Path,
    **where: Any,
) -> None:
    """Show for every card the probability to pay for it, under best play for that card alone.

    Before the first roll with --cards (none: no cards), or in the middle of a turn with a position
    as in `advisor keep`; then with the first move toward each card.
    """
    asking = options.asking(rules, lang, memory, cache, tables)
    if plot:
        from advisor import plots

        plots.check(plot)
    position = options.read_position(asking.rules, **where)
    answer = answers.odds(asking, position, exact)
    render.Output(as_json, color, lang).odds(answer)
    if plot:
        plots.odds(answer, plot, lang)
        click.echo(f"drawn into {plot}", err=True)
