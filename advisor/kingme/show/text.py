"""Answers about King Me! as text: tables or JSON."""

from __future__ import annotations

from typing import ClassVar, Final

from advisor.terminal import Answer, Writer, percent

SHOWN: Final = 10
"""Options in a table unless all are asked for."""
EQUAL: Final = 5e-12
"""Losses up to this are none."""


class Output(Writer):
    """Writes answers about King Me! to standard output."""

    numbers: ClassVar[frozenset[str]] = frozenset(
        {"points", "loss", "chance to win", "mean points", "wins"}
        | {f"seat {seat}" for seat in range(1, 7)}
    )

    def bad_line(self, number: int, message: str) -> None:
        """Write what is wrong with a line of a batch."""
        if self.as_json:
            self._json({"error": message, "line": number})
        else:
            self._line(f"line {number}: {message}", fg="red")
            self._line("")

    def move(self, answer: Answer, every: bool = False) -> None:
        """Write the answer of `advisor kingme move`."""
        if self.as_json:
            self._json(answer)
            return
        unit = answer["unit"]
        own = answer["values"][answer["turn"] - 1]
        self._line(
            f"{answer['castle']}   seat {answer['turn']} to move   {value_text(own, unit)}",
            bold=True,
        )
        options = answer["options"]
        shown = options if every else options[:SHOWN]
        others = [seat for seat in range(1, answer["players"] + 1) if seat != answer["turn"]]
        self._table(
            [
                [
                    option["rank"],
                    option["text"],
                    number(option["value"], unit),
                    number(option["loss"], unit) if option["loss"] > EQUAL else "",
                    *(number(option["values"][seat - 1], unit) for seat in others),
                ]
                for option in shown
            ],
            ["", "move", header(unit), "loss", *(f"seat {seat}" for seat in others)],
            wrap=(1,),
            best_first=True,
        )
        self._more(len(options) - len(shown))
        self._wrapped(answer["model"], dim=True)

    def _more(self, hidden: int) -> None:
        if hidden:
            more = "option" if hidden == 1 else "options"
            self._line(f"{hidden} more {more}: --all shows them", dim=True)


def header(unit: str) -> str:
    """Return what stands above a column of values."""
    return "points" if unit == "points" else "chance to win"


def number(value: float, unit: str) -> str:
    """Return a value for a table."""
    return f"{value:.3f}" if unit == "points" else percent(value)


def value_text(value: float, unit: str) -> str:
    """Return a value with its unit."""
    return f"{value:.3f} points" if unit == "points" else f"{percent(value)} to win"
