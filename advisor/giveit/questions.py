"""What the commands about Give It to the King! ask, and the answers with their keys.

Answers are dictionaries as `--json` prints them; docs/giveit.md has the keys.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from advisor.errors import InvalidOption, InvalidPosition, TooLarge
from advisor.giveit.answers import Answer
from advisor.giveit.day import advice, tables
from advisor.giveit.day.advice import Option, Row, Values
from advisor.giveit.rules.captain import Purses
from advisor.giveit.rules.corridor import AUDIENCE, FACES, MESSENGERS, Distances
from advisor.giveit.rules.day import Day, new_day
from advisor.giveit.rules.messages import Hand
from advisor.giveit.rules.notation import format_distances
from advisor.units import show_bytes

TIES: Final = "equal choices averaged"


@dataclass(frozen=True)
class Aim:
    """What a day is played for: gold with a delivery worth so much, or, without, the throne.

    `purses` None: payments in full, the captain stays.
    """

    players: int
    deliver: tuple[int, ...] | None = None
    captain: int | None = None
    purses: Purses | None = None

    def __post_init__(self) -> None:
        if self.deliver is None:
            if self.captain is not None or self.purses is not None:
                raise InvalidOption(
                    "--captain and --purses are about gold: add --deliver, for example "
                    f"--deliver {','.join(['4'] * self.players)}"
                )
        elif self.captain is None:
            raise InvalidOption("--deliver asks for gold: name the captain too, --captain SEAT")
        if self.purses is not None and self.captain is not None:
            most = max(self.purses)
            if self.purses[self.captain] != most:
                richest = self.purses.index(most) + 1
                raise InvalidOption(
                    f"--captain {self.captain + 1} has less gold than seat {richest}: "
                    "the captain is who has most; correct --captain or --purses"
                )

    @property
    def unit(self) -> str:
        """The unit of values."""
        return "probability" if self.deliver is None else "gold"

    def day(self, distances: Distances, turn: int, hands: tuple[Hand, ...] | None = None) -> Day:
        """Return the day at the beginning of a turn."""
        return new_day(
            self.players, distances, turn, hands, captain=self.captain, purses=self.purses,
            deliver=self.deliver or (0,) * MESSENGERS,
        )  # fmt: skip

    def describe(self) -> str:
        """Return the model in words."""
        if self.deliver is None:
            return f"everybody maximising the own chance to reach the throne, {TIES}"
        money = (
            "payments counted in full, the captain stays"
            if self.purses is None
            else "payments as far as purses go, the captain changes"
        )
        return f"everybody maximising the own gold of the day, {TIES}; {money}"

    def keys(self) -> Answer:
        """Return the keys of answers that say what is played for."""
        return {
            "unit": self.unit,
            "deliver": None if self.deliver is None else list(self.deliver),
            "captain": None if self.captain is None else self.captain + 1,
            "purses": None if self.purses is None else list(self.purses),
        }


@dataclass
class Asking:
    """Where values come from: the folder of tables, the most memory, who hears warnings.

    What was solved for one question serves the next ones that lie within it.
    """

    where: Path
    memory: int
    warn: Callable[[str], None] = lambda message: None
    solved: tuple[Aim, Distances, Values] | None = None

    def values(self, aim: Aim, distances: Distances) -> tuple[Values, str]:
        """Return where the values of a position and all after it are found, and the source."""
        if aim.deliver is None:
            found = tables.find(self.where, aim.players, max(distances), self.warn)
            if found:
                return found, found.source
        if self.solved is None or not _covers(self.solved, aim, distances):
            self.solved = aim, distances, _solve(aim, distances, self.memory)
        return self.solved[2], "solved now"


def _covers(solved: tuple[Aim, Distances, Values], aim: Aim, distances: Distances) -> bool:
    within = all(map(int.__le__, distances, solved[1]))
    # With purses the money states are those that can follow from the position asked for.
    return solved[0] == aim and within and (aim.purses is None or distances == solved[1])


def _solve(aim: Aim, distances: Distances, memory: int) -> Values:
    from advisor.giveit.day import worth
    from advisor.giveit.day.board import Board, positions_within
    from advisor.giveit.day.solve import bytes_of, solve
    from advisor.giveit.rules.corridor import carpet_taken

    positions = positions_within(distances)
    refuse_beyond(memory, bytes_of(positions, 1, aim.players), positions, 1)
    if aim.deliver is None or aim.captain is None:
        played = worth.reach(aim.players)
    elif aim.purses is None:
        played = worth.fixed_gold(aim.players, aim.deliver, aim.captain)
    else:
        taken = carpet_taken(distances)
        played = worth.purse_gold(aim.deliver, aim.captain, aim.purses, taken)
        states = max(played.sizes)
        refuse_beyond(memory, bytes_of(positions, states, aim.players), positions, states)
    return solve(Board(distances), played)


def refuse_beyond(memory: int, needed: int, positions: int, states: int) -> None:
    """Raise TooLarge if a question needs more memory than it may take."""
    if needed > memory:
        raise TooLarge(
            f"{positions} positions in {states} states each need about {show_bytes(needed)}; "
            f"--memory allows {show_bytes(memory)}: allow more, or ask nearer to the throne"
        )


# ---------------------------------------------------------------- answers


def odds(asking: Asking, aim: Aim, distances: Distances, turn: int) -> Answer:
    """Return the answer of `advisor giveit odds`."""
    day = aim.day(distances, turn)
    if day.is_over:
        return {**_head("odds", aim, distances, turn), "values": list(advice.outcome(day, _None())),
                "rolls": [], "model": _model(aim, "an audience"), "source": "rules"}  # fmt: skip
    values, source = asking.values(aim, distances)
    rolls = [(die, *advice.rolled(day, die, values)) for die in FACES]
    found = [sum(row[seat] for _, _, row in rolls) / len(FACES) for seat in range(MESSENGERS)]
    return {
        **_head("odds", aim, distances, turn),
        "values": found,
        "rolls": [
            {"roll": die, "values": list(row), "moves": [_option(option) for option in options]}
            for die, options, row in rolls
        ],
        "model": _model(aim),
        "source": source,
    }


def move(asking: Asking, aim: Aim, distances: Distances, turn: int, roll: int) -> Answer:
    """Return the answer of `advisor giveit move`."""
    day = aim.day(distances, turn)
    if day.is_over:
        raise InvalidPosition(
            f"{format_distances(distances)}: messenger {turn + 1} stands on space {AUDIENCE} and "
            "walks in without rolling; leave out the roll"
        )
    values, source = asking.values(aim, distances)
    options, row = advice.rolled(day, roll, values)
    return {
        **_head("move", aim, distances, turn),
        "roll": roll,
        "values": list(row),
        "options": [_option(option) for option in options],
        "model": _model(aim),
        "source": source,
    }


def precompute(
    asking: Asking,
    numbers: Sequence[int],
    length: int,
    status: bool,
    advance: Callable[[int], None] = lambda steps: None,
) -> Answer:
    """Make the tables that are not there, or with `status` say which are; return the answer."""
    from advisor.giveit.day.board import positions_within
    from advisor.giveit.day.solve import bytes_of

    positions = positions_within((length,) * MESSENGERS)
    rows = []
    for players in numbers:
        state = "there" if tables.is_there(asking.where, players, length) else "missing"
        if state == "missing" and not status:
            refuse_beyond(asking.memory, bytes_of(positions, 1, players), positions, 1)
            tables.make(asking.where, players, length)
            state = "made"
        rows.append({"players": players, "length": length, "positions": positions, "state": state})
        advance(1)
    return {"command": "giveit precompute", "folder": str(asking.where), "tables": rows}


class _None:
    """No values: a day that is over needs none."""

    def rolling(self, distances: Distances, mover: int, money: object = None) -> Row:
        raise AssertionError


def _head(command: str, aim: Aim, distances: Distances, turn: int) -> Answer:
    return {
        "command": f"giveit {command}",
        "players": aim.players,
        "distances": list(distances),
        "turn": turn + 1,
        **aim.keys(),
    }


def _model(aim: Aim, what: str = "a day without messages") -> str:
    return f"exact for {what}, {aim.describe()}"


def _option(option: Option) -> Answer:
    return {
        "messenger": option.messenger + 1,
        "to": option.to,
        "values": list(option.values),
        "value": option.value,
        "loss": option.loss,
    }
