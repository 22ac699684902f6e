"""`advisor precompute --goal turns`: the table of the race for the King."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import click

from advisor.cli.court import options
from advisor.court.rules.names import parse_cards
from advisor.court.rules.options import RuleSet
from advisor.court.rules.supply import check_race, full_supply
from advisor.errors import InvalidGoal, InvalidOption

GOAL = "turns"


def is_asked(goals: tuple[str, ...]) -> bool:
    """Return whether the goals ask for the table of the race; raise if for others as well."""
    named = [text.strip().casefold() for text in goals]
    if GOAL in named and set(named) != {GOAL}:
        raise InvalidGoal(
            "--goal turns is a table of its own: make it alone, and the other goals with a second "
            "command"
        )
    return GOAL in named


@dataclass(frozen=True)
class Wanted:
    """What the table is to know: sets of cards, in how narrow intervals, within which time."""

    rules: RuleSet
    hands: tuple[str, ...]
    upto: int | None
    source: str | None
    width: float | None
    minutes: float | None

    def aims(self) -> list[Any]:
        """Return the hands to be known, each with its width; without any the empty hand."""
        from advisor.court.race.questions import FULL_WIDTH, check_width
        from advisor.court.tables import making_race, making_turns

        width = FULL_WIDTH if self.width is None else self.width
        check_width(width)
        if self.source is not None and self.upto is None:
            raise InvalidOption("--from CARDS says of which cards: add --upto K, how many of them")
        chosen = [parse_cards(text) if text.strip() else () for text in self.hands]
        if self.upto is not None and self.source is None:
            chosen += making_race.hands_upto(self.upto, self.rules)
        elif self.upto is not None and self.source is not None:
            chosen += making_turns.subsets(parse_cards(self.source), self.upto)
        for hand in chosen:
            check_race(hand, full_supply(hand, self.rules))
        return [making_race.Aim(tuple(dict.fromkeys(chosen)) or ((),), width)]


def command(
    wanted: Wanted,
    where: Path,
    memory: int,
    pool: Callable[[], AbstractContextManager[Any]],
    look: str | None,
    as_json: bool,
) -> None:
    """Make the table, or with `look` (`plan` or `status`) only say what is there of it."""
    from advisor import jobs
    from advisor.court.race import known as race_tables
    from advisor.court.race.hand import solve_task
    from advisor.court.tables import making_race

    aims = wanted.aims()
    if look:
        known = race_tables.find(where, wanted.rules, _warn)
        _say(as_json, look, making_race.status(known, aims), where)
        return
    begin = time.monotonic()
    with (
        pool() as (make_pool, ahead),
        options.progress() as told,
        jobs.Workers(make_pool, ahead) as workers,
    ):
        found = making_race.run(
            where, wanted.rules, aims, memory,
            lambda tasks: workers.run(tasks, solve_task),
            inf if wanted.minutes is None else 60 * wanted.minutes,
            lambda race, node: told(_progress(race, node)),
            _warn,
        )  # fmt: skip
    _say(as_json, "made", found | {"seconds": round(time.monotonic() - begin, 3)}, where)


def _warn(message: str) -> None:
    click.echo(f"Note: {message}", err=True)


def _progress(race: Any, node: Any) -> str:
    return (
        f"{', '.join(node.cards) or 'no cards'}: {node.lower:.4f} to {node.upper:.4f} turns; "
        f"{len(race.nodes)} hands, {race.passes} turns solved"
    )


def _say(as_json: bool, what: str, found: dict[str, Any], where: Path) -> None:
    if as_json:
        click.echo(json.dumps({"command": "precompute", "folder": str(where), what: found}))
    elif what == "made":
        click.echo(
            f"{found['hands']} hands known, {found['expanded']} of them expanded, "
            f"{found['open']} of those asked for still too wide; {found['passes']} turns solved "
            f"in {found['seconds']:.0f} s"
        )
        if found["large"]:
            click.echo(
                f"{found['large']} hands do not fit into the memory of a process: raise --memory "
                "or lower --jobs",
                err=True,
            )
    else:
        click.echo(
            f"{found['there']} hands known well enough, {found['open']} to be solved, in {where}"
        )
