"""`advisor giveit move`: which messenger to move."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.giveit import options
from advisor.cli.output import Written, output
from advisor.errors import InvalidOption
from advisor.giveit.rules.notation import roll_number


@click.command("move", epilog="Example: advisor giveit move 17,18,19,20 --turn 4 --roll 3")
@options.position
@click.option("--roll", type=int, metavar="DIE", help="What the die shows; a 1 is the Big Jump.")
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
    roll: int | None,
    deliver: str | None,
    captain: int | None,
    purses: str | None,
    written: Written,
    tables: Path,
    memory: int | None,
) -> None:
    """Rank the messengers that a roll can move, best first for the seat on turn.

    DISTANCES as in `advisor giveit odds`; with - one question a line: distances, seat, roll.
    """
    aim = options.read_aim(players, deliver, captain, purses)
    thrown = None if roll is None else roll_number(roll)
    asking, shown = options.asking(tables, memory), options.Showing(written)
    if distances == "-":
        ctx.exit(options.batch(asking, shown, aim, turn, thrown))
    if thrown is None:
        raise InvalidOption("what was rolled? Add --roll, for example --roll 3")
    options.answer(asking, shown, aim, options.one_line([distances], turn, thrown, players))
