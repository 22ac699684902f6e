"""What is answered about games that bots play, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Answer, Part
from advisor.court.race.answers import BuyAnswer, TurnShare
from advisor.court.turn.answers import KeepAnswer, KeepEachAnswer, RankedOption


@dataclass(frozen=True, kw_only=True)
class EstimatedAnswer(Part):
    """Options of a game, best first, where no certified interval can be had.

    `goal`: the kind of the turn; `value` of best play; the options of a `purchase` are of the kind
    `buy`.
    """

    goal: str
    unit: str
    value: float
    options: tuple[RankedOption, ...]
    plan: tuple[str, ...]
    purchase: bool


Advised = KeepAnswer | KeepEachAnswer | BuyAnswer | EstimatedAnswer
"""What a coach answers to a seat on turn."""


@dataclass(frozen=True, kw_only=True)
class SimulatedPlayer(Part):
    """A player of the line-up, counted from 1.

    `won` games; `win` is their share, from `lower` to `upper` the 95 % interval of the chance to
    win; `took_king`: in what share of the games this player took the King.
    """

    player: int
    bot: str
    won: int
    win: float
    lower: float
    upper: float
    took_king: float


@dataclass(frozen=True, kw_only=True)
class TurnsTaken(Part):
    """In which own turn the King was taken: mean, its standard error, and the shares.

    None where no game, or only one, tells.
    """

    mean: float | None
    error: float | None
    distribution: tuple[TurnShare, ...]


@dataclass(frozen=True, kw_only=True)
class CardShare(Part):
    """In what share of its games a kind of bot bought a card at least once."""

    card: str
    share: float


@dataclass(frozen=True, kw_only=True)
class BotPurchases(Part):
    """What a kind of bot bought."""

    bot: str
    cards: tuple[CardShare, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class SimulateAnswer(Answer):
    """Games between bots: `games` of those `wanted` were played, `undecided` of them given up."""

    command: ClassVar[str] = "simulate"

    rules: str
    seats: tuple[str, ...]
    seed: int
    games: int
    wanted: int
    undecided: int
    players: tuple[SimulatedPlayer, ...]
    turns: TurnsTaken
    purchases: tuple[BotPurchases, ...]
