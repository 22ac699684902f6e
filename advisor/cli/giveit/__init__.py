"""`advisor giveit`: the commands about Give It to the King!."""

from __future__ import annotations

from typing import Final

import click

from advisor.cli.groups import LazyGroup

COMMANDS: Final = {
    "Commands": {
        "odds": "Everybody's chance to reach the throne, or gold, and each roll's moves.",
        "move": "Which messenger to move with a roll.",
        "reveal": "Reveal a message now, or keep it.",
        "play": "Play a game against bots or each other, with advice.",
        "simulate": "Many games between bots: who wins, with how much gold.",
        "precompute": "Tables of the chances to reach the throne, made once.",
    },
}


@click.group(
    "giveit",
    cls=LazyGroup,
    sections=COMMANDS,
    package="advisor.cli.giveit",
    invoke_without_command=True,
    epilog="Example: advisor giveit move 17,18,19,20 --turn 4 --roll 3",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Exact advice for the dice game Give It to the King!."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    ctx.default_map = dict.fromkeys(COMMANDS["Commands"], ctx.default_map or {})
