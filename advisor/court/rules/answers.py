"""What is answered about the characters, as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from advisor.answers import Answer, Part
from advisor.court.rules.cards import BY_KEY, LANGUAGES, Card
from advisor.court.rules.options import RuleSet
from advisor.court.rules.supply import COPIES, in_play


@dataclass(frozen=True, kw_only=True)
class Character(Part):
    """A character: what it costs and does, in words; `row` 1 to 5, 0 for the Fools.

    `copies` by number of players, None where the rule set says how many there are.
    """

    card: str
    code: str
    row: int
    cost: str
    ability: str
    copies: dict[str, int] | None
    names: dict[str, str]
    other_names: tuple[str, ...]
    note: str

    @classmethod
    def of(cls, card: Card, rules: RuleSet) -> Character:
        """Return what is shown of a card."""
        return cls(
            card=card.key,
            code=card.code,
            row=card.row,
            cost=card.cost_text,
            ability=card.ability_text,
            copies={str(n): int(in_play(card.key, n, rules)) for n in COPIES} if card.row else None,
            names={language: card.named(language) for language in LANGUAGES},
            other_names=card.other,
            note=card.note,
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class CardsAnswer(Answer):
    """Characters in the order in which they were asked for."""

    command: ClassVar[str] = "cards"

    rules: str
    cards: tuple[Character, ...]


def cards(keys: Sequence[str], rules: RuleSet) -> CardsAnswer:
    """Return the answer of `advisor cards`."""
    return CardsAnswer(
        rules=rules.name, cards=tuple(Character.of(BY_KEY[key], rules) for key in keys)
    )
