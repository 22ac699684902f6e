"""Who is captain: the marker goes to whoever has most gold, as soon as somebody has more."""

from __future__ import annotations

from collections.abc import Sequence

Purses = tuple[int, ...]


def heirs(purses: Sequence[int], captain: int) -> tuple[int, ...]:
    """Return who can become captain now: the captain alone if nobody has more.

    Among several with equally much the old captain chooses.
    """
    most = max(purses)
    if most == purses[captain]:
        return (captain,)
    return tuple(seat for seat, gold in enumerate(purses) if gold == most)


def blame(captain: int, players: int) -> tuple[int, ...]:
    """Return what everybody gains when no movement is possible, purses aside."""
    return tuple(-int(seat == captain) for seat in range(players))


def carpet(messenger: int, active: int, captain: int, players: int) -> tuple[int, ...]:
    """Return what everybody gains when a messenger is the first to land on the carpet."""
    if messenger < players:
        return tuple(2 * int(seat == messenger) for seat in range(players))
    return tuple(int(seat == active) + int(seat == captain) for seat in range(players))


def trainee_led(active: int, players: int) -> tuple[int, ...]:
    """Return what everybody gains when a trainee is led into the throne room, purses aside."""
    return tuple(-int(seat != active) for seat in range(players))


def afforded(gains: Sequence[int], purses: Sequence[int]) -> tuple[int, ...]:
    """Return gains in which nobody pays more than he has."""
    return tuple(max(gain, -purse) for gain, purse in zip(gains, purses, strict=True))
