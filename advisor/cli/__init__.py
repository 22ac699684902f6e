"""The command line: a group of lazily loaded commands, one module each."""

from __future__ import annotations

import os
from typing import Final

import click

from advisor import __version__
from advisor.cli.completion import COMPLETED, mend_fish
from advisor.cli.groups import LazyGroup

COMMANDS: Final = {
    "To Court the King": {
        "keep": "What to do now: options ranked, plan, purchase odds.",
        "odds": "How likely each card is, under best play for it.",
        "turns": "How many turns to the King, under best play and purchases.",
        "buy": "Which card to buy with a result.",
        "final": "The final round: everybody's chance to win, and what to do in it.",
        "claim": "Take the King now or not, and what else could be bought.",
        "simulate": "Many games between bots: who wins, turns to the King, purchases.",
        "play": "Play a game against bots or each other, with advice.",
        "quiz": "Positions to decide yourself, with the score kept.",
        "analyze": "A recorded game or turn judged: losses, luck, a report.",
        "cards": "The characters: cost, ability, copies, names.",
    },
    "Knights": {
        "knights": "Dice to keep, odds, tournaments and targets of the dice game Knights.",
    },
    "King Me!": {
        "kingme": "Advice and games of King Me!: whom to raise, Yes or No, favourites.",
    },
    "Give It to the King!": {
        "giveit": "Which messenger to move, chances and messages of Give It to the King!",
    },
    "Upkeep": {
        "precompute": "Tables of many turns, made once, for answers without solving.",
        "cache": "The answers kept on disk: show or clear them.",
    },
}
"""Short help by section; the modules load only when their command runs."""


if "_ADVISOR_COMPLETE" in os.environ:
    mend_fish()


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"advisor {__version__}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    sections=COMMANDS,
    package="advisor.cli.court",
    modules={name: f"advisor.cli.{name}" for name in ("knights", "kingme", "giveit", "cache")},
    types=COMPLETED,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: advisor keep /6552:Fa- --goal guard",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Exact advice for To Court the King, Knights, King Me! and Give It to the King!"""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    from advisor.cli.config import read_config

    ctx.default_map = dict.fromkeys(COMMANDS_BY_NAME, read_config())


COMMANDS_BY_NAME: Final = [name for section in COMMANDS.values() for name in section]
