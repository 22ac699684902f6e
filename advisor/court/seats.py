"""Who still rolls in the final round, in what order, and what is to be beaten: as data.

Section 5 of docs/rules.md. The last one listed owns the Queen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from advisor.court.cards import in_order
from advisor.court.names import parse_cards
from advisor.court.rules import RuleSet, brings_in, check_hand, start_dice
from advisor.dice import Rank, format_rank, parse_rank
from advisor.errors import InvalidCards, InvalidOption

GONE: Final = "gone"
"""The holder of the King has rolled already."""

KING_DICE: Final = 7
"""Dice alike that the King costs."""


@dataclass(frozen=True)
class Seats:
    """The players still to roll, in rolling order, with all their cards, the last one's Queen too.

    `best` is the best result so far and `holder` the place of the player who holds the King with
    it, None if that one has rolled already.
    """

    hands: tuple[tuple[str, ...], ...]
    best: Rank
    holder: int | None

    @property
    def last(self) -> int:
        """The place of the Queen's owner."""
        return len(self.hands) - 1

    def shown_holder(self) -> int | str:
        """Return the holder as the command line names it: from 1, or "gone"."""
        return GONE if self.holder is None else self.holder + 1

    def question(self) -> dict[str, object]:
        """Return all that the chances depend on, besides the rules."""
        return {
            "best": format_rank(self.best),
            "holder": self.shown_holder(),
            "players": [list(hand) for hand in self.hands],
        }


def parse_hand(text: str) -> tuple[str, ...]:
    """Return the cards of one player; an empty text is a player without cards."""
    return parse_cards(text) if text.strip() else ()


def read_seats(best: str, hands: Sequence[str], holder: str | None, rules: RuleSet) -> Seats:
    """Return the final round written as rank, one text a player, and place of the holder."""
    place = _holder(holder, len(hands))
    return seats(parse_rank(best), [parse_hand(text) for text in hands], place, rules)


def _holder(text: str | None, players: int) -> int | None:
    if text is None:
        return players - 1
    if text.strip().casefold() == GONE:
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= players:
        raise InvalidOption(
            f"--holder {text!r} is no player: write the number of a listed player, 1 to {players}, "
            f"or {GONE!r} for one who has rolled already"
        )
    return int(text) - 1


def seats(
    best: Rank, hands: Sequence[Sequence[str]], holder: int | None, rules: RuleSet
) -> Seats:
    """Return the final round after checking it; the last player gets the Queen."""
    if len(hands) + (holder is None) < 2:
        raise InvalidOption(
            f"{len(hands)} player{'s' * (len(hands) != 1)}: a final round needs two; write --player "
            "CARDS for each one still to roll, the Queen's owner last"
        )
    for place, hand in enumerate(hands[:-1], 1):
        if "queen" in hand:
            raise InvalidCards(
                f"player {place} ({', '.join(hand)}): there is one Queen, and the player listed "
                "last owns it; leave it out, or list its owner last"
            )
    *others, owner = hands
    everybody = (*map(in_order, others), with_queen(owner))
    for hand in everybody:
        check_hand(hand, rules)
    return Seats(everybody, best, holder)


def with_queen(hand: Sequence[str]) -> tuple[str, ...]:
    """Return the cards with the Queen among them."""
    return in_order(hand if "queen" in hand else (*hand, "queen"))


def reach(hand: Sequence[str], rules: RuleSet) -> int:
    """Return the largest number of dice that these cards can bring into play."""
    return min(start_dice(hand, rules) + sum(map(brings_in, hand)), rules.dice_limit)


def warnings(round_: Seats, rules: RuleSet) -> list[str]:
    """Return what is odd about a final round that can be answered all the same."""
    alike, shown = round_.best[0], format_rank(round_.best)
    found = []
    if alike < KING_DICE:
        found.append(f"best result {shown}: the King costs {KING_DICE} alike; answered as given")
    if round_.holder is None:
        return found
    number, dice = round_.holder + 1, reach(round_.hands[round_.holder], rules)
    if round_.holder != round_.last:
        found.append(
            f"player {number} holds the King before rolling, but only the Queen's owner or a "
            "player who has rolled can; answered as if that roll could only raise the result"
        )
    if dice < alike:
        found.append(
            f"best result {shown}: player {number}, who holds the King, can have {dice} dice at "
            "most and could not roll it again; answered as given"
        )
    return found
