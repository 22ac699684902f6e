"""What is answered about the final round and the way into it, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Part
from advisor.court.asking import Sourced
from advisor.court.turn.answers import PurchaseShare, Ranking


@dataclass(frozen=True, kw_only=True)
class FinalPlayer(Part):
    """A player still to roll, counted from 1, or "gone" who holds the King and has rolled.

    `queen`: whether this one owns the Queen, who is not among the `cards`; `win`: the chance.
    """

    player: int | str
    cards: tuple[str, ...]
    queen: bool
    win: float


@dataclass(frozen=True, kw_only=True, repr=False)
class FinalAnswer(Sourced):
    """Each player's chance to win the final round; `holder`: who has the King with `best`."""

    command: ClassVar[str] = "final"

    best: str
    holder: int | str
    players: tuple[FinalPlayer, ...]


@dataclass(frozen=True, kw_only=True, repr=False)
class FinalKeepAnswer(FinalAnswer, Ranking):
    """The same, and the options of the first player's position by the chance to win."""


@dataclass(frozen=True, kw_only=True)
class OtherPlayer(Part):
    """Another player, counted clockwise from 1; `win`: the chance to win against the King taken.

    `buys`: what is bought before the final round, None where the player is taken as he is.
    """

    player: int
    cards: tuple[str, ...]
    win: float
    buys: tuple[PurchaseShare, ...] | None


@dataclass(frozen=True, kw_only=True)
class OtherPurchase(Part):
    """Another purchase, the hand after it, and the chances of the next turn.

    `claim_next`: to be able to take the King then, `win_next`: to take him and win, None where that
    is not worked out.
    """

    card: str | None
    cards: tuple[str, ...]
    claim_next: float
    win_next: float | None


@dataclass(frozen=True, kw_only=True, repr=False)
class ClaimAnswer(Sourced):
    """The chance `win` of taking the King now beside other purchases.

    `win_present`: against the others' present cards. `order`: the players in which they roll.
    `assumptions` say in words what the numbers take for granted.
    """

    command: ClassVar[str] = "claim"

    result: str
    best: str
    cards: tuple[str, ...]
    to_play: int
    win: float
    win_present: float
    players: tuple[OtherPlayer, ...]
    order: tuple[int, ...]
    instead: tuple[OtherPurchase, ...]
    assumptions: tuple[str, ...]
