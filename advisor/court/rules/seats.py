"""Who still rolls in the final round, in what order, and what is to be beaten: as data.

Section 5 of docs/rules.md. The last one listed owns the Queen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from advisor.court.rules.cards import KING, QUEEN, fewest_dice, in_order
from advisor.court.rules.names import parse_hand
from advisor.court.rules.notation import Position, format_position
from advisor.court.rules.options import RuleSet, check_hand, dice_in_reach, start_dice, with_queen
from advisor.dice import Counts, Rank, format_dice, format_rank, parse_rank, rank
from advisor.errors import InvalidCards, InvalidOption, InvalidPosition
from advisor.text import quoted

GONE: Final = "gone"
"""The holder of the King has rolled already."""

KING_DICE: Final = fewest_dice(KING.cost)
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


def read_seats(best: str, hands: Sequence[str], holder: str | None, rules: RuleSet) -> Seats:
    """Return the final round written as rank, one text a player, and place of the holder."""
    place = _holder(holder, len(hands))
    return seats(parse_rank(best), [parse_hand(text) for text in hands], place, rules)


def _holder(text: str | None, players: int) -> int | None:
    if text is None or not players:
        return players - 1
    if text.strip().casefold() == GONE:
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= players:
        raise InvalidOption(
            f"--holder {quoted(text)} is no player: write the number of a listed player, 1 to "
            f"{players}, or {GONE!r} for one who has rolled already"
        )
    return int(text) - 1


def seats(best: Rank, hands: Sequence[Sequence[str]], holder: int | None, rules: RuleSet) -> Seats:
    """Return the final round after checking it; the last player gets the Queen."""
    if len(hands) + (holder is None) < 2:
        raise InvalidOption(
            f"{len(hands)} player{'s' * (len(hands) != 1)}: a final round needs two; write "
            "--player CARDS for each one still to roll, the Queen's owner last"
        )
    for place, hand in enumerate(hands[:-1], 1):
        if QUEEN.key in hand:
            raise InvalidCards(
                f"player {place} ({', '.join(hand)}): there is one Queen, and the player listed "
                "last owns it; leave it out, or list its owner last"
            )
    *others, owner = hands
    everybody = (*map(in_order, others), with_queen(owner))
    for hand in everybody:
        check_hand(hand, rules)
    return Seats(everybody, best, holder)


def check_mover(round_: Seats, position: Position) -> None:
    """Raise unless the position belongs to the player listed first."""
    if position.cards != round_.hands[0]:
        raise InvalidPosition(
            f"{quoted(format_position(position))}: its cards "
            f"({', '.join(position.cards) or 'none'}) are not those of the first --player "
            f"({', '.join(round_.hands[0]) or 'none'}); list the player to move first, with all "
            "cards, used ones too"
        )


def warnings(round_: Seats, rules: RuleSet) -> list[str]:
    """Return what is odd about a final round that can be answered all the same."""
    alike, shown = round_.best[0], format_rank(round_.best)
    found = []
    if alike < KING_DICE:
        found.append(f"best result {shown}: the King costs {KING_DICE} alike; answered as given")
    if round_.holder is None:
        return found
    number, dice = round_.holder + 1, dice_in_reach(round_.hands[round_.holder], rules)
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


# ---------------------------------------------------------------- before the final round


@dataclass(frozen=True)
class Claim:
    """Whether to take the King now: own cards and result, the others clockwise from one's left.

    The first `to_play` of the others still have their turn in this round. `supply`: cards that
    can still be bought, None for all copies that this number of players has and nobody owns.
    """

    hand: tuple[str, ...]
    result: Counts
    others: tuple[tuple[str, ...], ...]
    to_play: int
    supply: tuple[str, ...] | None = None

    def question(self) -> dict[str, object]:
        """Return all that the answer depends on, besides the rules."""
        return {
            "cards": list(self.hand),
            "result": format_dice(self.result),
            "players": [list(hand) for hand in self.others],
            "to_play": self.to_play,
            "supply": None if self.supply is None else list(self.supply),
        }


@lru_cache(maxsize=256)
def round_order(seats: int, start: int, owner: int | None) -> tuple[int, ...]:
    """Return the seats in the order of a round, `owner` that of the Queen in the final round."""
    first = start if owner is None else start - 1
    clockwise = [(first + place) % seats for place in range(seats)]
    if owner is None:
        return tuple(clockwise)
    return (*(seat for seat in clockwise if seat != owner), owner)


def rolling_order(others: int, to_play: int) -> list[int]:
    """Return the order in which the others roll if the King is taken now (E2, E7).

    They are counted clockwise from 0. The last one of this round is the first of the final round;
    who took the King rolls after all of them.
    """
    # Who takes the King is seat 0; after that seat `to_play` others end the round.
    return [seat - 1 for seat in round_order(others + 1, to_play + 1, 0)[:-1]]


def to_play_next(others: int, to_play: int) -> int:
    """Return how many of the others play after this player in the next round."""
    return (to_play - 1) % (others + 1)


def check_claim(claim: Claim, rules: RuleSet) -> None:
    """Raise unless the King can be taken so."""
    for hand in (claim.hand, *claim.others):
        check_hand(hand, rules)
        if QUEEN.key in hand:
            raise InvalidCards(
                f"{', '.join(hand)}: the Queen comes with the King, so nobody has her before it "
                "is taken; leave her out ('advisor final' answers after that)"
            )
    for key in claim.supply or ():
        if key in (KING.key, QUEEN.key):
            raise InvalidCards(f"--supply {key}: the King is the question itself; leave it out")
    shown = format_dice(claim.result)
    if not claim.others:
        raise InvalidOption("no other player: write --player CARDS for each of them")
    if not 0 <= claim.to_play <= len(claim.others):
        raise InvalidOption(
            f"--to-play {claim.to_play}: of {len(claim.others)} listed players at most "
            f"{len(claim.others)} can have their turn ahead; correct it"
        )
    if rank(claim.result)[0] < KING_DICE:
        raise InvalidPosition(
            f"--result {quoted(shown)} has {rank(claim.result)[0]} alike: the King costs "
            f"{KING_DICE}; 'advisor keep' answers what to aim for"
        )
    least, most = start_dice(claim.hand, rules), dice_in_reach(claim.hand, rules)
    if not least <= sum(claim.result) <= most:
        raise InvalidPosition(
            f"--result {quoted(shown)} has {sum(claim.result)} dice, but these cards give {least} "
            f"to {most}: correct the dice or --cards"
        )
