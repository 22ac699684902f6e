"""The quiz as text: questions, what was wrong with a move, answers, the personal record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from advisor.answers import Failure
from advisor.court.coach.answers import QuizAnswer, QuizHelp, QuizLevel, QuizQuestion, QuizTry
from advisor.court.rules.names import name_of
from advisor.court.rules.notation import Position
from advisor.court.show.turn import Output
from advisor.court.turn.answers import KeepAnswer, RankedOption
from advisor.dice import Counts, format_dice
from advisor.terminal import counted, percent
from advisor.ties import EQUAL

TOP: Final = 3
"""Options shown with an answer."""


class QuizOutput(Output):
    """Writes what a quiz says."""

    numbers: ClassVar[frozenset[str]] = Output.numbers | {
        "level", "questions", "at once", "second try", "mean loss",
    }  # fmt: skip

    def asked(self, asked: QuizQuestion, position: Position) -> None:
        """Write a question and where it stands: its dice, and its cards by their names."""
        wanted = (
            "fewest turns to the King"
            if asked.unit == "turns"
            else f"best chance of the {name_of(asked.goal, self.language)}"
        )
        self._line("")
        self._line(f"{asked.question} of {asked.of}   {asked.position}   {wanted}", bold=True)
        parts = [
            *self._dice("set aside", position.aside),
            *self._dice("active", position.active),
            *([f"{counted(position.to_roll, 'die', 'dice')} to roll"] if position.to_roll else []),
            f"unused {self._named(position.unused)}",
            *([f"used {self._named(position.used)}"] if position.used else []),
        ]
        self._wrapped("; ".join(parts))

    def _dice(self, label: str, dice: Counts) -> list[str]:
        return [f"{label} {format_dice(dice, ' ')}"] if any(dice) else []

    def refused(self, failure: Failure) -> None:
        """Write why a line is no move here."""
        self._wrapped(failure.error)

    def hint(self, hint: QuizHelp) -> None:
        """Write what can be typed."""
        self._wrapped(hint.help)

    def again(self, tried: QuizTry) -> None:
        """Write that there is something better, without saying what."""
        self._wrapped(f"Not the best: {tried.given}. Once more, or Enter for the answer.")

    def answered(self, answer: KeepAnswer, given: Sequence[RankedOption], right: bool) -> None:
        """Write the answer and how far off the last move was."""
        if right:
            self._wrapped(f"Right: {given[-1].text}", fg="green")
        else:
            self._wrapped(f"{given[-1].text}: loses {self._loss(given[-1], answer)}", fg="red")
        rows = [
            [option.rank, option.text, self._loss(option, answer)]
            for option in self._shown(answer, given)
        ]
        self._table(rows, ["", "option", "loss"], wrap=(1,), best_first=True)
        self._why(answer, answer.why)

    def _shown(self, answer: KeepAnswer, given: Sequence[RankedOption]) -> list[RankedOption]:
        mine = {option.rank for option in given}
        return [o for o in answer.options if o.rank <= TOP or o.rank in mine]

    def _loss(self, option: RankedOption, answer: KeepAnswer) -> str:
        if option.loss <= EQUAL:
            return ""
        if answer.unit == "probability":
            return percent(option.loss)
        return f"{option.loss:.4f} turns"

    # ------------------------------------------------------------ totals

    def ended(self, answer: QuizAnswer, count: int) -> None:
        """Write how a session of so many questions went."""
        self._line("")
        if answer.levels:
            self._totals(answer.levels)
        asked = f"{answer.answered} of {counted(count, 'question')} answered"
        self._line(f"{asked}; --seed {answer.seed} asks the same again")

    def record(self, answer: QuizAnswer) -> None:
        """Write the personal record."""
        if answer.levels:
            self._totals(answer.levels)
            self._line(f"from {answer.file}", dim=True)
        else:
            self._line(f"no question answered yet; answers go to {answer.file}")

    def _totals(self, rows: Sequence[QuizLevel]) -> None:
        self._table(
            [
                [
                    row.level,
                    row.rules,
                    "turns" if row.unit == "turns" else "a card",
                    row.questions,
                    row.at_once,
                    row.second_try,
                    f"{row.mean_loss:.4f}" if row.unit == "turns" else percent(row.mean_loss),
                ]
                for row in rows
            ],
            ["level", "rules", "goal", "questions", "at once", "second try", "mean loss"],
        )
