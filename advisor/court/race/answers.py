"""What is answered about the race for the King, as data."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.answers import Part


@dataclass(frozen=True, kw_only=True)
class TurnShare(Part):
    """The probability that the King is taken in just so many turns."""

    turns: int
    probability: float
