"""What every command believes can be bought, against cards taken out of a box one by one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.court.coach.coach import supply_of
from advisor.court.final import claim as claims
from advisor.court.play.aims import Aims
from advisor.court.play.bots import make_bot
from advisor.court.questions import _supply as read_supply
from advisor.court.race.estimates import load
from advisor.court.rules.cards import BY_KEY, in_order, pays
from advisor.court.rules.game import Claimed, dealt
from advisor.court.rules.names import format_codes
from advisor.court.rules.options import BRETTSPIELWELT, RULE_SETS, start_dice
from advisor.court.rules.seats import Claim
from advisor.court.rules.supply import on_display, purchasable
from advisor.court.rules.turn import TurnState
from advisor.dice import NONE, of_faces

ROWS = {
    "farmer maid philosopher laborer guard": {1: 1, 2: 2, 3: 2, 4: 3, 5: 4},
    "hunter astronomer merchant": {1: 1, 2: 1, 3: 2, 4: 3, 5: 3},
    "noblewoman pawnbroker knight magician": {1: 1, 2: 1, 3: 2, 4: 2, 5: 3},
    "alchemist bishop nobleman general": {1: 1, 2: 1, 3: 2, 4: 2, 5: 3},
    "king": {1: 1, 2: 1, 3: 1, 4: 1, 5: 1},
}
"""The rows I to V with their copies by number of players; alone everything is there once."""
MANY = 99
"""Fools where they are without end."""
MEMORY = 1 << 30


def box(players, rules):
    """All cards of the box as a list."""
    found = [key for row, numbers in ROWS.items() for key in row.split() * numbers[players]]
    fools = {"rulebook": MANY, "brettspielwelt": 5 if players == 1 else players}
    return found + ["fool"] * fools[rules.name]


def display(hands, rules):
    """The cards of the box that nobody has; a Charlatan is a Fool turned over."""
    left = box(len(hands), rules)
    for hand in hands:
        for key in hand:
            left.remove("fool" if key == "charlatan" else key)
    return left


def buyable(hand, left):
    """What the owner of a hand may buy of the cards left: the rules B1 and B2 word by word."""
    found = {key for key in left if key not in hand}
    if "fool" in hand:
        found.add("charlatan")
    return found


def bought(hand, key):
    """The hand after a purchase, a Fool turned over for a Charlatan."""
    rest = list(hand)
    if key == "charlatan":
        rest.remove("fool")
    return in_order([*rest, key])


def deal(seed, fewest=1):
    """Hands that so many players or more have bought out of one box, and the rule set."""
    rng = Random(seed)
    rules = rng.choice([*RULE_SETS.values()])
    hands = [()] * rng.randint(fewest, 5)
    left, rounds = box(len(hands), rules), rng.randint(0, 14)
    for _ in range(rounds):
        for seat, hand in enumerate(hands):
            offered = sorted(buyable(hand, left) - {"king"})
            if offered and rng.random() < 0.9:
                key = "fool" if "fool" in offered and rng.random() < 0.3 else rng.choice(offered)
                hands[seat] = bought(hand, key)
                if key != "charlatan":
                    left.remove(key)
    return tuple(hands), rules


def some(seed, more):
    """Some of the cards that a supply can name."""
    every = [*" ".join(row for row in ROWS if row != "king").split(), *more]
    return Random(seed).sample(every, seed % len(every))


seeds = st.integers(0, 1 << 30)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_game_and_its_players_see_what_is_left(seed):
    hands, rules = deal(seed)
    game, left = dealt(hands, rules), display(hands, rules)
    shown, count = game.copies.left, Counter(left)
    assert all(shown[key] == count[key] for row in ROWS for key in row.split())
    assert min(shown["fool"], 9) == min(count["fool"], 9)
    mine = buyable(hands[0], left)
    assert {*game.display} == mine
    aims = Aims(rules, MEMORY, load(rules))
    assert {*aims.worths(game)} == {None, *mine}
    wanted = {key for key, _ in make_bot("greedy", rules).payoff(game).values}
    assert wanted <= mine | {"king"}
    result = of_faces(Random(seed).choices(range(1, 7), k=9))
    over = replace(game, turn=TurnState(result, NONE, ()))
    paid = {key for key in mine if pays(BY_KEY[key].cost, result)}
    assert {move.card for move in over.legal_moves()} == {None, *paid}
    claimed = replace(over, claimed=Claimed(0, 0, (7, 2)))
    assert {move.card for move in claimed.legal_moves()} == {None, *(paid - {"king"})}


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_the_race_goes_on_with_what_is_left(seed):
    hands, rules = deal(seed)
    hand, *others = hands
    game, players = dealt(hands, rules), len(hands)
    gone = [key for other in others for key in other]
    told = supply_of(game)
    if others:
        text = format_codes(in_order(gone))
        assert read_supply(hand, rules, None, text, players) == told
    else:
        assert read_supply(hand, rules, None) == told
    for _ in range(4):
        left = display((hand, *others), rules)
        mine = buyable(hand, left) - {"king"}
        if start_dice(hand, rules) >= rules.dice_limit:
            mine.discard("charlatan")
        assert {*told.purchases(hand)} == mine
        if not mine:
            return
        hand = bought(hand, Random(seed).choice(sorted(mine)))


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_less_than_all_to_buy(seed):
    (hand, *others), rules = deal(seed)
    named = some(seed, ["fool"])
    free = in_order(key for key in named if key not in hand or key == "fool")
    text = format_codes(free)
    gone = in_order(key for other in others for key in other)
    off = {"fool" if key == "charlatan" else key for key in gone}
    mine = buyable(hand, [key for key in free if key not in off])
    # What nobody is to buy any more is not turned over either.
    if "fool" not in free or "fool" in off:
        mine.discard("charlatan")
    if rules is BRETTSPIELWELT and sum(BY_KEY[key].row == 0 for key in hand) == 5:
        mine.discard("fool")
    told = read_supply(hand, rules, text, format_codes(gone) if gone else None, None)
    assert {*told.purchases(hand)} == mine


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_a_turn_alone_offers_what_the_own_cards_leave(seed):
    (hand, *_), rules = deal(seed)
    mine = buyable(hand, display((hand,), rules))
    assert {*purchasable(hand, rules)} == mine
    assert {*on_display((hand,), rules).buyable(hand)} == mine


class Bought(claims.Taken):
    """Takes the King without solving: keeps the hands that the others can end the round with."""

    def win(self):
        """Return nothing known; the hands are in `ends`."""
        self.ends = set()
        return super().win()

    def _final(self, hands):
        self.ends.add(hands)
        return [0.0] * (len(hands) + 1)

    def _purchases(self, place, worth):
        return {None: 1.0}


def ends(hands, buyers, left):
    """The hands that buyers can end with, one after the other out of the cards left."""
    if not buyers:
        return {hands}
    place, *later = buyers
    found = ends(hands, later, left)
    for key in buyable(hands[place], left):
        rest = [*left]
        if key != "charlatan":
            rest.remove(key)
        after = (*hands[:place], bought(hands[place], key), *hands[place + 1 :])
        found |= ends(after, later, rest)
    return found


@settings(max_examples=100, deadline=None)
@given(seeds)
def test_a_claim_lets_others_buy_what_is_left(seed):
    hands, rules = deal(seed, fewest=2)
    hand, *others = hands
    claim = Claim(hand, of_faces([5] * 7), tuple(others), seed % len(hands))
    left = [key for key in display(hands, rules) if key != "king"]
    taken = Bought(claim, rules, MEMORY)
    taken.win()
    assert taken.ends == ends(tuple(others), taken.buyers, left)
    with patch.multiple(claims, able=lambda *_: 0.0, later_win=lambda *_: 0.0):
        rows = claims.instead(claim, rules, MEMORY, every=True)
    paid = {key for key in buyable(hand, left) if pays(BY_KEY[key].cost, claim.result)}
    assert {row.card for row in rows} == {None, *paid}


@settings(max_examples=50, deadline=None)
@given(seeds)
def test_a_claim_takes_the_supply_at_its_word(seed):
    (hand, *others), rules = deal(seed, fewest=2)
    named = some(seed, ["fool", "charlatan"])
    claim = Claim(hand, of_faces([5] * 7), tuple(others), 0, tuple(named))
    there = claims.display_of(claim, rules)
    for each in (hand, *others):
        mine = {key for key in buyable(each, named) if key != "charlatan"}
        if "fool" in each and {"fool", "charlatan"} & {*named}:
            mine.add("charlatan")
        assert {*there.buyable(each)} == mine


def test_commands_agree_that_all_fools_are_owned(ask):
    """Three players with three Fools, one turned over: each command is asked about the same."""
    rules = ("--rules", "brettspielwelt")
    gone = (*rules, "--players", "3", "--gone", "Fo*2,Ch", "--budget", "1", "--width", "9")
    keep = ask("keep", "1/244:Fa-", "--goal", "turns", *gone)
    buy = ask("buy", "2224", "--cards", "Fa", *gone)
    assert "guard" in {row["card"] for row in buy["options"]}
    claim = ask("claim", "--result", "5555555", "--cards", "Fa,Ge,Gu", "--player", "Fo,Ch,Hu,Kn",
                "--player", "Fo,La,Ge", "--to-play", "2", *rules)  # fmt: skip
    shown = [keep["supply"], keep["buys"], buy["supply"], buy["options"], claim["instead"],
             *(player["buys"] for player in claim["players"])]  # fmt: skip
    cards = [[row if isinstance(row, str) else row["card"] for row in rows] for rows in shown]
    assert all(found and "fool" not in found for found in cards)
    assert "charlatan" in cards[-1]
