"""`advisor analyze`: a recorded game or turn judged step by step."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.asking import Asking
from advisor.court.play.record import Record
from advisor.court.play.record_file import read_record, record_from
from advisor.court.rules.options import RuleSet
from advisor.court.show import html as report
from advisor.court.show.analysis import AnalysisOutput
from advisor.errors import InvalidOption


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
    asking: Asking,
    written: Written,
) -> None:
    """Judge every step of RECORD, a game or a turn as docs/records.md describes it (- for input).

    Each decision with its loss against the best one, each fall of the dice with its luck; for each
    player the loss a decision and the result without the luck. The rule set is that of the record.
    """
    from advisor.court.coach.analysis import analyze

    if html:
        report.check(html)
    played = _read(record)
    asking = replace(asking, rules=_rules(ctx, asking, played))
    with options.progress() as told:
        answer = analyze(asking, played, told)
    if html:
        report.save(report.page(answer, asking.language), html)
        click.echo(f"written to {html}", err=True)
    output = AnalysisOutput(written.color, asking.language)
    written.show(answer, partial(output.analysis, every=every))


def _read(where: str) -> Record:
    def warn(message: str) -> None:
        click.echo(f"Note: {message}", err=True)

    if where == "-":
        return record_from(sys.stdin.buffer, where, warn)
    return read_record(Path(where), warn)


def _rules(ctx: click.Context, asking: Asking, played: Record) -> RuleSet:
    """Return the rule set of the record; raise if another one was asked for."""
    rules = played.header.rules
    typed = ctx.get_parameter_source("rules") is click.core.ParameterSource.COMMANDLINE
    if typed and rules != asking.rules:
        raise InvalidOption(
            f"--rules {asking.rules.name}: the record was played by {rules.name}; leave it out, or "
            "correct the line 'rules' of the record"
        )
    return rules
