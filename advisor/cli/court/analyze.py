"""`advisor analyze`: a recorded game or turn judged step by step."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.play.record import Record
from advisor.court.play.record_file import record_from
from advisor.court.questions import Settings
from advisor.court.show import html as report
from advisor.court.show.analysis import AnalysisOutput


@click.command("analyze", epilog="Example: advisor analyze game.txt --html game.html")
@click.argument("record", type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--all", "every", is_flag=True, help="Show every step, not only decisions to mark.")
@click.option(
    "--html",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Also write a report that opens in a browser, all in one file.",
)
@options.answering
@click.pass_context
def command(
    ctx: click.Context,
    /,
    record: str,
    every: bool,
    html: str | None,
    settings: Settings,
    written: Written,
) -> None:
    """Judge every step of RECORD, a game or a turn as docs/records.md describes it (- for input).

    Each decision with its loss against the best one, each fall of the dice with its luck; for each
    player the loss a decision and the result without the luck. The rule set is that of the record.
    """
    if html:
        report.check(html)
    language = settings["language"]
    if ctx.get_parameter_source("rules") is not click.core.ParameterSource.COMMANDLINE:
        # The record says by which rules it was played.
        del settings["rules"]
    with options.progress() as told:
        answer = questions.analyze(_record(record), **settings, told=told)
    if html:
        report.save(report.page(answer, language), html)
        click.echo(f"written to {html}", err=True)
    output = AnalysisOutput(written.color, language)
    written.show(answer, partial(output.analysis, every=every))


def _record(where: str) -> Record | Path:
    return record_from(sys.stdin.buffer, where, options.note) if where == "-" else Path(where)
