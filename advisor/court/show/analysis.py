"""The analysis of a record as text."""

from __future__ import annotations

from typing import Any, ClassVar

from advisor.court.show.turn import Output
from advisor.terminal import Answer, counted, percent

LOSS, EACH, LUCK, WITHOUT = "loss", "a decision", "luck", "without luck"


class AnalysisOutput(Output):
    """Writes the answer of `advisor analyze`."""

    numbers: ClassVar[frozenset[str]] = Output.numbers | {
        "line", "turn", "played", "decisions", EACH, LUCK, "result", WITHOUT, "before", "after",
        "value", "??", "?", "?!",
    }  # fmt: skip

    def analysis(self, answer: Answer, every: bool = False) -> None:
        """Write what each player did, the turns, and the decisions with a mark or every step."""
        if self.as_json:
            self._json(answer)
            return
        self._line(headline(answer), bold=True)
        for unit, kind in (("turns", "race"), ("probability", "final")):
            self._players(answer, unit, kind)
        self._turns(answer)
        if every:
            self._steps(answer)
        else:
            self._marked(answer)
        for text in answer["assumptions"]:
            self._wrapped(f"- {text}", dim=True)
        self._wrapped(legend(answer), dim=True)
        self._wrapped(f"rule set {answer['rules']}, under the assumptions above", dim=True)

    def _players(self, answer: Answer, unit: str, kind: str) -> None:
        rows = [row for row in answer["players"] if row[unit]]
        if not rows:
            return
        self._line("")
        self._line(TITLES[unit])
        self._table(
            [player_row(answer, row, unit, kind) for row in rows],
            player_heads(kind),
            wrap=(0,),
        )

    def _turns(self, answer: Answer) -> None:
        self._line("")
        self._table(
            [
                [
                    turn["number"],
                    seat(answer, turn),
                    self._named(turn["cards"]),
                    self._end(turn),
                    *(amount(turn[key], turn["unit"]) for key in ("value", "luck", "loss", "end")),
                ]
                for turn in answer["turns"]
            ],
            ["turn", "player", "cards", "buys", "before", LUCK, LOSS, "after"],
            wrap=(1, 2, 3),
        )

    def _end(self, turn: Answer) -> str:
        if turn["bought"]:
            return self._named([turn["bought"]])
        return "nothing" if turn["kind"] != "final round" and turn["complete"] else ""

    def _marked(self, answer: Answer) -> None:
        found = [
            [step["line"], seat(answer, turn), step["step"], step["mark"],
             amount(step["loss"], turn["unit"]), step["best"]]
            for turn in answer["turns"] for step in turn["steps"] if step["mark"]
        ]  # fmt: skip
        self._line("")
        if not found:
            self._line("No decision lost enough for a mark")
            return
        self._table(found, ["line", "player", "step", "mark", LOSS, "better"], wrap=(1, 2, 5))

    def _steps(self, answer: Answer) -> None:
        for turn in answer["turns"]:
            self._line("")
            self._line(f"turn {turn['number']}, {seat(answer, turn)}", bold=True)
            self._table(
                [step_row(step, turn["unit"]) for step in turn["steps"]],
                ["line", "step", "value", LUCK, LOSS, "mark", "better"],
                wrap=(1, 6),
            )


TITLES = {
    "turns": "Race, in turns",
    "probability": "After the King was taken, in chances to win",
}


def headline(answer: Answer) -> str:
    """Return in a line what was played and who won."""
    number = len(answer["players"])
    who = counted(number, "player") if number > 1 else "a player alone"
    won = answer["winner"]
    if won:
        end = f"{answer['seats'][won - 1]} has won"
    else:
        over = answer["position"] and answer["turns"][-1]["complete"]
        end = "the turn is over" if over else "not at its end"
    return f"{who}, {counted(len(answer['turns']), 'turn')}, {end}"


def legend(answer: Answer) -> str:
    """Return what values, luck and marks mean."""
    least = "; ".join(
        ", ".join(f"{mark} from {amount(value, unit, sign=False)}" for mark, value in marks.items())
        + (" turns" if unit == "turns" else "")
        for unit, marks in answer["marks"].items()
    )
    return (
        "value: turns to the King still to come after the turn, with a minus, or the chance to "
        "win, under best play; before + luck - loss = after; decisions: those with more than one "
        f"option; loss that is marked: {least}"
    )


def seat(answer: Answer, row: Answer) -> str:
    """Return the name of the seat of a turn or a player."""
    return str(answer["seats"][row["seat"] - 1])


def amount(value: float | None, unit: str, sign: bool = True) -> str:
    """Return a value, a loss or luck in its unit."""
    if value is None:
        return ""
    if unit == "probability":
        return f"{100 * value:.2f} %" if value < 0 else percent(value)
    return f"{value + 0.0:.3f}" if sign else f"{value:g}"


def player_heads(kind: str) -> list[str]:
    """Return the headers of a table of players."""
    played = ["played"] if kind == "race" else []
    return ["player", *played, "decisions", LOSS, EACH, "??", "?", "?!", LUCK, "result", WITHOUT]


def player_row(answer: Answer, row: Answer, unit: str, kind: str) -> list[Any]:
    """Return the row of a player in a table of players."""
    sums, end = row[unit], row[kind] or {}
    return [
        seat(answer, row),
        *([end["played"]] if kind == "race" else []),
        sums["decisions"],
        amount(sums["loss"], unit),
        amount(sums["loss_per_decision"], unit),
        *(sums["marks"].values()),
        amount(sums["luck"], unit),
        amount(end.get("result"), unit),
        amount(end.get("luck_adjusted"), unit),
    ]


def step_row(step: Answer, unit: str) -> list[Any]:
    """Return the row of a step."""
    return [
        step["line"],
        step["step"],
        amount(step["value"], unit),
        amount(step["luck"], unit),
        amount(step["loss"], unit) if step["decision"] and step["loss"] else "",
        step["mark"] or ("forced" if step["forced"] else ""),
        step["best"] or "",
    ]
