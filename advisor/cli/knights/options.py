"""Options that commands about Knights share."""

from __future__ import annotations

import click

from advisor.cli.output import Command, adding, output
from advisor.errors import InvalidOption
from advisor.knights.rules.options import KICKERS, DieCards, parse_die_cards


def common(command: Command) -> Command:
    """Add the rule options and the output options."""
    command = output(command)
    return adding(
        command,
        click.option(
            "--kept-locked", is_flag=True, help="A die once kept may not be thrown again."
        ),
        click.option(
            "--kickers",
            type=click.Choice(KICKERS),
            default="one",
            show_default=True,
            help="Dice beside the group that break ties: the best one, or all.",
        ),
    )


die = click.option(
    "--die", "die_cards", metavar="VALUES", default="-", help="Own Die cards, for example 3,5."
)

attack = click.option(
    "--attack", is_flag=True, help="The card is another player's castle, who defends it."
)

defender_die = click.option(
    "--defender-die", metavar="VALUES", help="The defender's Die cards (with --attack)."
)


def defender(attack: bool, die_cards: str | None) -> DieCards | None:
    """Return the Die cards of the castle's owner, None without an attack."""
    if die_cards is not None and not attack:
        raise InvalidOption("--defender-die without --attack: add --attack or leave it out")
    return parse_die_cards(die_cards or "-") if attack else None


plot = click.option(
    "--plot",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Draw the odds into a .png or .svg file.",
)
