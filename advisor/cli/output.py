"""What the commands of every game share: the output options and the user's defaults.

Precedence: flag, then ADVISOR_* variable, then the user's config file, then the default.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import click

from advisor.errors import InvalidOption
from advisor.storage import places, toml
from advisor.text import printable

Command = TypeVar("Command", bound=Callable[..., Any])

CONFIGURABLE: Final = ("rules", "lang", "memory", "color", "cache", "tables")


def typed_line() -> str | None:
    """Return the next line of the input, fit to be shown again, None at its end."""
    line = sys.stdin.buffer.readline()
    return printable(line.decode(errors="replace")) if line else None


def read_config() -> dict[str, Any]:
    """Return the user's defaults from ADVISOR_CONFIG or config.toml in the user's config folder."""
    path = places.config()
    try:
        config = toml.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InvalidOption(f"config file {str(path)!r} cannot be read: {error}") from error
    unknown = sorted(set(config) - set(CONFIGURABLE))
    if unknown:
        raise InvalidOption(
            f"config file {str(path)!r} sets {', '.join(unknown)}, which does not exist; "
            f"it can set {', '.join(CONFIGURABLE)}"
        )
    for name, value in config.items():
        if name == "memory" and type(value) is int and value > 0:
            continue
        kind = bool if name == "cache" else str
        if type(value) is not kind:
            wanted = "true or false" if kind is bool else "a text in quotes"
            raise InvalidOption(
                f"config file {str(path)!r}: {name} = {value!r} is not {wanted}; correct it"
            )
    return config


def adding(command: Command, *options: Callable[[Command], Command]) -> Command:
    """Add options or arguments, which help then lists in this order."""
    for option in reversed(options):
        command = option(command)
    return command


def output(command: Command) -> Command:
    """Add the options that say how an answer is written."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    return as_json(coloring(command))


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


def cores() -> int:
    """Return how many processes can run at once."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
