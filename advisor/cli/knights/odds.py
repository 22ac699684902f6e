"""`advisor knights odds`: how likely cards are beaten."""

from __future__ import annotations

import click

from advisor.cli.knights import options
from advisor.cli.output import Written
from advisor.knights.rules.options import RuleSet, parse_combination, parse_die_cards
from advisor.knights.show.text import Output


@click.command("odds", epilog="Example: advisor knights odds --die 3,5 --plot odds.png")
@click.option(
    "--card", "cards", multiple=True, metavar="CARD", help="Only this card; may be repeated."
)
@click.option(
    "--throws",
    type=click.IntRange(1, 4),
    multiple=True,
    help="Only so many throws; may be repeated.",
)
@options.die
@options.attack
@options.defender_die
@options.plot
@options.common
def command(
    cards: tuple[str, ...],
    throws: tuple[int, ...],
    die_cards: str,
    attack: bool,
    defender_die: str | None,
    plot: str | None,
    kept_locked: bool,
    kickers: str,
    written: Written,
) -> None:
    """Show the chance to beat each card within 1 to 4 throws, before the first throw.

    With --attack the chance to take a castle against its owner's best defence of three throws.
    """
    defender = options.defender(attack, defender_die)
    if plot:
        from advisor import drawing

        drawing.check(plot)
    from advisor.knights import questions

    answer = questions.odds(
        [parse_combination(card) for card in cards],
        sorted(set(throws)),
        parse_die_cards(die_cards),
        defender,
        RuleSet(kept_locked, kickers),
    )
    written.show(answer, Output(written.color).odds)
    if plot:
        from advisor.knights.show.drawing import draw

        draw(answer, plot)
        click.echo(f"drawn into {plot}", err=True)
