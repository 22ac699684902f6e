"""`advisor cards`: the characters."""

from __future__ import annotations

import click

from advisor.cli.completion import CardName
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.show.turn import Output


@click.command("cards", epilog="Example: advisor cards astronomer --lang de")
@click.argument("card", required=False, type=CardName())
@options.common
def command(card: str | None, rules: str, lang: str, written: Written) -> None:
    """Show what a character costs and does, its row, copies and names; without CARD all of them."""
    output = Output(written.color, lang)
    if card is None:
        written.show(questions.cards(rules=rules), output.cards)
    else:
        written.show(questions.cards(card, rules=rules), output.card)
