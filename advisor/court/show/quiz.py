"""The quiz as text: questions, what was wrong with a move, answers, the personal record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from advisor.court.rules.names import name_of
from advisor.court.rules.notation import Position
from advisor.court.show.turn import Output
from advisor.court.turn.answers import KeepAnswer, RankedOption
from advisor.dice import Counts, format_dice
from advisor.terminal import Answer, counted, percent
from advisor.ties import EQUAL

TOP: Final = 3
"""Options shown with an answer."""

Entry = dict[str, Any]


class QuizOutput(Output):
    """Writes what a quiz says."""

    numbers: ClassVar[frozenset[str]] = Output.numbers | {
        "level", "questions", "at once", "second try", "mean loss",
    }  # fmt: skip

    def asked(self, number: int, count: int, level: int, answer: KeepAnswer) -> None:
        """Write a question."""
        keys = ("position", "goal", "unit")
        if self.as_json:
            head = {"command": "quiz", "question": number, "of": count, "level": level}
            self._json(head | {key: getattr(answer, key) for key in keys})
            return
        wanted = (
            "fewest turns to the King"
            if answer.unit == "turns"
            else f"best chance of the {name_of(answer.goal, self.language)}"
        )
        self._line("")
        self._line(f"{number} of {count}   {answer.position}   {wanted}", bold=True)

    def stands(self, position: Position) -> None:
        """Write where a question stands: its dice, and its cards by their names."""
        if self.as_json:
            return
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

    def refused(self, message: str) -> None:
        """Write why a line is no move here."""
        if self.as_json:
            self._json({"error": message})
        else:
            self._wrapped(message)

    def hint(self, message: str) -> None:
        """Write what can be typed."""
        if self.as_json:
            self._json({"help": message})
        else:
            self._wrapped(message)

    def again(self, option: RankedOption) -> None:
        """Write that there is something better, without saying what."""
        if self.as_json:
            self._json({"given": option.text, "right": False})
        else:
            self._wrapped(f"Not the best: {option.text}. Once more, or Enter for the answer.")

    def answered(self, answer: KeepAnswer, given: Sequence[RankedOption], right: bool) -> None:
        """Write the answer and how far off the last move was."""
        best = answer.options[0]
        if self.as_json:
            self._json(
                {
                    "given": [option.text for option in given],
                    "losses": [option.loss for option in given],
                    "right": right,
                    "best": best.text,
                    "value": answer.value,
                }
            )
            return
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

    def ended(self, entries: Sequence[Entry], seed: int, count: int) -> None:
        """Write how a session went."""
        rows = summary(entries)
        if self.as_json:
            self._json({"command": "quiz", "seed": seed, "answered": len(entries), "levels": rows})
            return
        self._line("")
        if rows:
            self._totals(rows)
        asked = f"{len(entries)} of {counted(count, 'question')} answered"
        self._line(f"{asked}; --seed {seed} asks the same again")

    def record(self, entries: Sequence[Entry], path: str) -> None:
        """Write the personal record."""
        rows = summary(entries)
        if self.as_json:
            self._json({"command": "quiz", "file": path, "answered": len(entries), "levels": rows})
        elif rows:
            self._totals(rows)
            self._line(f"from {path}", dim=True)
        else:
            self._line(f"no question answered yet; answers go to {path}")

    def _totals(self, rows: list[Answer]) -> None:
        self._table(
            [
                [
                    row["level"],
                    row["rules"],
                    "turns" if row["unit"] == "turns" else "a card",
                    row["questions"],
                    row["at_once"],
                    row["second_try"],
                    f"{row['mean_loss']:.4f}"
                    if row["unit"] == "turns"
                    else percent(row["mean_loss"]),
                ]
                for row in rows
            ],
            ["level", "rules", "goal", "questions", "at once", "second try", "mean loss"],
        )


def summary(entries: Sequence[Entry]) -> list[Answer]:
    """Return by level, rule set and unit how many questions were answered, and how well.

    `mean_loss` is that of the first moves. Entries that lack something are left out.
    """
    groups: dict[tuple[int, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if _complete(entry):
            groups[entry["level"], entry["rules"], entry["unit"]].append(entry)
    return [
        {
            "level": level,
            "rules": rules,
            "unit": unit,
            "questions": len(group),
            "at_once": sum(entry["right"] and len(entry["losses"]) == 1 for entry in group),
            "second_try": sum(entry["right"] and len(entry["losses"]) > 1 for entry in group),
            "mean_loss": sum(entry["losses"][0] for entry in group) / len(group),
        }
        for (level, rules, unit), group in sorted(groups.items())
    ]


def _complete(entry: Entry) -> bool:
    losses = entry.get("losses")
    return (
        isinstance(entry.get("level"), int)
        and all(isinstance(entry.get(key), str) for key in ("rules", "unit"))
        and isinstance(entry.get("right"), bool)
        and isinstance(losses, list)
        and bool(losses)
        and all(isinstance(loss, int | float) for loss in losses)
    )
