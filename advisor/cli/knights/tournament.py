"""`advisor knights tournament`: how likely each player wins."""

from __future__ import annotations

import click

from advisor.cli.knights import options
from advisor.cli.output import Written
from advisor.errors import InvalidOption
from advisor.knights.rules.options import PLAYERS, DieCards, RuleSet, parse_die_cards
from advisor.knights.show.text import Output
from advisor.terminal import counted


@click.command(
    "tournament",
    epilog="Example: advisor knights tournament --player 3,5 --player - --player 1 --champion 3",
)
@click.option(
    "--players",
    type=click.IntRange(PLAYERS[0], PLAYERS[-1]),
    metavar="N",
    help="So many players without Die cards, 2 to 6.",
)
@click.option(
    "--player",
    "hands",
    multiple=True,
    metavar="VALUES",
    help="A player's Die cards, - for none; repeated in throwing order, the organiser first.",
)
@click.option("--champion", type=int, metavar="SEAT", help="The seat that owns the Champion.")
@options.common
def command(
    players: int | None,
    hands: tuple[str, ...],
    champion: int | None,
    kept_locked: bool,
    kickers: str,
    written: Written,
) -> None:
    """Show each player's chance to win, everybody maximising the own one.

    Seat 1 organises with four throws; the others have three, with the Champion four.
    """
    from advisor.knights import questions
    from advisor.knights.throw.tournament import Thrower

    cards = _hands(players, hands)
    if champion is not None and not 1 <= champion <= len(cards):
        raise InvalidOption(f"--champion {champion}: the seats are 1 to {len(cards)}")
    throwers = [Thrower(hand, seat == champion) for seat, hand in enumerate(cards, 1)]
    answer = questions.tournament(throwers, RuleSet(kept_locked, kickers))
    written.show(answer, Output(written.color).tournament)


def _hands(players: int | None, hands: tuple[str, ...]) -> list[DieCards]:
    if (players is None) == (not hands):
        raise InvalidOption(
            "give either --players N or one --player VALUES for each player, for example "
            "--players 3 or --player 3,5 --player -"
        )
    if players is not None:
        return [()] * players
    if len(hands) not in PLAYERS:
        raise InvalidOption(
            f"--player is given {counted(len(hands), 'time')}: a tournament has {PLAYERS[0]} to "
            f"{PLAYERS[-1]} players; give it once for each, --player - for one without Die cards"
        )
    return [parse_die_cards(hand) for hand in hands]
