"""Answers as dictionaries, the same for tables and JSON; every one names its model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from advisor import memory as sizes
from advisor.errors import InvalidOption, InvalidPosition, TooLarge
from advisor.kingme.rules.castle import Castle, check_no, format_castle, inside
from advisor.kingme.rules.data import CHARACTERS, INITIALS, THRONE
from advisor.kingme.rules.goals import Goal, format_goal

if TYPE_CHECKING:
    from advisor.kingme.round.payoff import Payoff
    from advisor.kingme.round.solve import Choice

Answer = dict[str, Any]

NO_CARDS_GONE: Final = (
    "nobody has a No left, so whoever first steps onto the throne is king; everybody knows all "
    "goals"
)
CONVENTION: Final = (
    "votes by a convention: whoever gains by the candidate, or has no No left, says Yes, of the "
    "others the first from the mover's left plays one No; everybody knows all goals"
)


@dataclass(frozen=True)
class EndOfRound:
    """A castle in which the seat `turn` (from 0) moves, all goals known, No cards left by seat.

    `totals`: the points of the first two rounds, if this is the third one.
    """

    castle: Castle
    turn: int
    goals: tuple[Goal, ...]
    no_left: tuple[int, ...]
    totals: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.turn < len(self.goals):
            raise InvalidOption(
                f"turn {self.turn + 1}: with {len(self.goals)} goals the seats are 1 to "
                f"{len(self.goals)}"
            )
        if not inside(self.castle):
            raise InvalidPosition("nobody is in the castle; write for example 5:CE 4:FG")
        if self.totals is not None and len(self.totals) != len(self.goals):
            raise InvalidOption(
                f"--totals: {len(self.totals)} numbers for {len(self.goals)} players; write the "
                "points of the first two rounds for each"
            )
        check_no(self.castle, self.no_left)

    @property
    def payoff(self) -> Payoff:
        """What everybody maximises."""
        from advisor.kingme.round.payoff import Payoff

        return Payoff(totals=self.totals)


def move(asked: EndOfRound, memory: int | None = None) -> Answer:
    """Return the answer of `advisor kingme move`; raises TooLarge beyond the memory."""
    from advisor.kingme.round.solve import TIE, solve

    check_memory(asked, sizes.default_limit() if memory is None else memory)
    payoff = asked.payoff
    found = solve(asked.castle, asked.turn, [asked.goals], asked.no_left, payoff)
    worth = {choice.character: float(choice.values[0, asked.turn]) for choice in found.choices}
    best = max(worth.values())
    ranked = sorted(
        found.choices,
        # Equal values differ by rounding.
        key=lambda choice: (round((best - worth[choice.character]) / TIE), choice.character),
    )
    return {
        "command": "kingme move",
        "castle": format_castle(asked.castle),
        "players": len(asked.goals),
        "turn": asked.turn + 1,
        "goals": [format_goal(goal) for goal in asked.goals],
        "no": list(asked.no_left),
        "totals": None if asked.totals is None else list(asked.totals),
        "unit": payoff.unit,
        "values": [float(value) for value in found.values[0]],
        "options": [
            _option(rank, choice, asked.turn, best) for rank, choice in enumerate(ranked, 1)
        ],
        "states": found.states,
        "model": _model(asked),
    }


def check_memory(asked: EndOfRound, limit: int) -> None:
    """Raise TooLarge if a solution would take more memory than the limit."""
    from advisor.kingme.round.solve import bytes_needed, states_at_most

    states = states_at_most(asked.castle, asked.goals, asked.no_left)
    needed = bytes_needed(states, players=len(asked.goals))
    if needed > limit:
        raise TooLarge(
            f"about {states:,} states need {sizes.show_bytes(needed)}, more than the "
            f"{sizes.show_bytes(limit)} allowed: allow more with --memory, or ask later in a round"
        )


def _option(rank: int, choice: Choice, turn: int, best: float) -> Answer:
    value = float(choice.values[0, turn])
    refusing = None if choice.by is None else int(choice.by[0])
    return {
        "rank": rank,
        "character": INITIALS[choice.character],
        "to": "throne" if choice.to == THRONE else choice.to,
        "values": [float(each) for each in choice.values[0]],
        "value": value,
        "loss": max(best - value, 0.0),
        "king": None if refusing is None else refusing < 0,
        "refused_by": None if refusing is None or refusing < 0 else refusing + 1,
        "text": _move_text(choice, refusing),
    }


def _move_text(choice: Choice, refusing: int | None) -> str:
    name = CHARACTERS[choice.character]
    if refusing is None:
        return f"{name} to floor {choice.to}"
    end = "king" if refusing < 0 else f"No of seat {refusing + 1}"
    return f"{name} to the throne: {end}"


def _model(asked: EndOfRound) -> str:
    votes = CONVENTION if any(asked.no_left) else NO_CARDS_GONE
    aim = (
        "the own points of this round"
        if asked.totals is None
        else "the own chance to win the game (third round, exactly no points count 33)"
    )
    return f"exact; {votes} and maximises {aim}, equal choices averaged"
