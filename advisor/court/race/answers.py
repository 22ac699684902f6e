"""What is answered about the race for the King, as data.

All numbers of turns are expected ones under best play of a player alone; `lower` and `upper` are
certified bounds, `upper` None where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar

from advisor.answers import Part
from advisor.court.asking import Sourced
from advisor.court.turn.answers import KeepAnswer, PurchaseShare, RankedOption
from advisor.intervals import Interval


@dataclass(frozen=True, kw_only=True)
class BoundedOption(RankedOption):
    """A move offered: its bounds in turns, this one included, `value` in their middle."""

    columns: ClassVar[tuple[str, ...]] = ("rank", "text", "lower", "upper", "loss")

    lower: float
    upper: float

    @property
    def width(self) -> float:
        """The width of the interval in turns."""
        return self.upper - self.lower


@dataclass(frozen=True, kw_only=True, repr=False)
class TurnsKeepAnswer(KeepAnswer):
    """What to do now for the fewest expected turns to the King.

    `certain`: no option can be better than the first one. `limit`: what keeps the intervals from
    being narrower, `width` or `budget`. `buys`: what the best play buys with this turn's result,
    from `supply`. `floor`: the table that bounds the turns from below.
    """

    options: tuple[BoundedOption, ...]
    lower: float
    upper: float
    width: float
    certain: bool
    buys: tuple[PurchaseShare, ...]
    limit: str | None
    supply: tuple[str, ...]
    floor: str | None = None


@dataclass(frozen=True, kw_only=True)
class Hands(Part):
    """How many sets of cards an answer was worked out from."""

    bounded: int
    expanded: int


@dataclass(frozen=True, kw_only=True)
class BoundedPurchase(Part):
    """A purchase, None being nothing, with the turns expected after it; `loss` from the middle."""

    columns: ClassVar[tuple[str, ...]] = ("rank", "text", "lower", "upper", "loss")

    card: str | None
    lower: float
    upper: float | None
    width: float | None
    rank: int
    loss: float | None
    text: str

    @property
    def turns(self) -> Interval:
        """The bounds of the turns."""
        return Interval(self.lower, inf if self.upper is None else self.upper)


@dataclass(frozen=True, kw_only=True, repr=False)
class BuyAnswer(Sourced):
    """What to buy with a result, best first; the fields as in `TurnsKeepAnswer`."""

    command: ClassVar[str] = "buy"

    result: str
    cards: tuple[str, ...]
    supply: tuple[str, ...]
    unit: str
    certain: bool
    options: tuple[BoundedPurchase, ...]
    limit: str | None
    hands: Hands
    floor: str | None = None


@dataclass(frozen=True, kw_only=True)
class TurnShare(Part):
    """The probability that the King is taken in just so many turns."""

    turns: int
    probability: float


@dataclass(frozen=True, kw_only=True)
class Within(Part):
    """The greatest chance of the King within so many turns, between `probability` and `upper`."""

    turns: int
    probability: float
    upper: float


@dataclass(frozen=True, kw_only=True)
class Route(Part):
    """Purchases in their order, the last one the King, and how likely they are."""

    cards: tuple[str, ...]
    probability: float


@dataclass(frozen=True, kw_only=True, repr=False)
class TurnsAnswer(Sourced):
    """In how many turns a hand can expect to buy the King, and how that goes.

    `within`: each number of turns an aim of its own (`aims`), `unfinished` where time ran out.
    `distribution`, `mean` and `routes` are those of best play for the fewest expected turns; `mean`
    None where the play may go on for too long.
    """

    command: ClassVar[str] = "turns"

    cards: tuple[str, ...]
    supply: tuple[str, ...]
    unit: str
    lower: float
    upper: float | None
    width: float | None
    within: tuple[Within, ...]
    unfinished: bool
    limit: str | None
    aims: str
    distribution: tuple[TurnShare, ...]
    mean: float | None
    routes: tuple[Route, ...]
    hands: Hands
    floor: str | None = None
