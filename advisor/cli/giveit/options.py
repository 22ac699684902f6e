"""Options that commands about Give It to the King! share, and what they say together."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from advisor.answers import Failure
from advisor.cli.output import Command, Written, adding
from advisor.errors import AdvisorError, InvalidOption, InvalidPosition, UsageProblem
from advisor.giveit import questions
from advisor.giveit.answers import Answer, Given
from advisor.giveit.questions import Aim, Asking
from advisor.giveit.rules import notation
from advisor.giveit.rules.corridor import MESSENGERS, PLAYERS, Distances
from advisor.giveit.show.text import Output
from advisor.storage import places
from advisor.units import default_limit, parse_bytes


class Size(click.ParamType[int]):
    """A number of bytes such as 500M or 8G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        return value if isinstance(value, int) else parse_bytes(value)


def position(command: Command) -> Command:
    """Add the position: who stands where, whose turn it is, how many play."""
    return adding(
        command,
        click.argument("distances"),
        click.option("--turn", type=int, metavar="SEAT", help="Whose turn it is, from 1 on."),
        players,
    )


players = click.option(
    "--players",
    type=click.IntRange(PLAYERS[0], PLAYERS[-1]),
    default=MESSENGERS,
    show_default=True,
    metavar="N",
    help="Players, 2 to 4; the messengers after theirs are trainees.",
)


def worth(command: Command) -> Command:
    """Add what the day is played for."""
    return adding(
        command,
        click.option(
            "--deliver",
            metavar="GOLD,...",
            help="Play for gold: what the delivery is worth to each seat.  [default: the throne]",
        ),
        click.option("--captain", type=int, metavar="SEAT", help="The captain (with --deliver)."),
        click.option(
            "--purses",
            metavar="GOLD,...",
            help="Everybody's gold: the captain changes, payments go as far as it does.  "
            "[default: the captain stays, payments in full]",
        ),
    )


def resources(command: Command) -> Command:
    """Add where tables lie and how much memory may be used."""
    return adding(
        command,
        tables,
        click.option(
            "--memory",
            type=Size(),
            envvar="ADVISOR_MEMORY",
            help="Most memory to use, for example 8G.  [default: half of the machine's]",
        ),
    )


tables = click.option(
    "--tables",
    type=click.Path(path_type=Path),
    envvar="ADVISOR_TABLES",
    callback=lambda _ctx, _param, value: value or places.tables(),
    help="Folder of precomputed tables.  [default: in the user's data folder]",
)

box = click.option(
    "--box",
    "box_file",
    metavar="FILE",
    help="Corridor and messages (TOML).  [default: the program's, which is invented]",
)


def read_aim(number: int, deliver: str | None, captain: int | None, purses: str | None) -> Aim:
    """Return what the options of `worth` say, checked."""
    return Aim(
        number,
        None if deliver is None else notation.parse_amounts(deliver, number, "--deliver"),
        None if captain is None else notation.seat_number(captain, number, "--captain"),
        None if purses is None else notation.parse_amounts(purses, number, "--purses")[:number],
    )


def read_position(text: str, turn: int | None, number: int) -> tuple[Distances, int]:
    """Return the position and the seat on turn."""
    distances = notation.parse_distances(text)
    if turn is None:
        raise InvalidOption("whose turn is it? Add --turn SEAT, for example --turn 1")
    return distances, notation.seat_number(turn, number, "--turn")


def asking(where: Path, memory: int | None) -> Asking:
    """Return where values come from."""
    limit = default_limit() if memory is None else memory
    return Asking(where, limit, lambda message: click.echo(f"Note: {message}", err=True))


def lines() -> Iterator[tuple[int, list[str]]]:
    """Yield (number, words) of the non-empty lines of standard input; # starts a comment."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        words = line.decode(errors="replace").partition("#")[0].split()
        if words:
            yield number, words


def one_line(
    words: list[str], turn: int | None, roll: int | None, players: int
) -> tuple[Distances, int, int | None]:
    """Return position, seat and roll of a line of a batch; what it lacks is in the options."""
    if len(words) > 3 or not all(word.isdecimal() and len(word) < 10 for word in words[1:]):
        raise InvalidPosition(
            f"{' '.join(words)!r}: a line is distances, the seat on turn and perhaps a roll, "
            "for example 17,18,19,20 4 3"
        )
    numbers = [int(word) for word in words[1:]]
    where, seat = read_position(words[0], numbers[0] if numbers else turn, players)
    thrown = numbers[1] if len(numbers) > 1 else roll
    return where, seat, None if thrown is None else notation.roll_number(thrown)


@dataclass(frozen=True)
class Showing:
    """How answers are shown."""

    written: Written

    def odds(self, answer: Answer) -> None:
        """Show the answer of `odds`."""
        self.written.show(Given(data=answer), self._output.odds)

    def move(self, answer: Answer) -> None:
        """Show the answer of `move`."""
        self.written.show(Given(data=answer), self._output.move)

    def bad_line(self, number: int, message: str) -> None:
        """Show what is wrong with a line of a batch."""
        self.written.show(Failure(error=message, line=number), self._output.bad_line)

    @property
    def _output(self) -> Output:
        return Output(self.written.color)


def answer(
    asking: Asking, shown: Showing, aim: Aim, asked: tuple[Distances, int, int | None]
) -> None:
    """Answer one question: the odds, or with a roll the moves."""
    where, seat, roll = asked
    if roll is None:
        shown.odds(questions.odds(asking, aim, where, seat))
    else:
        shown.move(questions.move(asking, aim, where, seat, roll))


def batch(asking: Asking, shown: Showing, aim: Aim, turn: int | None, roll: int | None) -> int:
    """Answer one question a line; return the exit code."""
    failed = False
    for number, words in lines():
        try:
            answer(asking, shown, aim, one_line(words, turn, roll, aim.players))
        except AdvisorError as error:
            failed = True
            shown.bad_line(number, str(error))
    return UsageProblem.exit_code if failed else 0
