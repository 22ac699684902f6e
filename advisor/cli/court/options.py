"""Options that commands about To Court the King share; those of every game are in `shared`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, cast

import click

from advisor import units as memory_sizes
from advisor.cli.output import Command, adding, output
from advisor.court.questions import Settings, rule_set
from advisor.court.race.questions import BUDGET
from advisor.court.rules.cards import LANGUAGES
from advisor.court.rules.names import parse_cards
from advisor.court.rules.notation import (
    Position,
    before_first_roll,
    check_position,
    parse_position,
)
from advisor.court.rules.options import RULE_SETS, RuleSet, brings_in, start_dice
from advisor.dice import NONE, parse_dice
from advisor.errors import InvalidCards, InvalidDice, InvalidPosition
from advisor.storage import places
from advisor.text import quoted


class Size(click.ParamType[int]):
    """A number of bytes such as 500M or 8G."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of bytes."""
        return value if isinstance(value, int) else memory_sizes.parse_bytes(value)


def common(command: Command) -> Command:
    """Add the options of every command that answers questions: rules, names, output."""
    return ruling(output(command))


def ruling(command: Command) -> Command:
    """Add the rule set and the language of names."""
    return adding(
        command,
        click.option(
            "--rules",
            type=click.Choice(list(RULE_SETS)),
            default="rulebook",
            envvar="ADVISOR_RULES",
            show_default=True,
            help="Rule set.",
        ),
        click.option(
            "--lang",
            type=click.Choice(LANGUAGES),
            default="en",
            envvar="ADVISOR_LANG",
            show_default=True,
            help="Language of card names.",
        ),
    )


def solving(command: Command) -> Command:
    """Add the options of commands that solve: memory and cache."""
    command = adding(
        command,
        click.option(
            "--memory",
            type=Size(),
            envvar="ADVISOR_MEMORY",
            help="Most memory to use, for example 8G.  [default: half of the machine's]",
        ),
        click.option("--cache/--no-cache", default=True, help="Use the answers kept on disk."),
    )
    return tables(command)


def note(message: str) -> None:
    """Write what does not keep a question from being answered."""
    click.echo(f"Note: {message}", err=True)


def answering(command: Command) -> Command:
    """Add the options of commands that answer questions; hand over `settings` and `written`."""

    @wraps(command)
    def answer(
        *args: Any,
        rules: str,
        lang: str,
        memory: int | None,
        cache: bool,
        tables: Path | None,
        **own: Any,
    ) -> Any:
        settings = Settings(
            rules=rules, language=lang, memory=memory, cache=cache, tables=tables, warn=note
        )
        return command(*args, settings=settings, **own)

    return common(solving(cast(Command, answer)))


def tables(command: Command) -> Command:
    """Add the option that names the folder of precomputed tables."""
    return click.option(
        "--tables",
        type=click.Path(path_type=Path),
        envvar="ADVISOR_TABLES",
        callback=lambda _ctx, _param, value: value or places.tables(),
        help="Folder of precomputed tables.  [default: in the user's data folder]",
    )(command)


def plotting(what: str) -> Callable[[Command], Command]:
    """Return the decorator that adds the option of commands whose answer can be drawn."""
    return click.option(
        "--plot",
        type=click.Path(dir_okay=False, writable=True),
        metavar="FILE",
        help=f"Draw {what} into a .png or .svg file (extra 'plot').",
    )


def check_plot(file: str | None, language: str = "en") -> None:
    """Raise if a drawing is wanted and cannot be made, before anything is solved."""
    if file:
        from advisor import drawing

        drawing.check(file)
        if not drawing.has_letters_of(file, language):
            click.echo(
                "Note: no font with Japanese letters is installed; names are in English (an .svg "
                "file would show them)",
                err=True,
            )


def position_options(command: Command) -> Command:
    """Add the ways to give a position: one text, or cards and dice apart."""
    return adding(
        command,
        click.argument("position", required=False),
        click.option("--cards", metavar="CARDS", help="All owned cards, comma separated."),
        click.option("--used", metavar="CARDS", help="Those of them used already this turn."),
        click.option("--aside", metavar="DICE", help="Dice set aside."),
        click.option(
            "--roll", metavar="DICE", help="Active dice, or for example 3d: to be rolled."
        ),
        click.option("--may-roll", is_flag=True, help="A die was set aside since the last roll."),
    )


