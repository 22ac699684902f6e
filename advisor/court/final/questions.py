"""Answers of `final` and `claim`, from the cache where there is one."""

from __future__ import annotations

from collections.abc import Callable

from advisor.court.asking import Asking
from advisor.court.final.answers import ClaimAnswer, FinalAnswer, FinalKeepAnswer
from advisor.court.rules.notation import Position, format_position
from advisor.court.rules.seats import Claim, Seats


def final(
    asking: Asking, seats: Seats, position: Position | None = None, every: bool = False
) -> FinalAnswer:
    """Return each player's chance to win the final round, and what to do in a position of it."""

    def solve(memory: int) -> FinalAnswer:
        from advisor.court.final import solve as final_round

        return final_round.answer(seats, asking.rules, memory, position, every, asking.language)

    question = {
        "command": "final",
        **seats.question(),
        "position": format_position(position) if position else None,
        "all": every,
    }
    kind = FinalKeepAnswer if position else FinalAnswer
    return asking.answer(kind, question, solve)


def claim(
    asking: Asking,
    claimed: Claim,
    every: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> ClaimAnswer:
    """Return the chance to win by taking the King now, beside other purchases.

    `tell` hears how far it is while something is solved.
    """

    def solve(memory: int) -> ClaimAnswer:
        from advisor.court.final import claim

        return claim.answer(claimed, asking.rules, memory, every, tell)

    question = {"command": "claim", **claimed.question(), "all": every}
    return asking.answer(ClaimAnswer, question, solve)
