"""`advisor giveit odds`: everybody's chances, and what each roll allows."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.giveit import options
from advisor.cli.output import Written, output


@click.command("odds", epilog="Example: advisor giveit odds 17,18,19,20 --turn 4")
@options.position
@options.worth
@output
@options.resources
@click.pass_context
def command(
    ctx: click.Context,
    /,
    distances: str,
    turn: int | None,
    players: int,
    deliver: str | None,
    captain: int | None,
    purses: str | None,
    written: Written,
    tables: Path,
    memory: int | None,
) -> None:
    """Show everybody's chance to reach the throne, and the moves of each roll.

    DISTANCES are the spaces to the throne room by seat, for example 17,18,19,20; seats count from
    1. With --deliver the gold of the day instead. With - as DISTANCES one question a line is read
    from standard input: distances, the seat on turn, and a roll where only that is asked.
    """
    aim = options.read_aim(players, deliver, captain, purses)
    asking, shown = options.asking(tables, memory), options.Showing(written)
    if distances == "-":
        ctx.exit(options.batch(asking, shown, aim, turn, None))
    options.answer(asking, shown, aim, options.one_line([distances], turn, None, players))
