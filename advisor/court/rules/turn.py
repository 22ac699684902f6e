"""The turn as a literal state machine: legal steps, chance outcomes, apply. Never optimised.

Section numbers are those of docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from advisor import dice
from advisor.court.rules.cards import (
    BY_KEY,
    Ability,
    AddPips,
    BringIn,
    CopyAside,
    MovePips,
    Reroll,
    SetValue,
    has_use,
    in_order,
)
from advisor.court.rules.options import RULEBOOK, RuleSet, brings_in, start_dice
from advisor.dice import FACES, NONE, Counts


@dataclass(frozen=True)
class Effect:
    """What a use of a card does: takes active dice, gives others, re-rolls `reroll` of them."""

    text: str
    take: Counts = NONE
    give: Counts = NONE
    reroll: int = 0


CHANGE_NOTHING: Final = Effect("change nothing")
"""A card spent for nothing (see `may_change_nothing`)."""


@dataclass(frozen=True)
class SetAside:
    """Set one active die aside."""

    face: int


@dataclass(frozen=True)
class Roll:
    """Roll all active dice."""


@dataclass(frozen=True)
class Use:
    """Use an unused card."""

    card: str
    effect: Effect


Step = SetAside | Roll | Use


@dataclass(frozen=True)
class TurnState:
    """Set-aside dice, active dice, unused cards, has a die been set aside since the roll (T7).

    `falling` dice are in the air: a chance node. `opening` marks the time before the first roll
    in rule sets that let cards be used then (T9); the dice in the air are not yet thrown.
    """

    aside: Counts
    active: Counts
    unused: tuple[str, ...]
    may_roll: bool = False
    falling: int = 0
    opening: bool = False
    dice_limit: int = 12

    @property
    def is_chance(self) -> bool:
        """Whether dice are falling."""
        return self.falling > 0 and not self.opening

    @property
    def is_over(self) -> bool:
        """Whether no die is active (T3); `aside` is then the result."""
        return self.falling == 0 and self.active == NONE

    @property
    def total(self) -> int:
        """The number of dice in play."""
        return sum(self.aside) + sum(self.active) + self.falling

    def legal_steps(self) -> list[Step]:
        """Return every single step that changes something; none at chance nodes and at the end."""
        if self.is_over or self.is_chance:
            return []
        steps: list[Step] = [SetAside(face) for face in dice.distinct(self.active)]
        for key in self.unused:
            if not self.opening or brings_in(key):
                steps += [Use(key, effect) for effect in effects(key, self)]
        if self.may_roll or self.opening:
            steps.append(Roll())
        return steps

    def chance_outcomes(self) -> list[tuple[int, TurnState]]:
        """Return the weight (over 6^falling) and the state of every way the dice can fall."""
        return [
            (weight, replace(self, active=dice.plus(self.active, roll), falling=0))
            for roll, weight in dice.rolls(self.falling)
        ]

    def apply(self, step: Step) -> TurnState:
        """Return the state after a legal step."""
        match step:
            case SetAside(face):
                die = dice.single(face)
                return replace(
                    self,
                    aside=dice.plus(self.aside, die),
                    active=dice.minus(self.active, die),
                    may_roll=True,
                )
            case Roll():
                return replace(
                    self,
                    active=NONE,
                    falling=sum(self.active) + self.falling,
                    may_roll=False,
                    opening=False,
                )
            case Use(card, effect):
                rest = tuple(key for key in self.unused if key != card)
                if self.opening:
                    return replace(self, unused=rest, falling=self.falling + 1)
                active = dice.plus(dice.minus(self.active, effect.take), effect.give)
                return replace(self, unused=rest, active=active, falling=effect.reroll)


def start(cards: tuple[str, ...], rules: RuleSet = RULEBOOK) -> TurnState:
    """Return the state before the first roll (T1)."""
    unused = in_order(key for key in cards if has_use(key))
    return TurnState(
        NONE,
        NONE,
        unused,
        falling=start_dice(cards, rules),
        opening=rules.cards_before_first_roll,
        dice_limit=rules.dice_limit,
    )


def effects(key: str, state: TurnState) -> list[Effect]:
    """Return every use of a card that changes something (C2), sorted by text."""
    ability = BY_KEY[key].ability
    if isinstance(ability, BringIn) and state.opening:
        # The die is rolled with the others, so its value does not matter.
        found = [Effect("bring in a die")] * (state.total < state.dice_limit)
    elif isinstance(ability, BringIn):
        found = [bring_in(value) for value in ability.values if state.total < state.dice_limit]
    elif isinstance(ability, CopyAside):
        copied = dice.distinct(state.aside)
        found = [turn_one(a, b) for a in dice.distinct(state.active) for b in copied if a != b]
    else:
        smallest, largest = taken_sizes(ability, sum(state.active))
        found = [
            effect
            for part in dice.parts(state.active)
            if smallest <= sum(part) <= largest
            for effect in changes(ability, part)
        ]
    return sorted(set(found), key=lambda effect: effect.text)


def may_change_nothing(key: str, state: TurnState) -> bool:
    """Return whether the card can be spent without changing a die (C2: no step of its own).

    Never better than keeping the card, but it can be better than every real use of it.
    """
    match BY_KEY[key].ability:
        case MovePips():
            return sum(state.active) > 1
        case SetValue() | AddPips(_, None):
            return True
        case CopyAside():
            return any(a and b for a, b in zip(state.active, state.aside, strict=True))
    return False


def taken_sizes(ability: Ability, active: int) -> tuple[int, int]:
    """Return how few and how many active dice one use of the ability takes."""
    match ability:
        case Reroll(limit) | AddPips(_, limit):
            return 1, active if limit is None else limit
        case MovePips(limit):
            return 2, limit
    return 1, 1


def changes(ability: Ability, part: Counts) -> Iterator[Effect]:
    """Yield every effect of the ability that takes exactly these active dice."""
    match ability:
        case Reroll():
            yield Effect(f"re-roll {dice.format_dice(part, ' ')}", part, NONE, sum(part))
        case SetValue():
            (face,) = dice.faces(part)
            yield from (turn_one(face, value) for value in FACES if value != face)
        case AddPips(amounts):
            for amount in amounts:
                yield from _raised(part, amount)
        case MovePips():
            yield from _redistributed(part)


def bring_in(value: int) -> Effect:
    """Return the effect of a new active die."""
    return Effect(f"bring in a {value}", NONE, dice.single(value))


def turn_one(before: int, after: int) -> Effect:
    """Return the effect of changing one die."""
    return turn_into(dice.single(before), dice.single(after))


def turn_into(take: Counts, give: Counts) -> Effect:
    """Return the effect of changing some dice into others, with its text."""
    if sum(take) == 1:
        text = f"turn a {dice.format_dice(take)} into a {dice.format_dice(give)}"
    else:
        text = f"turn {dice.format_dice(take, ' ')} into {dice.format_dice(give, ' ')}"
    return Effect(text, take, give)


def _raised(part: Counts, amount: int) -> Iterator[Effect]:
    values = [face + amount for face in dice.faces(part)]
    if max(values) <= 6:
        yield turn_into(part, dice.of_faces(values))


def _redistributed(part: Counts) -> Iterator[Effect]:
    pips = sum(dice.faces(part))
    for give, _ in dice.rolls(sum(part)):
        shared = tuple(map(min, part, give))
        # Dice that keep their value were not touched: name only those that change.
        if sum(dice.faces(give)) == pips and give != part:
            yield turn_into(dice.minus(part, shared), dice.minus(give, shared))
