"""What is answered about Knights, as data; `model` names in words what an answer is exact for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Answer, Part

Rules = dict[str, bool | str]
"""The options of the rule set by name."""


@dataclass(frozen=True, kw_only=True)
class KeepOption(Part):
    """Dice to keep, as digits; `value`: the chance then, `loss` against the best option."""

    rank: int
    keep: str
    value: float
    loss: float
    text: str


@dataclass(frozen=True, kw_only=True, repr=False)
class KeepAnswer(Answer):
    """Which dice to keep, best first; `defender_die_cards` only against a castle's owner."""

    command: ClassVar[str] = "knights keep"

    dice: str
    card: str
    throne: bool
    throws_left: int
    die_cards: tuple[int, ...]
    attack: bool
    defender_die_cards: tuple[int, ...]
    kept: str
    rules: Rules
    unit: str
    value: float
    options: tuple[KeepOption, ...]
    model: str


@dataclass(frozen=True, kw_only=True)
class CardOdds(Part):
    """The chance `p` to beat a card within so many throws."""

    card: str
    throws: int
    die_cards: tuple[int, ...]
    p: float


@dataclass(frozen=True, kw_only=True, repr=False)
class OddsAnswer(Answer):
    """How likely cards are beaten before the first throw, a row a card and number of throws."""

    command: ClassVar[str] = "knights odds"

    attack: bool
    defender_die_cards: tuple[int, ...]
    rules: Rules
    unit: str
    rows: tuple[CardOdds, ...]
    model: str


@dataclass(frozen=True, kw_only=True)
class TournamentPlayer(Part):
    """A player of a tournament in throwing order; `win`: the chance to win it."""

    seat: int
    die_cards: tuple[int, ...]
    champion: bool
    throws: int
    win: float


@dataclass(frozen=True, kw_only=True, repr=False)
class TournamentAnswer(Answer):
    """How likely each player wins a tournament."""

    command: ClassVar[str] = "knights tournament"

    rules: Rules
    unit: str
    players: tuple[TournamentPlayer, ...]
    model: str


@dataclass(frozen=True, kw_only=True)
class CardList(Part):
    """The list of cards that an answer is for; `invented` where it is not that of the box."""

    source: str
    invented: bool


@dataclass(frozen=True, kw_only=True)
class Rollouts(Part):
    """Simulated games: the share won, its 95 % interval, and how many were given up."""

    games: int
    win: float
    low: float
    high: float
    undecided: int


@dataclass(frozen=True, kw_only=True)
class TargetOption(Part):
    """A choice with its chances in this turn; decks are counted from 1.

    `success`: of the attempt itself, None of changing a top card. `win` and `gain`: with further
    attempts as far as they are looked ahead, `..._at_most` whatever comes after. `risk`: to lose a
    castle at the throne.
    """

    rank: int
    kind: str
    card: str | None
    deck: int | None
    owner: str | None
    text: str
    success: float | None
    win: float
    win_at_most: float
    gain: float
    gain_at_most: float
    risk: float
    rollouts: Rollouts | None


@dataclass(frozen=True, kw_only=True, repr=False)
class TargetAnswer(Answer):
    """Which target to choose, best first; `change_first`: the deck whose top to change before.

    `unseen` cards are uniform where nothing is known of them; `simulation` says how games were
    simulated, if they were.
    """

    command: ClassVar[str] = "knights target"

    player: str
    rules: Rules
    components: CardList
    unseen: int
    attempts: int
    unit: str
    options: tuple[TargetOption, ...]
    change_first: int | None
    why: tuple[str, ...]
    model: str
    simulation: str | None
