"""The answer of `advisor giveit reveal`: reveal a message now, or keep it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from advisor.errors import InvalidOption, InvalidPosition
from advisor.giveit.answers import Answer
from advisor.giveit.questions import Aim, Asking, refuse_beyond
from advisor.giveit.rules.box import Box
from advisor.giveit.rules.corridor import Distances, movements
from advisor.giveit.rules.messages import Hand

if TYPE_CHECKING:
    from collections.abc import Iterable

    from advisor.giveit.day.messages import OpenSolution, Window
    from advisor.giveit.day.worth import Floats

MOST: int = 6
"""Messages that may lie open in all."""
LOSSLESS: float = 1e-11


@dataclass(frozen=True)
class Asked:
    """A roll, the face-down messages that are known to all, and the seat that asks."""

    aim: Aim
    distances: Distances
    turn: int
    roll: int
    hands: tuple[Hand, ...]
    seat: int

    def __post_init__(self) -> None:
        if self.aim.purses is not None:
            raise InvalidOption(
                "--purses: with messages the captain stays and payments count in full; leave it out"
            )
        if self.aim.day(self.distances, self.turn).is_over:
            raise InvalidPosition(
                f"messenger {self.turn + 1} stands on space 1 and walks in without rolling"
            )

    def head(self, box: Box) -> Answer:
        """Return the keys that say what was asked."""
        return {
            "command": "giveit reveal",
            "players": self.aim.players,
            "distances": list(self.distances),
            "turn": self.turn + 1,
            "roll": self.roll,
            "seat": self.seat + 1,
            **self.aim.keys(),
            "hands": [[message.key for message in hand] for hand in self.hands],
            "box": {"source": box.source, "invented": box.invented},
        }


def answer(asking: Asking, asked: Asked, box: Box) -> Answer:
    """Return the answer where all messages are known to all."""
    number = sum(map(len, asked.hands))
    if number > MOST:
        raise InvalidOption(
            f"{number} messages are named; at most {MOST} in all can be solved exactly: leave out "
            "some, or sample the others with --hidden"
        )
    solution = solved(asking, asked)
    window = solution.window(asked.distances)
    found = _Roll(asked, window)
    left = solution.left
    return {
        **asked.head(box),
        "values": found.row(found.outcome(found.full)),
        **found.choices(),
        "messages": found.messages(),
        "residual": left.residual,
        "unsettled": left.unsettled,
        "model": _model(asked, box, left.residual, left.unsettled),
        "source": "solved now",
    }


def _model(asked: Asked, box: Box, residual: float, unsettled: int) -> str:
    settled = (
        f"{unsettled} of the values did not settle, the last sweep changed them by {residual:.2g}"
        if unsettled
        else f"residual {residual:.0e}"
    )
    return (
        f"messages known to all, {asked.aim.describe()}; where passes come round, what iteration "
        f"reaches from the values without messages ({settled}); {box.describe()}"
    )


def solved(asking: Asking, asked: Asked) -> OpenSolution:
    """Return the values of everything that can come of a position with known messages."""
    from advisor.giveit.day import worth
    from advisor.giveit.day.board import Board, positions_within
    from advisor.giveit.day.messages import held, solve_open
    from advisor.giveit.day.solve import bytes_of

    aim, messages = asked.aim, held(asked.hands)
    positions, sets = positions_within(asked.distances), 1 << len(messages)
    refuse_beyond(asking.memory, bytes_of(positions, sets, aim.players), positions, sets)
    if aim.deliver is None or aim.captain is None:
        played, gold = worth.reach(aim.players), False
    else:
        played, gold = worth.fixed_gold(aim.players, aim.deliver, aim.captain), True
    return solve_open(Board(asked.distances), played, messages, gold)


class _Roll:
    """The roll that is asked about, as rows of four values."""

    def __init__(self, asked: Asked, window: Window) -> None:
        self.asked, self.window = asked, window
        self.full = (1 << len(window.messages)) - 1
        self.shown = window.shown(self.full, asked.turn)

    def row(self, values: Floats) -> list[float]:
        """Return the values of the roll among those of all rolls at one position."""
        return [float(each) for each in values[self.asked.roll - 1, 0]]

    def outcome(self, down: int, but: Iterable[int] = ()) -> Floats:
        """Return the values of all rolls with some messages down, `but` some not now revealed."""
        shown = self.window.shown(down, self.asked.turn)
        kept = {number: rows for number, rows in shown.items() if number not in set(but)}
        return self.window.rolled(down, self.asked.turn, kept)

    def choices(self) -> Answer:
        """Return what the seat can do: one list, or one for each announcement it may answer."""
        asked, seat = self.asked, self.asked.seat
        after = (seat - asked.turn) % asked.aim.players
        announced = self._announced(after)
        if seat == asked.turn:
            return {"options": _ranked([*self._reveals(), *announced], seat)}
        return {
            "announced": [
                {
                    "messenger": each["messenger"],
                    "to": each["to"],
                    "options": _ranked([*self._reveals(), {**each, "kind": "quiet"}], seat),
                }
                for each in announced
            ]
        }

    def _announced(self, after: int) -> list[Answer]:
        """Return the announcements with their values, seats more than `after` away answering."""
        asked, window, down = self.asked, self.window, self.full
        possible = movements(asked.distances, asked.roll)
        if not possible:
            passed = window.passed(down, asked.turn)[None].repeat(6, axis=0)
            values = window.answered(passed, down, asked.turn, self.shown, after)
            return [{"kind": "pass", "messenger": None, "to": None, "values": self.row(values)}]
        options, _ = window.announced(down, asked.turn)
        values = window.answered(options, down, asked.turn, self.shown, after)
        return [
            {"kind": "move", "messenger": one + 1, "to": to, "values": self.row(values[one])}
            for one, to in possible
        ]

    def _reveals(self) -> list[Answer]:
        messages = self.window.messages
        return [
            {"kind": "reveal", "message": messages[number].message.key,
             "values": self.row(self.shown[number])}
            for number in self.window.kinds(self.full, self.asked.seat)
        ]  # fmt: skip

    def messages(self) -> list[Answer]:
        """Return what each message of the seat is worth: held at all, and revealed now."""
        seat = self.asked.seat
        own = [n for n, each in enumerate(self.window.messages) if each.seat == seat]
        with_all = self.row(self.outcome(self.full))[seat]
        quiet = self.row(self.outcome(self.full, own))[seat]
        found = []
        for number in self.window.kinds(self.full, seat):
            without = self.row(self.outcome(self.full & ~(1 << number)))[seat]
            found.append(
                {
                    "message": self.window.messages[number].message.key,
                    "gold": self.window.messages[number].message.gold,
                    "worth": with_all - without,
                    "now": self.row(self.shown[number])[seat] - quiet,
                }
            )
        return found


def _ranked(options: list[Answer], seat: int) -> list[Answer]:
    best = max(option["values"][seat] for option in options)
    for option in options:
        option["value"] = option["values"][seat]
        option["loss"] = best - option["value"]
    order = sorted(options, key=lambda each: each["loss"] if each["loss"] > LOSSLESS else 0.0)
    return [{"rank": rank, **option} for rank, option in enumerate(order, 1)]
