"""What is answered about recorded games and in the quiz, as data.

Values of recorded games are in the unit of their turn: minus the turns to the King, or chances to
win.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Answer, Part
from advisor.court.asking import Sourced


@dataclass(frozen=True, kw_only=True)
class StepAnswer(Part):
    """One step: what was done in a line of the record, the value afterwards, what it lost.

    `luck`: of the dice that fell in it, None where none did. `decision`: something was chosen,
    `forced`: there was nothing else. `best`: the best option in words where something was lost.
    """

    line: int
    step: str
    value: float
    luck: float | None
    decision: bool
    forced: bool
    loss: float
    mark: str
    best: str | None


@dataclass(frozen=True, kw_only=True)
class TurnAnswer(Part):
    """One turn of a seat, counted from 1: `value` + `luck` - `loss` = `end`.

    `complete`: whether it was played to its end; `bought`: the card, None if none.
    """

    number: int
    round: int
    seat: int
    kind: str
    unit: str
    cards: tuple[str, ...]
    value: float
    luck: float
    loss: float
    end: float
    complete: bool
    bought: str | None
    steps: tuple[StepAnswer, ...]


@dataclass(frozen=True, kw_only=True)
class Sums(Part):
    """What a player lost and gained in the turns of one unit; `decisions` that were not forced."""

    decisions: int
    loss: float
    loss_per_decision: float
    luck: float
    marks: dict[str, int]


@dataclass(frozen=True, kw_only=True)
class FinalResult(Part):
    """The chance to win after the own roll of the final round, and without its luck."""

    result: float
    luck_adjusted: float


@dataclass(frozen=True, kw_only=True)
class RaceResult(FinalResult):
    """In how many turns a race was run: `played` and still `left`; and with the luck off."""

    played: int
    left: float


@dataclass(frozen=True, kw_only=True)
class PlayerAnswer(Part):
    """What a seat, counted from 1, lost and gained, by unit; None where it had no such turn."""

    seat: int
    turns: Sums | None
    probability: Sums | None
    race: RaceResult | None
    final: FinalResult | None

    def sums(self, unit: str) -> Sums | None:
        """Return the sums over the turns of one unit."""
        return self.turns if unit == "turns" else self.probability


@dataclass(frozen=True, kw_only=True, repr=False)
class AnalyzeAnswer(Sourced):
    """A record judged: its turns with all their steps, and what each player did.

    `position` of a single turn; `winner`: the seat that has won; `marks`: by unit the least loss
    of each mark; `assumptions` say in words what the values take for granted.
    """

    command: ClassVar[str] = "analyze"
    listed: ClassVar[str] = "turns"

    seats: tuple[str, ...]
    position: str | None
    winner: int | None
    marks: dict[str, dict[str, float]]
    assumptions: tuple[str, ...]
    players: tuple[PlayerAnswer, ...]
    turns: tuple[TurnAnswer, ...]


# ---------------------------------------------------------------- quiz


@dataclass(frozen=True, kw_only=True, repr=False)
class QuizQuestion(Answer):
    """A position to be decided for a goal: the number `question` of so many."""

    command: ClassVar[str] = "quiz"

    question: int
    of: int
    level: int
    position: str
    goal: str
    unit: str


@dataclass(frozen=True, kw_only=True)
class QuizHelp(Part):
    """What can be typed."""

    help: str


@dataclass(frozen=True, kw_only=True)
class QuizTry(Part):
    """A move that is not the best, where another one may be tried."""

    given: str
    right: bool


@dataclass(frozen=True, kw_only=True)
class QuizMove(Part):
    """A question answered: the moves given with their losses, the best one and its value."""

    given: tuple[str, ...]
    losses: tuple[float, ...]
    right: bool
    best: str
    value: float


@dataclass(frozen=True, kw_only=True)
class QuizLevel(Part):
    """How well the questions of a level, rule set and unit were answered.

    `at_once` and at the `second_try`; `mean_loss` is that of the first moves.
    """

    level: int
    rules: str
    unit: str
    questions: int
    at_once: int
    second_try: int
    mean_loss: float


@dataclass(frozen=True, kw_only=True, repr=False)
class QuizAnswer(Answer):
    """How a session with a `seed`, or all that is in the `file` of the personal record, went."""

    command: ClassVar[str] = "quiz"

    seed: int | None = None
    file: str | None = None
    answered: int
    levels: tuple[QuizLevel, ...]
