"""`advisor turns`: the fewest expected turns to the King."""

from __future__ import annotations

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.asking import Asking
from advisor.court.race import questions as race
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
    cards: str | None,
    supply: str | None,
    width: float | None,
    budget: float | None,
    plot: str | None,
    asking: Asking,
    written: Written,
) -> None:
    """Show in how many turns a player alone, buying a card a turn, can expect to buy the King.

    From the hand --cards (none: no cards), with --supply to buy (none: everything that is not
    owned; "fool" stands for Fools and turning them into Charlatans). The interval is certified:
    the expectation under best play lies in it. With the full supply it is as narrow as --budget
    allows.
    """
    options.check_plot(plot, asking.language)
    if width is not None:
        race.check_width(width)
    hand = options.read_hand(cards, asking.rules)
    chosen = options.read_supply(hand, asking.rules, supply)
    if budget is not None:
        race.check_budget(budget)
    with options.progress() as told:
        answer = race.turns(asking, hand, chosen, width, budget, told)
    written.show(answer, Output(written.color, asking.language).turns)
    if plot:
        from advisor.court.show import drawing

        drawing.turns(answer, plot, asking.language)
        click.echo(f"drawn into {plot}", err=True)
