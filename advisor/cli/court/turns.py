"""`advisor turns`: the fewest expected turns to the King."""

from __future__ import annotations

from typing import Any

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.questions import Settings
from advisor.court.show.turn import Output


@click.command("turns", epilog="Example: advisor turns --cards farmer,general --supply hunter")
@options.race_options
@click.option(
    "--budget",
    type=float,
    metavar="S",
    help="Seconds for the interval, and for the chances.  [default: 10 for the interval with the "
    "full supply, else no limit; 3 for the chances]",
)
@options.plotting("the chances within so many turns")
@options.answering
def command(
    cards: str | None, plot: str | None, settings: Settings, written: Written, **race: Any
) -> None:
    """Show in how many turns a player alone, buying a card a turn, can expect to buy the King.

    From the hand --cards (none: no cards), with --supply to buy (none: everything that is not
    owned; "fool" stands for Fools and turning them into Charlatans). The interval is certified:
    the expectation under best play lies in it. With the full supply it is as narrow as --budget
    allows.
    """
    language = settings["language"]
    options.check_plot(plot, language)
    with options.progress() as told:
        answer = questions.turns(cards or (), **race, **settings, told=told)
    written.show(answer, Output(written.color, language).turns)
    if plot:
        from advisor.court.show import drawing

        drawing.turns(answer, plot, language)
        click.echo(f"drawn into {plot}", err=True)
