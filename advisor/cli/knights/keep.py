"""`advisor knights keep`: which dice to keep."""

from __future__ import annotations

from functools import partial

import click

from advisor.cli.knights import options
from advisor.cli.output import Written
from advisor.dice import parse_dice
from advisor.errors import InvalidOption
from advisor.knights.rules.options import (
    THRONE,
    Combination,
    RuleSet,
    parse_combination,
    parse_die_cards,
)
from advisor.knights.show.text import Output


@click.command("keep", epilog="Example: advisor knights keep 552366 --card 3332 --throws-left 2")
@click.argument("dice")
@click.option("--card", metavar="CARD", help="The card to beat: three red values and the yellow.")
@click.option("--throne", is_flag=True, help="The throne is to be captured (5551).")
@click.option(
    "--throws-left",
    type=int,
    default=2,
    show_default=True,
    help="Throws left after this one: 2 after the first of three.",
)
@options.die
@options.attack
@options.defender_die
@click.option("--kept", metavar="DICE", help="Dice kept before (with --kept-locked).")
@click.option("--all", "every", is_flag=True, help="Show every option.")
@options.common
def command(
    dice: str,
    card: str | None,
    throne: bool,
    throws_left: int,
    die_cards: str,
    attack: bool,
    defender_die: str | None,
    kept: str | None,
    every: bool,
    kept_locked: bool,
    kickers: str,
    written: Written,
) -> None:
    """Rank the dice to keep after a throw.

    DICE are the six dice as they lie, sixes included; dice that are missing are out. The value is
    the chance to beat the card, with --attack to take the castle against its owner's best defence.
    """
    from advisor.knights import questions

    rules = RuleSet(kept_locked, kickers)
    if attack and throne:
        raise InvalidOption("--attack and --throne: nobody defends the throne; leave out --attack")
    defender = options.defender(attack, defender_die)
    asked = questions.Aim(_card(card, throne), parse_die_cards(die_cards), defender)
    thrown = parse_dice(dice)
    locked = parse_dice(kept or "")
    answer = questions.keep(thrown, asked, throws_left, rules, locked, throne)
    written.show(answer, partial(Output(written.color).keep, every=every))


def _card(card: str | None, throne: bool) -> Combination:
    if card is not None and throne:
        raise InvalidOption("--card and --throne are two aims: give one of them")
    if card is None and not throne:
        raise InvalidOption("no aim: give the card, for example --card 3332, or --throne")
    return THRONE if card is None else parse_combination(card)
