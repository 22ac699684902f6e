"""Whether to take the King now: the final round it leads to, beside buying another card.

The final round itself is exact. What happens before it is a model, named in the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Final

import numpy as np

from advisor.court.asking import SOLVED
from advisor.court.final.answers import (
    ClaimAnswer,
    OtherPlayer,
    OtherPurchase,
)
from advisor.court.final.solve import Chances, FinalRound, Plays
from advisor.court.rules.cards import BY_KEY, pays
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import RuleSet, bought, dice_in_reach
from advisor.court.rules.seats import KING_DICE, Claim, Seats, rolling_order, seats, to_play_next
from advisor.court.rules.supply import Display, on_display
from advisor.court.rules.turn import TurnState
from advisor.court.turn import advice
from advisor.court.turn.answers import PurchaseShare
from advisor.court.turn.goals import rank_goal
from advisor.court.turn.payoffs import PurchasePayoff, RankPayoff
from advisor.dice import RANKS, format_dice, format_rank, numbered_rank, rank, rank_number
from advisor.ties import TIE

Hands = tuple[tuple[str, ...], ...]
Tell = Callable[[str], None]

MOST_ROUNDS: Final = 400
"""Final rounds that are solved, at most, to let the others choose: enough for two of them."""

COMPARED: Final = 3
"""Other purchases for which the win by a later claim is worked out, unless all are asked for."""

LEAST: Final = rank_number((KING_DICE, 1))


# ---------------------------------------------------------------- take it now


@dataclass
class Taken:
    """The rest of the round and the final round after the King was taken.

    `buyers` are the places of the others who buy, in the order of their turns.
    """

    claim: Claim
    rules: RuleSet
    memory: int
    plays: Plays = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.order = rolling_order(len(self.claim.others), self.claim.to_play)
        self.display = display_of(self.claim, self.rules)
        self.buyers = self._buyers()
        self.most = max(
            dice_in_reach(bought(hand, key), self.rules)
            for place, hand in enumerate(self.claim.others)
            for key in (None, *(self.display.buyable(hand) if place in self.buyers else ()))
        )

    def _buyers(self) -> list[int]:
        """Return the last ones of the round, as many as can be let choose exactly."""
        found: list[int] = []
        rounds = 1
        for place in range(self.claim.to_play - 1, -1, -1):
            rounds *= 1 + len(self.display.buyable(self.claim.others[place]))
            if rounds > MOST_ROUNDS:
                break
            found.insert(0, place)
        return found

    def win(self) -> tuple[list[float], dict[int, dict[str | None, float]]]:
        """Return the chances of the others and one's own, and what each buyer buys how often."""
        return self._rest(self.claim.others, self.display, self.buyers)

    def present(self) -> float:
        """Return one's own chance if none of the others buys anything any more."""
        return self._final(self.claim.others)[-1]

    def _rest(
        self, hands: Hands, display: Display, buyers: Sequence[int]
    ) -> tuple[list[float], dict[int, dict[str | None, float]]]:
        if not buyers:
            return self._final(hands), {}
        place, *later = buyers
        found = {
            key: self._rest(
                (*hands[:place], bought(hands[place], key), *hands[place + 1 :]),
                display.without(key),
                later,
            )
            for key in (None, *display.buyable(hands[place]))
        }
        shares = self._purchases(
            place, {key: chances[place] for key, (chances, _) in found.items()}
        )
        chances = [
            fsum(share * found[key][0][i] for key, share in shares.items())
            for i in range(len(hands) + 1)
        ]
        bought_later: dict[int, dict[str | None, float]] = {place: shares}
        for other in later:
            bought_later[other] = _mixed(
                [(share, found[key][1][other]) for key, share in shares.items()]
            )
        return chances, bought_later

    def _final(self, hands: Hands) -> list[float]:
        """Return the chances by place, one's own at the end."""
        round_ = FinalRound(
            self._seats(hands), self.rules, (rank_number(rank(self.claim.result)),), self.most
        )
        chances = round_.solve(self.memory, plays=self.plays).win()
        by_place = dict(zip([*self.order, len(hands)], chances, strict=False))
        return [by_place[place] for place in range(len(hands) + 1)]

    def _seats(self, hands: Hands) -> Seats:
        listed = [*(hands[place] for place in self.order), self.claim.hand]
        return seats(rank(self.claim.result), listed, len(listed) - 1, self.rules)

    def _purchases(self, place: int, worth: dict[str | None, float]) -> dict[str | None, float]:
        """Return how often the player buys what, playing the turn for the own chance to win."""
        gains = [
            (key, chance - worth[None])
            for key, chance in worth.items()
            if key and chance - worth[None] > TIE
        ]
        if not gains:
            return {None: 1.0}
        payoff = PurchasePayoff(tuple(gains))
        start = _start(self.claim.others[place], self.rules)
        adviser = advice.Adviser(start, [payoff], self.memory)
        shares = payoff.shares(adviser.results, adviser.outcome())
        likely = sorted(gains, key=lambda gain: -gain[1])
        return {key: shares.get(key, 0.0) for key in (*(key for key, _ in likely), None)}


def _mixed(
    parts: Sequence[tuple[float, dict[str | None, float]]],
) -> dict[str | None, float]:
    keys = dict.fromkeys(key for _, shares in parts for key in shares)
    return {key: fsum(share * shares.get(key, 0.0) for share, shares in parts) for key in keys}


