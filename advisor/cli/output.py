"""What the commands of every game share: the options that say how an answer is written."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar, cast

import click

from advisor.answers import Part
from advisor.terminal import write_object
from advisor.text import printable

Command = TypeVar("Command", bound=Callable[..., Any])
Shown = TypeVar("Shown", bound=Part)


def typed_line() -> str | None:
    """Return the next line of the input, fit to be shown again, None at its end."""
    line = sys.stdin.buffer.readline()
    return printable(line.decode(errors="replace")) if line else None


def adding(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options or arguments, which help then lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True)
class Written:
    """How answers are written: as objects of JSON, or in words with or without colour."""

    as_json: bool
    color: str = "auto"

    def show(self, answer: Shown, in_words: Callable[[Shown], object]) -> None:
        """Write an answer as a line of JSON, or call what writes it in words."""
        if self.as_json:
            write_object(answer.to_dict())
        else:
            in_words(answer)

    @property
    def prompts(self) -> bool:
        """Whether there is somebody to be asked for lines."""
        return not self.as_json and sys.stdin.isatty()


def output(command: Command) -> Command:
    """Add the options that say how an answer is written; hand them over as `written`."""

    @wraps(command)
    def write(*args: Any, as_json: bool, color: str, **own: Any) -> Any:
        return command(*args, written=Written(as_json, color), **own)

    return as_json(coloring(cast(Command, write)))


def as_json(command: Command) -> Command:
    """Add the option of commands whose answers can be JSON."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")(command)


def coloring(command: Command) -> Command:
    """Add the option that says whether to colour."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        envvar="ADVISOR_COLOR",
        help="Colour the output (NO_COLOR is honoured).",
    )(command)


@contextmanager
def bar(length: int, label: str) -> Iterator[Callable[[int], None]]:
    """Show a bar with the time to go on a terminal, nothing elsewhere; give what moves it on."""
    if not sys.stderr.isatty():
        yield lambda steps: None
        return
    with click.progressbar(length=length, label=label, show_pos=True, file=sys.stderr) as shown:
        yield shown.update


def jobs(command: Command) -> Command:
    """Add the option that says how many processes to use; None: as many as `cores`."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, max(32, 4 * cores())),
        help="Processes on this machine.  [default: as many as cores]",
    )(command)


def cores() -> int:
    """Return how many processes can run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
