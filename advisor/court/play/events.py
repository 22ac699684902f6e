"""What happens in a game that is played, one class an event, for whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.court.play.answers import Advised
from advisor.court.play.effects import SeveralUses
from advisor.court.play.record import Entry, Record
from advisor.court.race.answers import BuyAnswer
from advisor.court.rules.game import Game, Move
from advisor.court.rules.turn import Use
from advisor.court.turn.answers import Ranking
from advisor.court.turn.answers import Why as Reason
from advisor.dice import Counts, plus


@dataclass(frozen=True)
class Loss:
    """What a move loses against the best one, >= 0 in `unit`; `better`: the best one in words."""

    lost: float
    unit: str
    better: str


@dataclass(frozen=True)
class Stands:
    """A human's decision is due; `new`: the first one that is shown of the turn."""

    game: Game
    new: bool


@dataclass(frozen=True)
class Finished:
    """A turn has ended: its seat, its steps, the game after it."""

    seat: int
    entries: tuple[Entry, ...]
    after: Game

    @property
    def uses(self) -> list[Use]:
        """The cards used, in order."""
        moves = [move for entry in self.entries for move in entry.moves]
        return [move for move in moves if isinstance(move, Use)]

    @property
    def last(self) -> Move:
        """What ended the turn: a purchase, or in the final round the last die or a pass."""
        return self.entries[-1].moves[-1]

    @property
    def result(self) -> Counts:
        """The final dice, none if the roll was given up."""
        state = self.entries[-1].before.turn
        assert state
        # In the final round the turn ends with the step that sets the last dice aside.
        return plus(state.aside, state.active)


@dataclass(frozen=True)
class Advice:
    """Ranked options of where the game stands, every one of them if `every`."""

    game: Game
    answer: Advised
    every: bool


@dataclass(frozen=True)
class Why:
    """The reason of the best option of an answer."""

    answer: Ranking | BuyAnswer
    reason: Reason


@dataclass(frozen=True)
class Choices:
    """A card can be used in several ways: one has to be chosen."""

    several: SeveralUses


@dataclass(frozen=True)
class Warned:
    """The move loses more than the threshold: it has to be confirmed."""

    loss: Loss


@dataclass(frozen=True)
class TakenBack:
    """These steps were taken back, the last one first."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """What was typed cannot be done, and why."""

    text: str


@dataclass(frozen=True)
class Table:
    """Everybody's cards and the display were asked for."""

    game: Game


@dataclass(frozen=True)
class Help:
    """Help was asked for."""


@dataclass(frozen=True)
class Left:
    """The player has left."""


@dataclass(frozen=True)
class Over:
    """The game, or the single turn, is over."""

    record: Record


Event = (
    Stands | Finished | Advice | Why | Choices | Warned | TakenBack | Problem | Table | Help | Left
    | Over
)  # fmt: skip
