"""`advisor odds`: how likely each card is."""

from __future__ import annotations

from typing import Any

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.questions import Settings
from advisor.court.show.turn import Output


@click.command("odds", epilog="Example: advisor odds --cards farmer,guard")
@options.position_options
@click.option("--exact", is_flag=True, help="Print exact fractions where they are small enough.")
@options.plotting("the odds")
@options.answering
def command(
    exact: bool, plot: str | None, settings: Settings, written: Written, **where: Any
) -> None:
    """Show for every card the probability to pay for it, under best play for that card alone.

    Before the first roll with --cards (none: no cards), or in the middle of a turn with a position
    as in `advisor keep`; then with the first move toward each card.
    """
    language = settings["language"]
    options.check_plot(plot, language)
    position = options.read_position(settings, **where)
    answer = questions.odds(position, exact=exact, **settings)
    written.show(answer, Output(written.color, language).odds)
    if plot:
        from advisor.court.show import drawing

        drawing.odds(answer, plot, language)
        click.echo(f"drawn into {plot}", err=True)
