"""`advisor kingme analyze`: a recorded game judged."""

from __future__ import annotations

from functools import partial

import click

from advisor.cli.kingme import options
from advisor.cli.output import Written
from advisor.kingme import questions
from advisor.kingme.rules.goals import load
from advisor.kingme.show.text import Output


@click.command("analyze", epilog="Example: advisor kingme analyze game.txt --all")
@click.argument("record")
@click.option("--all", "every", is_flag=True, help="Show every step that is judged.")
@options.deck
@options.output
def command(record: str, every: bool, deck: str | None, written: Written) -> None:
    """Judge the ends of the rounds of RECORD whose goals have been shown (- for standard input).

    Every character raised late enough in a round to be solved exactly is compared with the best
    one, as if all goals had been open: in points of the round, in the third round by the chance to
    win the game.
    """
    played = options.read_record(record)
    answer = questions.analyze(played, load(deck or played.header.goals))
    written.show(answer, partial(Output(written.color).analysis, every=every))
