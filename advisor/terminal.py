"""Writing to the terminal: lines, tables and JSON; the only place that knows about colour."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, ClassVar, Final

import click

Answer = dict[str, Any]

NO_BREAK: Final = "\u00a0"


class Writer:
    """Writes answers to standard output; each game says in a subclass what they look like."""

    numbers: ClassVar[frozenset[str]] = frozenset()
    """Headers of columns that are aligned to the right."""

    def __init__(self, as_json: bool, color: str = "auto") -> None:
        self.as_json = as_json
        self.colored = color == "always" or (
            color == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        )

    def _json(self, answer: Answer) -> None:
        click.echo(json.dumps(answer, ensure_ascii=False))

    def _line(self, text: str, **style: Any) -> None:
        # The width of what is shown counts, so colour comes after wrapping.
        click.echo(click.style(text, **style) if self.colored and text else text)

    def _wrapped(self, text: str, **style: Any) -> None:
        lines = textwrap.wrap(
            text, _width(), subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
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
        from tabulate import tabulate

        widths = self._widths(rows, headers, wrap)
        text = tabulate(
            rows,
            headers,
            tablefmt="simple",
            disable_numparse=True,
            maxcolwidths=widths,
            colalign=["right" if h in self.numbers else "left" for h in headers],
        )
        for number, line in enumerate(text.splitlines()):
            self._line(line, bold=best_first and number == 2)

    def _widths(
        self, rows: list[list[Any]], headers: list[str], wrap: Sequence[int]
    ) -> list[int | None]:
        """Return how wide each column may be so that the table fits the terminal."""
        width = _width()
        natural = [
            max(len(str(cell)) for cell in column) for column in zip(headers, *rows, strict=True)
        ]
        room = width - 2 * (len(headers) - 1)
        fixed = sum(size for place, size in enumerate(natural) if place not in wrap)
        wanted = sum(natural[place] for place in wrap)
        if not wrap or fixed + wanted <= room:
            return [None] * len(headers)
        return [
            max(12, (room - fixed) * size // wanted) if place in wrap else None
            for place, size in enumerate(natural)
        ]


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def percent(probability: float) -> str:
    """Return a probability in percent; only certainty shows as 100, only impossibility as 0."""
    text = f"{100 * probability:.2f}"
    if text == "100.00" and probability < 1 - 1e-12:
        return "> 99.99 %"
    if text == "0.00" and probability > 0:
        return "< 0.01 %"
    return f"{text} %"
