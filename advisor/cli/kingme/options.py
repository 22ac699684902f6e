"""Options that commands about King Me! share."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import click

from advisor import memory as sizes
from advisor.cli.shared import adding, bar, coloring, cores, output, typed_line
from advisor.errors import InvalidOption

__all__ = ["adding", "bar", "coloring", "cores", "output", "typed_line"]


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