def race_options(command: Command) -> Command:
    """Add the hand, the supply and the width of the commands about the race for the King."""
    hand = click.option("--cards", metavar="CARDS", help="All owned cards, comma separated.")
    return hand(supply_options(command))


def supply_options(command: Command) -> Command:
    """Add what can be bought in the race for the King, and how narrow intervals should be."""
    return adding(
        command,
        click.option(
            "--supply",
            metavar="CARDS",
            help="Cards that can be bought besides the King.  [default: all not owned]",
        ),
        click.option(
            "--width",
            type=float,
            metavar="W",
            help="Widest interval, in turns.  [default: by what can be bought]",
        ),
    )


def display_options(command: Command) -> Command:
    """Add what others took off the display, and the time that narrowing intervals may take."""
    return adding(
        command,
        click.option(
            "--budget",
            type=float,
            default=BUDGET,
            show_default=True,
            metavar="S",
            help="Seconds for the intervals.",
        ),
        click.option(
            "--players", type=int, metavar="N", help="Players, for the copies of each card."
        ),
        click.option(
            "--gone",
            metavar="CARDS",
            help="Cards that others own, a card once a copy; without --players: off the display.",
        ),
    )


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """Show what is being done on one line of a terminal, nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda message: None
        return

    def told(message: str) -> None:
        click.echo(f"\r\x1b[K{message}", err=True, nl=False)

    try:
        yield told
    finally:
        click.echo("\r\x1b[K", err=True, nl=False)


def read_position(
    settings: Settings,
    position: str | None,
    cards: str | None,
    used: str | None,
    aside: str | None,
    roll: str | None,
    may_roll: bool,
) -> Position:
    """Return the position that the options of `position_options` describe, checked."""
    rules = rule_set(settings["rules"])
    apart = {"--cards": cards, "--used": used, "--aside": aside, "--roll": roll}
    given = [name for name, value in apart.items() if value is not None]
    if position is not None:
        if given or may_roll:
            raise InvalidPosition(
                f"{quoted(position)} and {', '.join(given or ['--may-roll'])} both describe the "
                "position: give one or the other"
            )
        found = parse_position(position)
    else:
        found = _assemble(rules, cards, used, aside, roll, may_roll)
    check_position(found, rules)
    return found


def _assemble(
    rules: RuleSet,
    cards: str | None,
    used: str | None,
    aside: str | None,
    roll: str | None,
    may_roll: bool,
) -> Position:
    owned = list(parse_cards(cards)) if cards is not None else []
    spent = parse_cards(used) if used is not None else ()
    for key in spent:
        if key not in owned:
            raise InvalidCards(f"--used {key}: this card is not among --cards; add it there")
        owned.remove(key)
    if aside is not None and parse_dice(aside) == NONE:
        raise InvalidDice(f"--aside {quoted(aside)} is empty: leave it out if no die is set aside")
    if roll is None:
        if aside is not None or may_roll:
            raise InvalidPosition(
                "--aside or --may-roll without --roll: give the active dice, or 3d for dice "
                "still to be rolled"
            )
        start = before_first_roll((*owned, *spent), rules)
        dice = min(start_dice(start.cards, rules) + sum(map(brings_in, spent)), rules.dice_limit)
        return Position(unused=tuple(owned), used=spent, to_roll=dice)
    if not roll.strip():
        raise InvalidDice(f"--roll {quoted(roll)} is empty: give the active dice, for example 6552")
    text = f"{aside or ''}/{roll}{'+' if may_roll else ''}:"
    parsed = parse_position(text)
    return Position(
        parsed.aside, parsed.active, tuple(owned), spent, parsed.to_roll, parsed.may_roll
    )


def is_batch(position: str | None, **apart: Any) -> bool:
    """Return whether positions come from standard input, one a line."""
    if position == "-" and any(apart.values()):
        raise InvalidPosition("'-' reads whole positions: leave out --cards, --roll and the like")
    return position == "-"


def lines_of_stdin() -> Iterator[tuple[int, str]]:
    """Yield (number, text) of the non-empty lines of standard input; # starts a comment."""
    for number, line in enumerate(sys.stdin.buffer, 1):
        text = line.decode(errors="replace").partition("#")[0].strip()
        if text:
            yield number, text
