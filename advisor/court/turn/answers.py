"""What is answered about a turn, as data: options ranked, their reasons, odds of cards.

Probabilities are in [0, 1]; values and losses are in the `unit` of their answer. Cards are named by
their keys, dice are ascending digits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Part
from advisor.court.asking import Sourced


@dataclass(frozen=True, kw_only=True)
class RankedOption(Part):
    """A move offered; `loss` >= 0 is against the best one.

    `kind`: `set_aside` (with `dice`), `roll`, `use` (with `card` and `effect`), `aside_then_use`
    (with all of them) or, in a game, `buy` (with `card`, None being nothing).
    """

    columns: ClassVar[tuple[str, ...]] = ("rank", "text", "value", "loss")

    rank: int
    kind: str
    dice: str | None = None
    card: str | None = None
    effect: str | None = None
    value: float
    loss: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Side(Part):
    """What follows an option: the odds of the goal's parts, dice still in play, unused cards."""

    text: str
    value: float
    odds: dict[str, float]
    dice_left: int
    unused: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Why(Part):
    """What follows the best option beside what follows another one."""

    best: Side
    next: Side


@dataclass(frozen=True, kw_only=True)
class PurchaseShare(Part):
    """How likely a card is bought, None being nothing."""

    card: str | None
    probability: float


@dataclass(frozen=True, kw_only=True, repr=False)
class Ranking(Sourced):
    """The options of a position for a goal, best first; none before a roll.

    `value` is that of best play; `plan`: the steps of the best option up to the next chance event.
    """

    position: str
    goal: str
    unit: str
    value: float
    options: tuple[RankedOption, ...]
    plan: tuple[str, ...]
    why: Why | None = None


@dataclass(frozen=True, kw_only=True, repr=False)
class KeepAnswer(Ranking):
    """What to do now for a goal.

    `purchases`: for each card that could be bought the probability that the result pays for it.
    """

    command: ClassVar[str] = "keep"

    purchases: dict[str, float]


@dataclass(frozen=True, kw_only=True)
class CardOdds(Part):
    """The probability to pay for a card and the first move toward it, None before a roll.

    `exact`: the probability as a fraction if that was asked for, None where it is too large.
    """

    card: str
    probability: float
    first: str | None
    exact: str | None = ""


@dataclass(frozen=True, kw_only=True, repr=False)
class OddsAnswer(Sourced):
    """How likely each card is, under best play for that card alone."""

    command: ClassVar[str] = "odds"

    position: str
    goals: tuple[CardOdds, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class KeepEachAnswer(OddsAnswer):
    """What to do now for each card by itself, where there is no goal; `note` says why not."""

    command: ClassVar[str] = "keep"

    goal: None
    note: str | None = None
