"""What a sample says of the whole: intervals of shares, errors of means."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

Z95: Final = 1.959963984540054
"""Half-width of a 95 % interval in standard deviations."""


def wilson(hits: float, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a probability (Wilson); all of it without trials."""
    if not trials:
        return 0.0, 1.0
    n, p, z = trials, hits / trials, Z95
    middle, scale = p + z * z / (2 * n), 1 + z * z / n
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # Rounding must not move the ends beyond the share itself.
    lower = 0.0 if hits == 0 else (middle - half) / scale
    upper = 1.0 if hits == trials else (middle + half) / scale
    return lower, upper


def mean_and_error(counts: Mapping[int, int]) -> tuple[float | None, float | None]:
    """Return the mean of counted numbers and its standard error, None where there are too few."""
    n = sum(counts.values())
    if not n:
        return None, None
    total = sum(number * count for number, count in counts.items())
    squares = sum(number * number * count for number, count in counts.items())
    if n == 1:
        return total / n, None
    # Whole numbers throughout: the same whatever the order in which games were counted.
    return total / n, math.sqrt((n * squares - total * total) / (n * n * (n - 1)))
