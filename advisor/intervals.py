"""Intervals that are certain to hold a number: whatever makes one rounds its bounds outward."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, inf, nextafter

from advisor.ties import TIE


@dataclass(frozen=True, slots=True)
class Interval:
    """Bounds of a number: it is at least `lower` and at most `upper`, which may be infinite."""

    lower: float
    upper: float = inf

    @classmethod
    def of(cls, lower: float, upper: float, error: float) -> Interval:
        """Return the bounds of a number that lies between two others, worked out inexactly.

        `error`: how far each of the two can be off, as a share of itself.
        """
        more, less = 1 + error, 1 - error
        return cls(lower * (less if lower > 0 else more), upper * (more if upper > 0 else less))

    @property
    def width(self) -> float:
        """How far the bounds are apart."""
        return self.upper - self.lower

    @property
    def middle(self) -> float:
        """The number in the middle, the lower bound where there is no upper one."""
        return (self.lower + self.upper) / 2 if self.upper < inf else self.lower

    def __and__(self, other: Interval) -> Interval:
        """Return what both hold."""
        return Interval(max(self.lower, other.lower), min(self.upper, other.upper))

    def __add__(self, number: float) -> Interval:
        """Return the bounds of the sum with a number."""
        return Interval(nextafter(self.lower + number, -inf), nextafter(self.upper + number, inf))

    def __sub__(self, other: Interval) -> Interval:
        """Return the bounds of the difference to a number that has nothing to do with this one."""
        return Interval(
            nextafter(self.lower - other.upper, -inf), nextafter(self.upper - other.lower, inf)
        )

    def rounded(self, digits: int) -> Interval:
        """Return the narrowest bounds around these with so many decimals."""
        scale = 10**digits
        least = floor(self.lower * scale)
        # The product may have been rounded up to a whole number that is too large.
        least -= least / scale > self.lower
        if self.upper == inf:
            return Interval(least / scale)
        most = ceil(self.upper * scale)
        return Interval(least / scale, (most + (most / scale < self.upper)) / scale)

    def text(self, digits: int) -> str:
        """Return the bounds in words, rounded outward."""
        shown = self.rounded(digits)
        return f"{shown.lower:.{digits}f} to {shown.upper:.{digits}f}"

    def nearest(self, number: float) -> float:
        """Return the number in the interval that is nearest to another one."""
        return min(max(number, self.lower), self.upper)

    def is_below(self, other: Interval) -> bool:
        """Return whether the number is for certain no larger than the other one, ties allowed."""
        return self.upper <= other.lower + TIE

    def is_same(self, other: Interval) -> bool:
        """Return whether the bounds are the same, but for ties."""
        return abs(self.lower - other.lower) <= TIE and abs(self.upper - other.upper) <= TIE
