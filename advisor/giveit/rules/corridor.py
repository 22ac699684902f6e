"""The corridor: where four messengers stand and which of them a roll can move.

A space is its distance to the throne room; 0 is the throne.
"""

from __future__ import annotations

from typing import Final

MESSENGERS: Final = 4
PLAYERS: Final = range(2, MESSENGERS + 1)
FACES: Final = range(1, 7)
CARPET: Final = range(1, 7)
AUDIENCE: Final = 1
"""Who stands here at the beginning of the own turn walks in."""
JUMP: Final = 1
"""The die that makes the Big Jump; no sum of a die and a message is as low."""

Distances = tuple[int, ...]
Movement = tuple[int, int]
"""A messenger and the space where it lands."""


def movements(distances: Distances, steps: int) -> list[Movement]:
    """Return what a roll of so many steps, messages added, can move; `JUMP` is the Big Jump."""
    if steps == JUMP:
        return [big_jump(distances)]
    return [
        (messenger, space - steps)
        for messenger, space in enumerate(distances)
        if leaps(distances, space, space - steps)
    ]


def big_jump(distances: Distances) -> Movement:
    """Return how the last messenger lands directly in front of the first one."""
    return distances.index(max(distances)), min(distances) - 1


def leaps(distances: Distances, start: int, end: int) -> bool:
    """Return whether a move passes somebody and ends on an empty space or on the throne."""
    passed = any(end < other < start for other in distances)
    return passed and end >= 0 and end not in distances


def moved(distances: Distances, movement: Movement) -> Distances:
    """Return where all stand after a movement."""
    messenger, end = movement
    return (*distances[:messenger], end, *distances[messenger + 1 :])


def carpet_taken(distances: Distances) -> bool:
    """Return whether somebody has landed on the carpet: whoever has is on it still."""
    return min(distances) in CARPET
