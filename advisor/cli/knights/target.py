"""`advisor knights target`: which card to try for."""

from __future__ import annotations

import sys

import click

from advisor.cli.knights import options
from advisor.cli.output import Written, bar, cores
from advisor.cli.output import jobs as jobs_option
from advisor.knights.rules.options import LOOK_AHEAD, RuleSet
from advisor.knights.show.text import Output


@click.command("target", epilog="Example: advisor knights target position.toml --rollouts 200")
@click.argument("file", metavar="POSITION.toml")
@click.option(
    "--target",
    "only",
    metavar="TARGET",
    help="Only this one: deck 1, throne, or a player and a card (Boris: red 3332).",
)
@click.option(
    "--attempts",
    type=click.IntRange(1, 4),
    metavar="N",
    help="Attempts in the turn to look ahead, 1 to 4; each more takes about ten times as long."
    f"  [default: {LOOK_AHEAD}, fewer where that takes too long]",
)
@click.option("--components", "box", metavar="FILE", help="Card list, if not the position's.")
@click.option(
    "--rollouts",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    help="Simulate N games to the end after each choice and rank by them.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the simulated games.",
)
@jobs_option
@options.common
def command(
    file: str,
    only: str | None,
    attempts: int | None,
    box: str | None,
    rollouts: int | None,
    seed: int,
    jobs: int | None,
    kept_locked: bool,
    kickers: str,
    written: Written,
) -> None:
    """Rank every legal target and every change of a top card.

    POSITION.toml describes the players' cards, the tops of the decks and what is known of them
    (- reads it from standard input). Shown are the chance of success, the chance to win the game
    in this turn and to gain a castle or tournament in it, further attempts after specials
    included, and the risk at the throne.
    """
    from advisor.knights import questions, target
    from advisor.knights.rules import components
    from advisor.knights.turn import position

    rules = RuleSet(kept_locked, kickers)
    cards = components.load(box) if box else None
    where = (
        position.decode(sys.stdin.buffer.read(), "standard input", cards)
        if file == "-"
        else position.load(file, cards)
    )
    wanted = None if only is None else target.find(where, only)
    ranking = target.rank(where, rules, attempts)
    if rollouts is not None:
        with bar(rollouts * len(ranking.choices), "simulated games") as advance:
            ranking = target.simulate(
                ranking,
                where,
                rollouts,
                seed,
                jobs or cores(),
                rules,
                advance,
            )
    if wanted is not None:
        ranking = target.only(ranking, wanted)
    answer = questions.target(where, ranking, rules, seed)
    written.show(answer, Output(written.color).target)
