"""`advisor buy`: which card to buy with a result."""

from __future__ import annotations

import click

from advisor.cli import options
from advisor.court import race, render
from advisor.court.answers import Asking
from advisor.court.supply import check_gone, full_supply, supply_of, without
from advisor.dice import NONE, parse_dice
from advisor.errors import InvalidDice


@click.command("buy", epilog="Example: advisor buy 2244 --cards farmer")
@click.argument("result")
@options.race_options
@click.option("--budget", type=float, default=race.BUDGET, show_default=True, metavar="S",
              help="Seconds for the intervals.")  # fmt: skip
@click.option("--players", type=int, metavar="N", help="Players, for the copies of each card.")
@click.option(
    "--gone",
    metavar="CARDS",
    help="Cards that others own, a card once a copy; without --players: off the display.",
)
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
    written: options.Written,
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
        raise InvalidDice(f"{result!r} is empty: give the dice of the result, for example 2244")
    if supply is None:
        chosen = full_supply(hand, asking.rules)
    else:
        chosen = supply_of(options.read_cards(supply), hand, asking.rules)
    off = options.read_cards(gone) if gone is not None else ()
    check_gone(off, players, asking.rules)
    with options.progress() as told:
        answer = race.buy(asking, final, hand, without(chosen, off, players), width, budget, told)
    render.Output(*written).buy(answer)
