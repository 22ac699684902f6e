"""`advisor knights`: the commands about Knights."""

from __future__ import annotations

from typing import Final

import click

from advisor.cli.groups import LazyGroup

COMMANDS: Final = {
    "Commands": {
        "keep": "Which dice to keep against a card, a castle's owner or the throne.",
        "odds": "How likely each card is beaten, by number of throws.",
        "tournament": "How likely each player wins a tournament.",
        "target": "Which card to try for, in a described position.",
    },
}


@click.group(
    "knights",
    cls=LazyGroup,
    sections=COMMANDS,
    package="advisor.cli.knights",
    invoke_without_command=True,
    epilog="Example: advisor knights keep 552366 --card 3332",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Exact advice for the dice game Knights."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    ctx.default_map = dict.fromkeys(COMMANDS["Commands"], ctx.default_map or {})
