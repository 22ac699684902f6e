"""Positions as one line of text, `ASIDE/ACTIVE:UNUSED-USED`, both ways, and what can occur.

`16/225:Fa,Hu,Me-La`: 1 6 set aside, 2 2 5 active, Farmer, Hunter and Merchant unused, Laborer
used. `3d` as ACTIVE: three dice still to be rolled. `+` behind ACTIVE: a die was set aside since
the roll, so the rest may be rolled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from advisor import dice
from advisor.court.rules.cards import BY_KEY, has_use, in_order
from advisor.court.rules.names import format_codes, parse_cards
from advisor.court.rules.options import RuleSet, brings_in, check_hand, start_dice
from advisor.court.rules.turn import TurnState
from advisor.dice import NONE, Counts
from advisor.errors import InvalidPosition
from advisor.text import quoted

_SHAPE = "write ASIDE/ACTIVE:UNUSED-USED, for example 16/225:Fa,Hu,Me-La"


@dataclass(frozen=True)
class Position:
    """Dice and cards in a turn; cards that act at the start stand among the unused ones.

    `to_roll` dice are about to be rolled (then none is active). `may_roll`: a die was set aside
    since the last roll.
    """

    aside: Counts = NONE
    active: Counts = NONE
    unused: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    to_roll: int = 0
    may_roll: bool = False

    @property
    def cards(self) -> tuple[str, ...]:
        """All owned cards, in rule order."""
        return in_order(self.unused + self.used)

    def before_first_roll(self) -> bool:
        """Return whether no die has been rolled yet."""
        return self.to_roll > 0 and self.aside == NONE


def parse_position(text: str) -> Position:
    """Return the position written in one line, `format_position` the other way round."""
    where, _, owned = text.strip().partition(":")
    aside, slash, active = where.partition("/")
    if not slash:
        dice_alone = re.fullmatch(r"[1-6]+\S*", text)
        meant = f"did you mean {quoted('/' + text.strip())}? " if dice_alone else ""
        raise InvalidPosition(f"{quoted(text)} is no position: {meant}{_SHAPE}")
    unused, _, used = owned.partition("-")
    active = active.strip()
    may_roll = active.endswith("+")
    active = active.removesuffix("+").strip()
    to_roll = re.fullmatch(r"([0-9]{1,2})[dD]", active)
    if to_roll and may_roll:
        raise InvalidPosition(
            f"{quoted(text)}: '+' belongs to active dice, not to dice still to be rolled; leave "
            "it out"
        )
    return Position(
        aside=dice.parse_dice(aside.strip()),
        active=NONE if to_roll else dice.parse_dice(active),
        unused=parse_cards(unused) if unused.strip() else (),
        used=parse_cards(used) if used.strip() else (),
        to_roll=int(to_roll[1]) if to_roll else 0,
        may_roll=may_roll,
    )


def format_position(position: Position) -> str:
    """Return the canonical text: dice ascending, cards as codes in rule order."""
    active = f"{position.to_roll}d" if position.to_roll else dice.format_dice(position.active)
    return (
        f"{dice.format_dice(position.aside)}/{active}{'+' if position.may_roll else ''}"
        f":{format_codes(position.unused)}-{format_codes(position.used)}"
    )


def before_first_roll(cards: Sequence[str], rules: RuleSet) -> Position:
    """Return the position of a player who owns `cards` at the start of the turn."""
    check_hand(cards, rules)
    return Position(unused=in_order(cards), to_roll=start_dice(cards, rules))


def check_position(position: Position, rules: RuleSet) -> None:
    """Raise InvalidPosition or InvalidCards if the position cannot occur.

    The number of dice must follow from the start dice and the used cards that bring dice in.
    Whether the values could have come about is not checked.
    """
    check_hand(position.cards, rules)
    shown = format_position(position)
    for key in position.used:
        if not has_use(key):
            raise InvalidPosition(
                f"{quoted(shown)}: the {BY_KEY[key].name} acts by itself at the start and is not "
                "used up; write it among the unused cards"
            )
    if not position.to_roll and position.active == NONE:
        raise InvalidPosition(
            f"{quoted(shown)}: no die is active, the turn is over; write the active dice behind "
            "the '/' or, say, 4d for four dice to be rolled"
        )
    if position.may_roll and position.aside == NONE:
        raise InvalidPosition(
            f"{quoted(shown)}: '+' says that a die was set aside, but none is; leave it out"
        )
    _check_number(position, rules, shown)


def _check_number(position: Position, rules: RuleSet, shown: str) -> None:
    start = start_dice(position.cards, rules)
    brought = [key for key in position.used if brings_in(key)]
    there = sum(position.aside) + sum(position.active) + position.to_roll
    if position.before_first_roll() and position.used and not rules.cards_before_first_roll:
        raise InvalidPosition(
            f"{quoted(shown)}: the rule set {rules.name} lets no card be used before the first "
            "roll; write the cards as unused or choose --rules brettspielwelt"
        )
    others = [key for key in position.used if not brings_in(key)]
    if position.before_first_roll() and others:
        raise InvalidPosition(
            f"{quoted(shown)}: before the first roll there is no die to use the "
            f"{BY_KEY[others[0]].name} on; write it among the unused cards"
        )
    if start + len(brought) > rules.dice_limit:
        raise InvalidPosition(
            f"{quoted(shown)}: {start} start dice and {len(brought)} dice brought in are more "
            f"than the {rules.dice_limit} dice of the box; write fewer cards as used"
        )
    if there != start + len(brought):
        used = f" plus {len(brought)} brought in by used cards" if brought else ""
        raise InvalidPosition(
            f"{quoted(shown)} has {there} dice, but these cards give {start} at the start{used}: "
            "correct the dice, or move cards between unused and used"
        )


def to_state(position: Position, rules: RuleSet) -> TurnState:
    """Return the literal turn state of a position that can occur."""
    return TurnState(
        aside=position.aside,
        active=position.active,
        unused=tuple(key for key in position.unused if has_use(key)),
        may_roll=position.may_roll,
        falling=position.to_roll,
        opening=position.before_first_roll() and rules.cards_before_first_roll,
        dice_limit=rules.dice_limit,
    )


def from_state(state: TurnState, cards: Sequence[str]) -> Position:
    """Return the position of the owner of `cards` in a state, `to_state` the other way round."""
    return Position(
        aside=state.aside,
        active=state.active,
        unused=in_order(key for key in cards if key in state.unused or not has_use(key)),
        used=in_order(key for key in cards if key not in state.unused and has_use(key)),
        to_roll=state.falling,
        may_roll=state.may_roll,
    )
