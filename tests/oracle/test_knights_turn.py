"""The rest of the turn against a literal expectation over cards, and both ways with each other."""

from collections import Counter
from dataclasses import replace

import pytest

from advisor.knights.rules import components
from advisor.knights.rules.cards import changes
from advisor.knights.turn.lookahead import Lookahead, fits
from advisor.knights.turn.outlook import GAIN, WIN, Outlook, may_try_throne
from advisor.knights.turn.position import Deck, parse_position
from advisor.knights.turn.targets import Player, Table, goes_on, success, targets

BOX = components.default()

NEAR = """
[[players]]
cards = ["red 3332", "blue 3334", "tournament", "tournament"%s]
[[players]]
cards = ["violet 3331", "white 4442", "pile 3334"]
[[decks]]
top = "%s"
[[decks]]
top = "%s"
"""


def near(own="", first="die1 2223", second="red 2224"):
    return parse_position(NEAR % (own, first, second))


def few_unseen(position, number, sizes):
    """Return the position with all but some unseen cards known to lie at the bottom of deck 2."""
    unseen, known = position.unseen[::5][:number], list(position.unseen)
    for card in unseen:
        known.remove(card)
    first, second = position.decks
    decks = (
        Deck(first.top, sizes[0], ()),
        Deck(second.top, sizes[1], tuple(known[:3])),
    )
    return replace(position, unseen=unseen, decks=decks)


def literal(position, aim, attempts):
    """Return the best chance, straight from the rules with real cards."""
    me, *others = position.players

    def value(cards, decks, unseen, changed, attempts, forced, on=None):
        table = Table((Player(me.name, cards), *others), 0, tuple(deck[0] for deck in decks))
        found = [0.0]
        offered = targets(table, may_try_throne(position.table))
        for target in offered:
            if goes_on(target):
                if attempts > 1:
                    gained = (*cards, target.card)
                    after = reveal(gained, decks, unseen, changed, attempts - 1, 0, target.place)
                    found.append(success(table, target) * after)
            elif aim.reached(table, target):
                found.append(success(table, target))
        for place, (top, unknown, bottom) in enumerate(decks):
            free = changed < changes(cards)
            stuck = not offered and on in (None, place) and forced <= unknown + len(bottom)
            if top is None or not (free or stuck):
                continue
            under = list(decks)
            under[place] = (None, unknown, (*bottom, top))
            found.append(
                reveal(
                    cards,
                    under,
                    unseen,
                    changed + free,
                    attempts,
                    0 if free else forced + 1,
                    place,
                    None if free else place,
                )
            )
        return max(found)

    def reveal(cards, decks, unseen, changed, attempts, forced, place, on=None):
        _, unknown, bottom = decks[place]
        after = list(decks)
        if not unknown:
            after[place] = (bottom[0], 0, bottom[1:]) if bottom else (None, 0, ())
            return value(cards, after, unseen, changed, attempts, forced, on)
        total = 0.0
        for card, count in Counter(unseen).items():
            rest = list(unseen)
            rest.remove(card)
            after[place] = (card, unknown - 1, bottom)
            total += count * value(cards, list(after), rest, changed, attempts, forced, on)
        return total / len(unseen)

    decks = [(deck.top, deck.unknown, deck.bottom) for deck in position.decks]
    return value(me.cards, decks, list(position.unseen), position.changed, attempts, 0)


@pytest.mark.parametrize("aim", [WIN, GAIN], ids=lambda aim: aim.name)
@pytest.mark.parametrize(
    ("own", "tops", "attempts"),
    [
        ("", ("die1 2223", "red 2224"), 2),
        ("", ("die1 2223", "die3 4441"), 3),
        (', "pile 1115"', ("treason", "red 2224"), 2),
        (', "pile 1115"', ("red 2224", "red 5551"), 2),
    ],
)
def test_node_by_node_against_the_literal_turn(aim, own, tops, attempts):
    position = few_unseen(near(own, *tops), 4, (3, 1))
    view = Outlook(position, aim, attempts=attempts)
    low, high = view.value(view.root)
    assert low == pytest.approx(literal(position, aim, attempts), abs=1e-12)
    assert low <= high <= 1


@pytest.mark.parametrize("aim", [WIN, GAIN], ids=lambda aim: aim.name)
@pytest.mark.parametrize(
    ("own", "tops", "changed", "attempts"),
    [
        ("", ("die1 2223", "tournament"), 0, 2),
        ("", ("die1 2223", "pile 1115"), 1, 2),
        ("", ("die1 2223", "red 2224"), 1, 2),
        (', "pile 1115", "treason"', ("champion", "white 2221"), 0, 1),
        (', "pile 1115"', ("die5 4441", "red 2224"), 2, 2),
        (', "green 2223"', ("die1 2223", "catapult 3331"), 0, 2),
    ],
)
def test_as_arrays_against_node_by_node(aim, own, tops, changed, attempts):
    position = replace(near(own, *tops), changed=changed)
    if own == ', "green 2223"':
        me = position.players[0]
        position = replace(
            position,
            players=(
                replace(me, cards=tuple(card for card in me.cards if not card.is_tournament)),
                *position.players[1:],
            ),
        )
    nodes = Outlook(position, aim, attempts=attempts)
    assert fits(nodes)
    arrays = Lookahead(nodes)
    for deck in range(2):
        if nodes.sight(()).special[nodes.root.decks[deck].top]:
            expected = nodes.attempt(nodes.root, deck)
            assert arrays.attempt(deck) == pytest.approx(expected, abs=1e-12)
        if changed < nodes.sight(()).changes:
            expected = nodes.change(nodes.root, deck)
            assert arrays.change(deck) == pytest.approx(expected, abs=1e-12)


def test_looking_further_narrows_the_range():
    position = near()
    ranges = [Lookahead(Outlook(position, WIN, attempts=n)).change(1) for n in (1, 2, 3)]
    lows, highs = zip(*ranges, strict=True)
    assert list(lows) == sorted(lows)
    assert list(highs) == sorted(highs, reverse=True)
    assert highs[-1] - lows[-1] < 0.12
