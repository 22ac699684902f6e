"""The analysis of a record as text."""

from __future__ import annotations

from typing import Any, ClassVar

from advisor.court.coach.answers import (
    AnalyzeAnswer,
    PlayerAnswer,
    RaceResult,
    StepAnswer,
    Sums,
    TurnAnswer,
)
from advisor.court.show.turn import Output
from advisor.terminal import counted, percent

LOSS, EACH, LUCK, WITHOUT = "loss", "a decision", "luck", "without luck"


class AnalysisOutput(Output):
    """Writes the answer of `advisor analyze`."""

    numbers: ClassVar[frozenset[str]] = Output.numbers | {
        "line", "turn", "played", "decisions", EACH, LUCK, "result", WITHOUT, "before", "after",
        "value", "??", "?", "?!",
    }  # fmt: skip

    def analysis(self, answer: AnalyzeAnswer, every: bool = False) -> None:
        """Write what each player did, the turns, and the decisions with a mark or every step."""
        self._line(headline(answer), bold=True)
        for unit in TITLES:
            self._players(answer, unit)
        self._turns(answer)
        if every:
            self._steps(answer)
        else:
            self._marked(answer)
        for text in answer.assumptions:
            self._wrapped(f"- {text}", dim=True)
        self._wrapped(legend(answer), dim=True)
        self._wrapped(f"rule set {answer.rules}, under the assumptions above", dim=True)

    def _players(self, answer: AnalyzeAnswer, unit: str) -> None:
        rows = player_rows(answer, unit)
        if not rows:
            return
        self._line("")
        self._line(TITLES[unit])
        self._table(rows, player_heads(unit), wrap=(0,))

    def _turns(self, answer: AnalyzeAnswer) -> None:
        self._line("")
        self._table(
            [
                [
                    turn.number,
                    seat_name(answer, turn.seat),
                    self._named(turn.cards),
                    self._end(turn),
                    *(amount(value, turn.unit) for _, value in values(turn)),
                ]
                for turn in answer.turns
            ],
            ["turn", "player", "cards", "buys", "before", LUCK, LOSS, "after"],
            wrap=(1, 2, 3),
        )

    def _end(self, turn: TurnAnswer) -> str:
        if turn.bought:
            return self._named([turn.bought])
        return "nothing" if turn.kind != "final round" and turn.complete else ""

    def _marked(self, answer: AnalyzeAnswer) -> None:
        found = [
            [step.line, seat_name(answer, turn.seat), step.step, step.mark,
             amount(step.loss, turn.unit), step.best]
            for turn in answer.turns for step in turn.steps if step.mark
        ]  # fmt: skip
        self._line("")
        if not found:
            self._line("No decision lost enough for a mark")
            return
        self._table(found, ["line", "player", "step", "mark", LOSS, "better"], wrap=(1, 2, 5))

    def _steps(self, answer: AnalyzeAnswer) -> None:
        for turn in answer.turns:
            self._line("")
            self._line(f"turn {turn.number}, {seat_name(answer, turn.seat)}", bold=True)
            self._table(
                [step_row(step, turn.unit) for step in turn.steps],
                ["line", "step", "value", LUCK, LOSS, "mark", "better"],
                wrap=(1, 6),
            )


TITLES = {
    "turns": "Race, in turns",
    "probability": "After the King was taken, in chances to win",
}


def headline(answer: AnalyzeAnswer) -> str:
    """Return in a line what was played and who won."""
    number = len(answer.players)
    who = counted(number, "player") if number > 1 else "a player alone"
    won = answer.winner
    if won:
        end = f"{answer.seats[won - 1]} has won"
    else:
        over = answer.position and answer.turns[-1].complete
        end = "the turn is over" if over else "not at its end"
    return f"{who}, {counted(len(answer.turns), 'turn')}, {end}"


def legend(answer: AnalyzeAnswer) -> str:
    """Return what values, luck and marks mean."""
    least = "; ".join(
        ", ".join(f"{mark} from {amount(value, unit, sign=False)}" for mark, value in marks.items())
        + (" turns" if unit == "turns" else "")
        for unit, marks in answer.marks.items()
    )
    return (
        "value: turns to the King still to come after the turn, with a minus, or the chance to "
        "win, under best play; before + luck - loss = after; decisions: those with more than one "
        f"option; loss that is marked: {least}"
    )


def seat_name(answer: AnalyzeAnswer, seat: int) -> str:
    """Return the name of a seat."""
    return answer.seats[seat - 1]


def values(turn: TurnAnswer) -> list[tuple[str, float]]:
    """Return what a turn comes to, by name."""
    return [("before", turn.value), (LUCK, turn.luck), (LOSS, turn.loss), ("after", turn.end)]


def amount(value: float | None, unit: str, sign: bool = True) -> str:
    """Return a value, a loss or luck in its unit."""
    if value is None:
        return ""
    if unit == "probability":
        return f"{100 * value:.2f} %" if value < 0 else percent(value)
    return f"{value + 0.0:.3f}" if sign else f"{value:g}"


def player_heads(unit: str) -> list[str]:
    """Return the headers of a table of players."""
    played = ["played"] if unit == "turns" else []
    return ["player", *played, "decisions", LOSS, EACH, "??", "?", "?!", LUCK, "result", WITHOUT]


def player_rows(answer: AnalyzeAnswer, unit: str) -> list[list[Any]]:
    """Return the rows of the players who had turns of one unit."""
    return [
        _player_row(seat_name(answer, row.seat), row, sums, unit)
        for row in answer.players
        if (sums := row.sums(unit))
    ]


def _player_row(name: str, row: PlayerAnswer, sums: Sums, unit: str) -> list[Any]:
    end = row.race if unit == "turns" else row.final
    return [
        name,
        *([end.played] if isinstance(end, RaceResult) else []),
        sums.decisions,
        amount(sums.loss, unit),
        amount(sums.loss_per_decision, unit),
        *(sums.marks.values()),
        amount(sums.luck, unit),
        amount(end.result if end else None, unit),
        amount(end.luck_adjusted if end else None, unit),
    ]


def step_row(step: StepAnswer, unit: str) -> list[Any]:
    """Return the row of a step."""
    return [
        step.line,
        step.step,
        amount(step.value, unit),
        amount(step.luck, unit),
        amount(step.loss, unit) if step.decision and step.loss else "",
        step.mark or ("forced" if step.forced else ""),
        step.best or "",
    ]
