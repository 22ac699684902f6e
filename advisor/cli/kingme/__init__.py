"""`advisor kingme`: the commands about King Me!."""

from __future__ import annotations

from typing import Final

import click

from advisor.cli.groups import LazyGroup
from advisor.cli.kingme.completion import COMPLETED

COMMANDS: Final = {
    "Commands": {
        "move": "Whom to raise at the end of a round, all goals known.",
        "infer": "Who has which favourites, by what they did.",
        "advise": "What to do now: place, raise, Yes or No.",
        "play": "Play a game against bots or each other, with advice.",
        "analyze": "Ends of rounds of a recorded game against best play.",
        "simulate": "Many games between bots: who wins.",
    },
}


@click.group(
    "kingme",
    cls=LazyGroup,
    sections=COMMANDS,
    package="advisor.cli.kingme",
    types=COMPLETED,
    invoke_without_command=True,
    epilog="Example: advisor kingme move '5:CE 4:FG 3:D 1:P' --turn 2 --goals ACDGLO,BDEGIL,CEFINP",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Advice for King Me!: whom to raise, Yes or No, who has which favourites."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    ctx.default_map = dict.fromkeys(COMMANDS["Commands"], ctx.default_map or {})
