"""`advisor cards`: the characters."""

from __future__ import annotations

import click

from advisor.cli.completion import CardName
from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.rules import answers
from advisor.court.rules.cards import CARDS
from advisor.court.rules.names import parse_card
from advisor.court.rules.options import RULE_SETS
from advisor.court.show.turn import Output


@click.command("cards", epilog="Example: advisor cards astronomer --lang de")
@click.argument("card", required=False, type=CardName())
@options.common
def command(card: str | None, rules: str, lang: str, written: Written) -> None:
    """Show what a character costs and does, its row, copies and names; without CARD all of them."""
    chosen = [parse_card(card)] if card is not None else [each.key for each in CARDS]
    output = Output(written.color, lang)
    answer = answers.cards(chosen, RULE_SETS[rules])
    written.show(answer, output.cards if card is None else output.card)
