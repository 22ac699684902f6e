"""Answers about Give It to the King! as text: tables."""

from __future__ import annotations

from typing import Any, Final

from advisor.giveit.answers import Answer, Given
from advisor.terminal import Writer, percent

LEAST: Final = 5e-13
"""A loss below is none."""


class Output(Writer):
    """Writes answers about Give It to the King! to standard output."""

    numbers = frozenset(
        {"roll", "to", "value", "loss", "1", "2", "3", "4", "gold", "worth", "now", "wins",
         "mean gold"}
    )  # fmt: skip

    def odds(self, answer: Given) -> None:
        """Write the answer of `advisor giveit odds`."""
        self._head(answer)
        self._line("   ".join(_seats(answer)))
        rows = [row for roll in answer["rolls"] for row in _roll_rows(roll, answer["unit"])]
        if rows:
            self._table(rows, ["roll", "move", "value", "loss", *"1234"])
        self._foot(answer)

    def move(self, answer: Given) -> None:
        """Write the answer of `advisor giveit move`."""
        self._head(answer, f"   roll {answer['roll']}")
        unit = answer["unit"]
        rows = [
            [rank, *_option_row(option, unit)] for rank, option in enumerate(answer["options"], 1)
        ]
        if rows:
            self._table(rows, ["", "move", "value", "loss", *"1234"], best_first=True)
        else:
            self._line("nobody can move: " + ", ".join(_seats(answer)))
        self._foot(answer)

    def reveal(self, answer: Given) -> None:
        """Write the answer of `advisor giveit reveal`."""
        self._head(answer, f"   roll {answer['roll']}   seat {answer['seat']} asks")
        unit = answer["unit"]
        self._line("   ".join(_seats(answer)))
        if "options" in answer:
            self._choices(answer["options"], unit)
        for each in answer.get("announced", ()):
            self._line(f"if {_announced(each)} is announced:")
            self._choices(each["options"], unit)
        if answer["messages"]:
            self._table(
                [
                    [each["message"], each["gold"], _signed(each["worth"], unit),
                     _signed(each["now"], unit)]
                    for each in answer["messages"]
                ],
                ["message", "gold", "worth", "now"],
            )  # fmt: skip
        self._foot(answer)

    def _choices(self, options: list[Answer], unit: str) -> None:
        rows = [
            [option["rank"], _choice(option), shown(option["value"], unit),
             shown(option["loss"], unit) if option["loss"] > LEAST else "",
             *_row(option["values"], unit)]
            for option in options
        ]  # fmt: skip
        self._table(rows, ["", "choice", "value", "loss", *"1234"], best_first=True)

    def simulate(self, answer: Given) -> None:
        """Write the answer of `advisor giveit simulate`."""
        self._line(f"{answer['games']} games, seed {answer['seed']}", bold=True)
        rows = [
            [
                f"{each['player']} {each['bot']}",
                percent(each["win"]),
                f"{100 * each['lower']:.1f}-{100 * each['upper']:.1f} %",
                f"{each['gold']:.2f}",
                f"{each['reveals']:.1f}",
            ]
            for each in answer["players"]
        ]
        self._table(rows, ["player", "wins", "95 % interval", "mean gold", "reveals"])
        self._wrapped(answer["model"], dim=True)

    def precompute(self, answer: Given) -> None:
        """Write the answer of `advisor giveit precompute`."""
        for table in answer["tables"]:
            self._line(
                f"{table['players']} players, length {table['length']}: "
                f"{table['positions']} positions, {table['state']}"
            )
        self._wrapped(f"in {answer['folder']}", dim=True)

    def _head(self, answer: Given, more: str = "") -> None:
        where = ",".join(map(str, answer["distances"]))
        aim = "chance to reach the throne" if answer["unit"] == "probability" else "gold of the day"
        self._line(f"{where}   turn of {answer['turn']}{more}   {aim}", bold=True)

    def _foot(self, answer: Given) -> None:
        self._wrapped(f"{answer['model']}; {answer['source']}", dim=True)


def shown(value: float, unit: str) -> str:
    """Return a value for people."""
    return percent(value) if unit == "probability" else f"{value:.4f}"


def _seats(answer: Given) -> list[str]:
    """Return everybody's value with the name of the messenger."""
    names = [
        str(seat) if seat <= answer["players"] else f"trainee {seat}"
        for seat in range(1, len(answer["values"]) + 1)
    ]
    values = (shown(value, answer["unit"]) for value in answer["values"])
    return [f"{name}: {value}" for name, value in zip(names, values, strict=True)]


def _roll_rows(roll: Answer, unit: str) -> list[list[Any]]:
    if not roll["moves"]:
        return [[roll["roll"], "nobody can move", "", "", *_row(roll["values"], unit)]]
    return [
        [roll["roll"] if place == 0 else "", *_option_row(option, unit)]
        for place, option in enumerate(roll["moves"])
    ]


def _option_row(option: Answer, unit: str) -> list[str]:
    loss = shown(option["loss"], unit) if option["loss"] > LEAST else ""
    return [
        landing(option["messenger"], option["to"]),
        shown(option["value"], unit), loss, *_row(option["values"], unit),
    ]  # fmt: skip


def landing(messenger: int, to: int) -> str:
    """Return a movement in words."""
    return f"{messenger} to the throne" if to == 0 else f"{messenger} to {to}"


def _row(values: list[float], unit: str) -> list[str]:
    return [shown(value, unit) for value in values]


def _choice(option: Answer) -> str:
    match option["kind"]:
        case "reveal":
            return f"reveal {option['message']}"
        case "quiet":
            return "keep them"
        case "pass":
            return "keep them, pass"
    return f"keep them, {landing(option['messenger'], option['to'])}"


def _announced(option: Answer) -> str:
    if option["messenger"] is None:
        return "a pass"
    return landing(option["messenger"], option["to"])


def _signed(value: float, unit: str) -> str:
    """Return a difference for people."""
    return f"{100 * value:+.2f} %" if unit == "probability" else f"{value:+.4f}"
