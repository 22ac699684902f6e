"""`advisor giveit reveal`: reveal a message now, or keep it."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.giveit import options
from advisor.cli.output import Written, output
from advisor.errors import InvalidOption
from advisor.giveit.answers import Given
from advisor.giveit.rules import box as boxes
from advisor.giveit.rules import notation
from advisor.giveit.show.text import Output


@click.command(
    "reveal",
    epilog="Example: advisor giveit reveal 9,6,8,11 --turn 1 --roll 3 --hand 2:add1,keep --seat 2",
)
@options.position
@click.option("--roll", type=int, metavar="DIE", help="What the die shows; a 1 is the Big Jump.")
@click.option(
    "--hand",
    "hands",
    multiple=True,
    metavar="SEAT:MESSAGES",
    help="A seat's face-down messages: add1, add2 ..., reroll, keep, stop; repeatable.",
)
@click.option("--seat", type=int, metavar="SEAT", help="Who asks.  [default: the seat on turn]")
@options.worth
@options.box
@output
@options.resources
def command(
    distances: str,
    turn: int | None,
    players: int,
    roll: int | None,
    hands: tuple[str, ...],
    seat: int | None,
    deliver: str | None,
    captain: int | None,
    purses: str | None,
    box_file: str | None,
    written: Written,
    tables: Path,
    memory: int | None,
) -> None:
    """Rank what a seat can do after a roll: reveal which message, or keep them.

    The messages named lie open to everybody, at most six in all, and nobody has others. For
    another seat than the one on turn there is a ranking for each movement that may be announced.
    With --deliver the gold of the day counts: what each delivery is worth besides the messages
    named.
    """
    from advisor.giveit import reveal

    if roll is None:
        raise InvalidOption("what was rolled? Add --roll, for example --roll 3")
    where, active = options.read_position(distances, turn, players)
    box = boxes.load(box_file)
    asked = reveal.Asked(
        options.read_aim(players, deliver, captain, purses),
        where,
        active,
        notation.roll_number(roll),
        notation.parse_hands(hands, players, box),
        active if seat is None else notation.seat_number(seat, players, "--seat"),
    )
    answer = reveal.answer(options.asking(tables, memory), asked, box)
    written.show(Given(data=answer), Output(written.color).reveal)
