"""`advisor giveit precompute`: tables of the chances to reach the throne."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.giveit import options
from advisor.cli.output import Written, bar, output
from advisor.errors import InvalidOption
from advisor.giveit.answers import Given
from advisor.giveit.rules import box as boxes
from advisor.giveit.rules.corridor import CARPET, MESSENGERS, PLAYERS
from advisor.giveit.show.text import Output


@click.command("precompute", epilog="Example: advisor giveit precompute --players 4 --length 30")
@click.option(
    "--players",
    "numbers",
    type=click.IntRange(PLAYERS[0], PLAYERS[-1]),
    multiple=True,
    metavar="N",
    help="Players; repeatable.  [default: 2, 3 and 4]",
)
@click.option("--length", type=int, metavar="L", help="Spaces.  [default: the box's]")
@options.box
@click.option("--status", is_flag=True, help="Only show which tables are there.")
@output
@options.resources
def command(
    numbers: tuple[int, ...],
    length: int | None,
    box_file: str | None,
    status: bool,
    written: Written,
    tables: Path,
    memory: int | None,
) -> None:
    """Solve whole corridors and keep the chances to reach the throne in table files.

    Tables that are there and sound are not made again; odds, move and reveal then answer from
    them, also for shorter distances.
    """
    from advisor.giveit import questions

    spaces = boxes.load(box_file).length if length is None else length
    if not CARPET[-1] + MESSENGERS <= spaces <= boxes.LONGEST:
        raise InvalidOption(
            f"--length {length}: write {CARPET[-1] + MESSENGERS} to {boxes.LONGEST} spaces"
        )
    wanted = sorted(set(numbers or PLAYERS))
    asking = options.asking(tables, memory)
    with bar(len(wanted), "tables") as advance:
        answer = questions.precompute(asking, wanted, spaces, status, advance)
    written.show(Given(data=answer), Output(written.color).precompute)
