"""`advisor buy`: which card to buy with a result."""

from __future__ import annotations

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court.asking import Asking
from advisor.court.race import questions as race
from advisor.court.show.turn import Output
from advisor.dice import NONE, parse_dice
from advisor.errors import InvalidDice
from advisor.text import quoted


@click.command("buy", epilog="Example: advisor buy 2244 --cards farmer")
@click.argument("result")
@options.race_options
@options.display_options
@options.answering
def command(
    result: str,
    cards: str | None,
    supply: str | None,
    width: float | None,
    budget: float,
    players: int | None,
    gone: str | None,
    asking: Asking,
    written: Written,
) -> None:
    """Rank the cards that RESULT pays for by the turns to the King expected afterwards.

    RESULT are the final dice of a turn with the hand --cards. What can be bought later is
    --supply (none: everything that is not owned) without the cards that are --gone. Each interval
    is certified and as narrow as --budget allows.
    """
    if width is not None:
        race.check_width(width)
    race.check_budget(budget)
    hand = options.read_hand(cards, asking.rules)
    final = parse_dice(result)
    if final == NONE:
        raise InvalidDice(
            f"{quoted(result)} is empty: give the dice of the result, for example 2244"
        )
    chosen = options.read_supply(hand, asking.rules, supply, gone, players)
    with options.progress() as told:
        answer = race.buy(race.Races(asking), final, hand, chosen, width, budget, told)
    written.show(answer, Output(written.color, asking.language).buy)
