"""What is answered about King Me!, as data; `model` names in words what an answer is exact for.

Seats are counted from 1, characters and goals are named by initials. Values are in the `unit` of
their answer: points of the round, or the probability to win the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Answer, Part


@dataclass(frozen=True, kw_only=True)
class RaiseOption(Part):
    """A character that can rise; `values` by seat, `loss` >= 0 against the best option.

    `king`: whether the vote makes it king, None below the throne; `refused_by`: who says No first.
    """

    rank: int
    character: str
    to: int | str
    values: tuple[float, ...]
    value: float
    loss: float
    king: bool | None
    refused_by: int | None
    text: str


@dataclass(frozen=True, kw_only=True, repr=False)
class MoveAnswer(Answer):
    """Whom to raise at the end of a round, all goals known; `values` by seat under best play."""

    command: ClassVar[str] = "kingme move"

    castle: str
    players: int
    turn: int
    goals: tuple[str, ...]
    no: tuple[int, ...]
    totals: tuple[int, ...] | None
    unit: str
    values: tuple[float, ...]
    options: tuple[RaiseOption, ...]
    states: int
    model: str


@dataclass(frozen=True, kw_only=True)
class Cards(Part):
    """The list of goal cards that an answer is for; `invented` where it is not that of the box."""

    source: str
    invented: bool


@dataclass(frozen=True, kw_only=True)
class GoalChance(Part):
    """The probability that a seat has a goal."""

    goal: str
    probability: float


@dataclass(frozen=True, kw_only=True)
class Suspect(Part):
    """The likeliest goals of a seat, and for each character the chance to be a favourite."""

    seat: int
    name: str
    cards: tuple[GoalChance, ...]
    characters: dict[str, float]


@dataclass(frozen=True, kw_only=True, repr=False)
class InferAnswer(Answer):
    """What the others seem to have, as a seat sees it, by the weight of all `deals`."""

    command: ClassVar[str] = "kingme infer"

    me: int
    round: int
    goal: str | None
    goals: Cards
    strength: float
    deals: int
    players: tuple[Suspect, ...]
    model: str


@dataclass(frozen=True, kw_only=True)
class AdvisedOption(Part):
    """What can be done: a `character` goes to a floor or the throne, or a `vote` is cast.

    `low` and `high`: the 95 % interval of the value, None where it is exact.
    """

    character: str | None = None
    to: int | str | None = None
    vote: str | None = None
    rank: int
    value: float
    low: float | None
    high: float | None
    loss: float
    text: str


@dataclass(frozen=True, kw_only=True, repr=False)
class AdviseAnswer(Answer):
    """What is due, ranked; `another_no`: the chance that somebody else says No, of a vote.

    `games`: play-outs of each option, None where it is exact.
    """

    command: ClassVar[str] = "kingme advise"

    me: int
    round: int
    due: str
    castle: str
    candidate: str | None
    no: tuple[int, ...]
    goal: str
    goals: Cards
    unit: str
    value: float
    options: tuple[AdvisedOption, ...]
    another_no: float | None
    method: str
    games: int | None
    seed: int | None
    model: str


@dataclass(frozen=True, kw_only=True)
class Player(Part):
    """A seat and its name."""

    seat: int
    name: str


@dataclass(frozen=True, kw_only=True)
class Decision(Part):
    """A character raised in a line of the record, and the best one in its place."""

    line: int
    seat: int
    character: str
    text: str
    value: float
    best: str
    best_text: str
    best_value: float
    loss: float


@dataclass(frozen=True, kw_only=True)
class Round(Part):
    """A round that was played: its king, its points by seat, its ends judged."""

    round: int
    king: str
    led_by: int
    castle: str
    goals: tuple[str, ...]
    points: tuple[int, ...]
    unit: str
    decisions: tuple[Decision, ...]
    not_judged: int


@dataclass(frozen=True, kw_only=True, repr=False)
class AnalyzeAnswer(Answer):
    """A game judged; `result`: the share of the victory by seat, None while it goes on."""

    command: ClassVar[str] = "kingme analyze"

    players: tuple[Player, ...]
    rounds: tuple[Round, ...]
    totals: tuple[int, ...]
    result: tuple[float, ...] | None
    model: str


@dataclass(frozen=True, kw_only=True)
class SimulatedPlayer(Part):
    """A player of the line-up: games won, their share with its 95 % interval, mean points."""

    player: int
    bot: str
    won: float
    win: float
    lower: float
    upper: float
    points: float | None
    error: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class SimulateAnswer(Answer):
    """Games between bots: `games` of those `wanted` were played."""

    command: ClassVar[str] = "kingme simulate"

    seats: tuple[str, ...]
    seed: int
    games: int
    wanted: int
    goals: Cards
    players: tuple[SimulatedPlayer, ...]
    model: str
