"""The arrays of the kernel against the literal effects, order included."""

from __future__ import annotations

from functools import lru_cache

import pytest

from advisor import dice
from advisor.court.rules.cards import (
    BY_KEY,
    BringIn,
    CopyAside,
    MovePips,
    Reroll,
    SetValue,
    has_use,
)
from advisor.court.rules.turn import TurnState, effects
from advisor.court.turn import layout
from advisor.dice import NONE
from tests.conftest import multisets

EVERY_VALUE = (1,) * 6
CHANGING = [
    card.key
    for card in BY_KEY.values()
    if has_use(card.key) and not isinstance(card.ability, Reroll | CopyAside)
]


@lru_cache
def by_rank(number):
    return multisets(number, smallest=number)


def row(rows, rank):
    return rows.items[rows.offsets[rank] : rows.offsets[rank + 1]].tolist()


def listed(number):
    return pytest.mark.parametrize("number", range(1, number + 1))


@listed(5)
@pytest.mark.parametrize("card", CHANGING)
def test_moves_are_the_literal_effects_by_text(card, number):
    ability = BY_KEY[card].ability
    table = layout.moves(ability, number)
    after = by_rank(number + isinstance(ability, BringIn))
    for rank, active in enumerate(by_rank(number)):
        found = effects(card, TurnState(NONE, active, (card,)))
        assert [after[r] for r in row(table, rank)] == [
            dice.plus(dice.minus(active, effect.take), effect.give) for effect in found
        ]
        assert [effect.text for effect in found] == sorted({effect.text for effect in found})


@listed(5)
def test_copies_of_dice_aside_are_the_literal_effects_by_text(number):
    table = layout.copies(number)
    for rank, active in enumerate(by_rank(number)):
        found = effects("astronomer", TurnState(EVERY_VALUE, active, ("astronomer",)))
        begin, end = table.direct.offsets[rank : rank + 2]
        assert [by_rank(number)[r] for r in row(table.direct, rank)] == [
            dice.plus(dice.minus(active, effect.take), effect.give) for effect in found
        ]
        assert [dice.single(n + 1) for n in table.needs[begin:end]] == [e.give for e in found]


@listed(5)
def test_copies_of_a_die_of_the_same_roll_are_literal(number):
    table, rest = layout.copies(number), by_rank(number - 1)
    for rank, active in enumerate(by_rank(number)):
        pulled = [divmod(item, len(rest)) for item in row(table.pulled, rank)]
        found = []
        for face in dice.distinct(active):
            left = dice.minus(active, dice.single(face))
            state = TurnState(dice.single(face), left, ("astronomer",))
            found += [
                (face - 1, effect.text, dice.plus(dice.minus(left, effect.take), effect.give))
                for effect in effects("astronomer", state)
            ]
        assert [(face, rest[r]) for face, r in pulled] == [
            (face, left) for face, _, left in sorted(found)
        ]


@listed(5)
def test_set_asides_come_with_more_dice_first_then_smaller_digits(number):
    table, everything = layout.set_asides(number), multisets(number)
    for rank, active in enumerate(by_rank(number)):
        wanted = sorted(
            (part for part in dice.parts(active) if part != NONE),
            key=lambda part: (-sum(part), dice.format_dice(part)),
        )
        assert [everything[i] for i in row(table, rank)] == wanted


@listed(5)
@pytest.mark.parametrize("card", ["fool", "merchant"])
def test_rerolls_keep_what_the_literal_effect_leaves(card, number):
    table, everything = layout.rerolls(BY_KEY[card].ability, number), multisets(number)
    for rank, active in enumerate(by_rank(number)):
        found = effects(card, TurnState(NONE, active, (card,)))
        assert [everything[i] for i in row(table, rank)] == [
            dice.minus(active, effect.take) for effect in found
        ]


def test_the_rerolls_of_the_tests_are_all_there_are():
    kinds = {type(card.ability) for card in BY_KEY.values()}
    assert {Reroll, CopyAside, MovePips, SetValue, BringIn} <= kinds
    rerolling = {card.key for card in BY_KEY.values() if isinstance(card.ability, Reroll)}
    assert rerolling == {"fool", "merchant"}
