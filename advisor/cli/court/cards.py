"""`advisor cards`: the characters."""

from __future__ import annotations

import click

from advisor.cli.completion import CardName
from advisor.cli.court import options
from advisor.court.rules.cards import CARDS
from advisor.court.rules.names import parse_card
from advisor.court.show.turn import Output


@click.command("cards", epilog="Example: advisor cards astronomer --lang de")
@click.argument("card", required=False, type=CardName())
@options.common
def command(card: str | None, rules: str, lang: str, as_json: bool, color: str) -> None:
    """Show what a character costs and does, its row, copies and names; without CARD all of them."""
    chosen = [parse_card(card)] if card is not None else [each.key for each in CARDS]
    Output(as_json, color, lang).cards(chosen, rules, single=card is not None)
