"""Writing to the terminal: lines, tables and JSON; the only place that knows about colour."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import click

from advisor.answers import Failure

NO_BREAK: Final = "\u00a0"
FILLER: Final = "\u2800"
"""A blank that is not taken off the end of a cell."""


class Writer:
    """Writes answers in words; each game says in a subclass what they look like."""

    numbers: ClassVar[frozenset[str]] = frozenset()
    """Headers of columns that are aligned to the right."""

    def __init__(self, color: str = "auto") -> None:
        self.colored = color == "always" or (
            color == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        )

    def bad_line(self, failure: Failure) -> None:
        """Write what is wrong with a line of a batch."""
        self._line(f"line {failure.line}: {failure.error}", fg="red")
        self._line("")

    def _line(self, text: str, **style: Any) -> None:
        # The width of what is shown counts, so colour comes after wrapping.
        click.echo(click.style(text, **style) if self.colored and text else text)

    def _wrapped(self, text: str, indent: int = 2, **style: Any) -> None:
        lines = textwrap.wrap(
            text,
            _width(),
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in lines:
            self._line(line.replace(NO_BREAK, " "), **style)

    def _table(
        self,
        rows: list[list[Any]],
        headers: list[str],
        wrap: Sequence[int] = (),
        best_first: bool = False,
    ) -> None:
        import tabulate

        # Headers no wider than what stands below them need no room of their own.
        tabulate.MIN_PADDING = 0
        rows = _lined_up(rows, [place for place, h in enumerate(headers) if h in self.numbers])
        widths = self._widths(rows, headers, wrap)
        text = tabulate.tabulate(
            rows,
            headers,
            tablefmt="simple",
            disable_numparse=True,
            maxcolwidths=widths,
            colalign=["right" if h in self.numbers else "left" for h in headers],
        )
        for number, line in enumerate(text.splitlines()):
            self._line(line.replace(FILLER, " ").rstrip(), bold=best_first and number == 2)

    def _widths(
        self, rows: list[list[Any]], headers: list[str], wrap: Sequence[int]
    ) -> list[int | None]:
        """Return how wide each column may be so that the table fits the terminal."""
        width = _width()
        sizes = [max(map(_shown, column)) for column in zip(headers, *rows, strict=True)]
        spare = width - 2 * (len(headers) - 1) - sum(sizes)
        while spare < 0 and wrap and max(sizes[place] for place in wrap) > 8:
            widest = max(wrap, key=sizes.__getitem__)
            sizes[widest] -= 1
            spare += 1
        return [size if place in wrap else None for place, size in enumerate(sizes)]


def _lined_up(rows: list[list[Any]], places: Sequence[int]) -> list[list[Any]]:
    """Return the rows with the decimal points of some columns below each other."""
    rows = [list(row) for row in rows]
    for place in places:
        numbers = [row for row in rows if re.fullmatch(r"-?\d+(\.\d+)?", str(row[place]))]
        most = max((_behind(row[place]) for row in numbers), default=0)
        for row in numbers:
            row[place] = f"{row[place]}{FILLER * (most - _behind(row[place]))}"
    return rows


def _behind(number: object) -> int:
    """Return how many letters of a number stand behind its ones, the point included."""
    text = str(number)
    return len(text) - len(text.partition(".")[0])


def _shown(cell: object) -> int:
    """Return how many columns of the terminal a text takes; Japanese letters take two each."""
    from wcwidth import wcswidth

    return int(wcswidth(str(cell)))


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def write_object(answer: dict[str, Any]) -> None:
    """Write an object of JSON as a line."""
    # Escapes where the encoding of the output may lack letters: never less than the answer.
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    click.echo(json.dumps(answer, ensure_ascii=not unicode))


def counted(number: int, thing: str, plural: str | None = None) -> str:
    """Return a number with the thing it counts, `1 answer`, `2 answers`."""
    return f"{number} {thing if number == 1 else plural or thing + 's'}"


def duration(seconds: float) -> str:
    """Return a time for people, `about 40 s`, `about 3 h 20 min`."""
    if seconds < 1:
        return "under 1 s"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    return f"about {minutes // 60} h {minutes % 60} min"


def percent(probability: float) -> str:
    """Return a probability in percent; only certainty shows as 100, only impossibility as 0."""
    text = f"{100 * probability:.2f}"
    if text == "100.00" and probability < 1 - 1e-12:
        return "> 99.99 %"
    if text == "0.00" and probability > 0:
        return "< 0.01 %"
    return f"{text} %"
