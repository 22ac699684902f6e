"""Options that commands about King Me! share."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from advisor import units as sizes
from advisor.cli.output import Command, adding, bar, coloring, cores, output, typed_line
from advisor.cli.output import jobs as jobs_option
from advisor.errors import InvalidOption
from advisor.kingme.questions import Seen
from advisor.kingme.rules.goals import load, parse_goal
from advisor.kingme.rules.record import Record

__all__ = ["bar", "coloring", "cores", "jobs_option", "output", "typed_line"]


STRENGTH: Final = 1.0
"""How strictly players are taken to choose, unless said otherwise (`belief.model`)."""


class Size(click.ParamType[int]):
    """An amount of memory such as 8G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        return value if isinstance(value, int) else sizes.parse_bytes(value)


memory = click.option(
    "--memory",
    type=Size(),
    envvar="ADVISOR_MEMORY",
    help="Most memory to use, for example 8G.  [default: half of the machine's]",
)


deck = click.option(
    "--goals",
    "deck",
    metavar="FILE|any",
    help="The goal cards, six initials a line, or any: every set of six is possible.  "
    "[default: those of the record, else an invented list]",
)


def seen(command: Command) -> Command:
    """Add what a seat knows of a game: the record, the seat, its goal, cards, strength."""
    return adding(
        command,
        click.argument("record"),
        click.option(
            "--me", "me", metavar="SEAT", required=True, help="The seat that asks, from 1."
        ),
        click.option("--goal", metavar="GOAL", help="Its goal, six initials."),
        deck,
        click.option(
            "--strength",
            type=click.FloatRange(0, 100),
            default=STRENGTH,
            show_default=True,
            metavar="S",
            help="How strictly the others are taken to choose what is best for their goal.",
        ),
    )


def read_seen(record: str, me: str, goal: str | None, deck: str | None, strength: float) -> Seen:
    """Return what the options of `seen` say; RECORD is a file, or - for standard input."""
    played = read_record(record)
    own = None if goal is None else parse_goal(goal)
    return Seen(played, seat(me), own, load(deck or played.header.goals), strength)


def read_record(record: str) -> Record:
    """Return the record of a file, or of standard input for -."""
    from advisor.kingme.play import file

    def warn(message: str) -> None:
        click.echo(f"Note: {message}", err=True)

    if record == "-":
        return file.record_of(sys.stdin.buffer.read(), "standard input", warn)
    return file.read_record(Path(record), warn)


def lines_of_stdin() -> Iterator[tuple[int, str]]:
    """Yield (number, text) of the non-empty lines of standard input; # starts a comment."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        text = line.decode(errors="replace").partition("#")[0].strip()
        if text:
            yield number, text


def seat(text: str) -> int:
    """Return the place of a seat, from 0, that is written counting from 1."""
    if not re.fullmatch("[0-9]{1,3}", text.strip()):
        raise InvalidOption(f"seat {text!r}: write a number; seats are counted from 1")
    return int(text) - 1


def totals(text: str | None) -> tuple[int, ...] | None:
    """Return the points of the first two rounds by seat, None without them."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch("[0-9]{1,3}", part) for part in parts):
        raise InvalidOption(f"--totals {text!r}: write the points of each player, say 23,17,30")
    return tuple(map(int, parts))