def _start(hand: Sequence[str], rules: RuleSet) -> TurnState:
    return to_state(before_first_roll(hand, rules), rules)


def display_of(claim: Claim, rules: RuleSet) -> Display:
    """Return what can be bought besides the King, of the named cards at least a copy each."""
    found = on_display((claim.hand, *claim.others), rules, claimed=True)
    return found if claim.supply is None else found.only(claim.supply)


# ---------------------------------------------------------------- buy another card instead


def able(hand: Sequence[str], rules: RuleSet, memory: int) -> float:
    """Return the chance to roll what the King costs in one turn."""
    goal = rank_goal(KING_DICE, 1)
    return float(advice.Adviser(_start(hand, rules), [goal], memory).values()[0])


def later_win(claim: Claim, hand: tuple[str, ...], rules: RuleSet, memory: int) -> float:
    """Return the chance to take the King next turn and to win, the others as they are now."""
    to_play = to_play_next(len(claim.others), claim.to_play)
    order = rolling_order(len(claim.others), to_play)
    most = dice_in_reach(hand, rules)
    if most < KING_DICE:
        return 0.0
    bests = tuple(range(LEAST, 6 * most + 6))
    listed = [*(claim.others[place] for place in order), hand]
    round_ = FinalRound(
        seats(numbered_rank(LEAST), listed, len(listed) - 1, rules), rules, bests
    ).solve(memory)
    chances: Chances = np.zeros(RANKS)
    for best in bests:
        chances[best] = round_.win(best)[len(listed) - 1]
    payoff = RankPayoff(tuple(chances.tolist()), (KING_DICE, 1), wins=True)
    return float(advice.Adviser(_start(hand, rules), [payoff], memory).values()[0])


def instead(
    claim: Claim, rules: RuleSet, memory: int, every: bool, tell: Tell = lambda text: None
) -> list[OtherPurchase]:
    """Return the other purchases that the result pays for, the best ones first."""
    keys = [
        key
        for key in display_of(claim, rules).buyable(claim.hand)
        if pays(BY_KEY[key].cost, claim.result)
    ]
    hands = [(key, bought(claim.hand, key)) for key in (*keys, None)]
    found = [
        OtherPurchase(card=key, cards=hand, claim_next=able(hand, rules, memory), win_next=None)
        for key, hand in hands
    ]
    found.sort(key=lambda option: -option.claim_next)
    compared = len(found) if every else min(COMPARED, len(found))
    for number, option in enumerate(found[:compared]):
        tell(f"another purchase, {number + 1} of {compared}")
        found[number] = replace(option, win_next=later_win(claim, option.cards, rules, memory))
    found.sort(key=lambda option: -1.0 if option.win_next is None else -option.win_next - 2)
    return found


# ---------------------------------------------------------------- the answer


def answer(
    claim: Claim,
    rules: RuleSet,
    memory: int,
    every: bool = False,
    tell: Tell = lambda text: None,
) -> ClaimAnswer:
    """Return the answer of `advisor claim`; `tell` hears how far it is."""
    taken = Taken(claim, rules, memory)
    tell("the King taken now")
    chances, purchases = taken.win()
    return ClaimAnswer(
        rules=rules.name,
        result=format_dice(claim.result),
        best=format_rank(rank(claim.result)),
        cards=claim.hand,
        to_play=claim.to_play,
        win=chances[-1],
        win_present=taken.present(),
        players=tuple(
            OtherPlayer(
                player=place + 1,
                cards=hand,
                win=chances[place],
                buys=_buys(purchases.get(place)),
            )
            for place, hand in enumerate(claim.others)
        ),
        order=tuple(place + 1 for place in taken.order),
        instead=tuple(instead(claim, rules, memory, every, tell)),
        assumptions=tuple(assumptions(claim, taken.buyers)),
        source=SOLVED,
    )


def _buys(shares: dict[str | None, float] | None) -> tuple[PurchaseShare, ...] | None:
    if shares is None:
        return None
    return tuple(PurchaseShare(card=key, probability=share) for key, share in shares.items())


def assumptions(claim: Claim, buyers: Sequence[int]) -> list[str]:
    """Return in words what the answer takes for granted."""
    keeping = [place for place in range(claim.to_play) if place not in buyers]
    found = ["in the final round every player maximises the own chance to win: exact"]
    if not claim.to_play:
        found.append("nobody else has a turn left in this round (--to-play 0)")
    if buyers:
        cards = (
            "any card of which a copy is left"
            if claim.supply is None
            else "one of the cards of --supply"
        )
        found.append(
            f"before it {_players(buyers)} may still buy {cards} not owned yet and plays "
            "that turn for what helps most in the final round: exact"
        )
    if keeping:
        found.append(
            f"{_players(keeping)} could still buy a card as well, which is too large to work out: "
            "taken with the present cards, so the true chance of taking the King now is lower"
        )
    found.append(
        "for another purchase: nobody else takes the King before your next turn, the others still "
        "have their present cards then (compare with taking it now against present cards), and not "
        "being able to take it then counts as 0"
    )
    return found


def _players(places: Sequence[int]) -> str:
    return " and ".join(f"player {place + 1}" for place in places)
