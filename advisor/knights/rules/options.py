"""The rules that decide a throw: options, numbers of throws, ranks of holdings, Die cards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from advisor.dice import Counts
from advisor.errors import InvalidCards, InvalidCombination, InvalidOption
from advisor.text import quoted

PLAYERS: Final = range(2, 7)
DICE: Final = 6
OUT: Final = 6
"""The face that is out as soon as it shows."""

FACES: Final = range(1, 6)
"""The faces that count."""

THROWS: Final = 3
MORE_THROWS: Final = 4
"""With the Catapult, as organiser of a tournament, or with the Champion."""

LOOK_AHEAD: Final = 3
"""Attempts in a turn that are looked ahead where nothing else is asked for."""

KICKERS: Final = ("one", "full")

DieCards = tuple[int, ...]
"""The values of a player's Die cards, ascending, each once."""


@dataclass(frozen=True)
class RuleSet:
    """The decisions in which readings of the rulebook differ.

    `kept_locked`: a die once kept may not be thrown again in the turn.
    `kickers`: how many dice beside the group break a tie, `one` (the best) or `full` (all).
    """

    kept_locked: bool = False
    kickers: str = "one"

    def __post_init__(self) -> None:
        if self.kickers not in KICKERS:
            raise InvalidOption(
                f"kickers {self.kickers!r} is unknown; it can be {' or '.join(KICKERS)}"
            )

    def describe(self) -> str:
        """Return the options in words."""
        kept = "kept dice are locked" if self.kept_locked else "kept dice may be thrown again"
        ties = (
            "the best die beside the group breaks ties"
            if self.kickers == "one"
            else ("all dice beside the group break ties, highest first")
        )
        return f"{kept}; {ties}"


RULEBOOK: Final = RuleSet()


@dataclass(frozen=True, order=True)
class Combination:
    """What a card shows: three red dice of one value and a yellow die."""

    red: int
    yellow: int

    def __post_init__(self) -> None:
        for value in (self.red, self.yellow):
            if value not in FACES:
                raise InvalidCombination(
                    f"{self}: a card shows the values 1 to 5 only, {value} is none of them; "
                    "write for example 3332"
                )
        if self.red == self.yellow:
            raise InvalidCombination(
                f"{self}: the yellow die differs from the three red ones; write for example 3332"
            )

    def __str__(self) -> str:
        return f"{self.red}" * 3 + f"{self.yellow}"

    @property
    def rank(self) -> tuple[int, ...]:
        """The rank that a holding has to exceed."""
        return (3, self.red, self.yellow)


THRONE: Final = Combination(5, 1)
TREASON: Final = Combination(2, 4)
"""What castles on top of a deck count as for the owner of the Treason."""


def parse_combination(text: str) -> Combination:
    """Return the combination written as three red values and the yellow one, `3332`."""
    digits = text.replace(",", "").replace(" ", "")
    if len(digits) != 4 or not digits.isdecimal() or len(set(digits[:3])) != 1:
        raise InvalidCombination(
            f"{quoted(text)} is no card: write the three equal red values, then the yellow one, "
            "for example 3332"
        )
    return Combination(int(digits[0]), int(digits[3]))


def parse_die_cards(text: str) -> DieCards:
    """Return the Die cards written as values, `3,5`; `-` or nothing stands for none."""
    digits = text.replace(",", "").replace(" ", "")
    return (
        die_cards((int(d) if d.isdecimal() else 0 for d in digits), text)
        if (digits.strip("-"))
        else ()
    )


def die_cards(values: Iterable[int], text: str | None = None) -> DieCards:
    """Return the values as Die cards, or raise InvalidCards if nobody can own them together."""
    cards = tuple(sorted(values))
    shown = format_die_cards(cards) if text is None else text
    if not set(cards) <= set(FACES):
        raise InvalidCards(
            f"{quoted(shown)} are no Die cards: their values are 1 to 5; write for example 3,5, "
            "or - for none"
        )
    for value in cards:
        if cards.count(value) > 1:
            raise InvalidCards(
                f"{quoted(shown)}: nobody owns two Die cards of the same value; write {value} once"
            )
    return cards


def format_die_cards(cards: DieCards) -> str:
    """Return the values with commas, `-` if there is none; `parse_die_cards` reads it back."""
    return ",".join(map(str, cards)) or "-"


def rank(dice: Counts, cards: DieCards = (), rules: RuleSet = RULEBOOK) -> tuple[int, ...]:
    """Return the rank of the dice together with Die cards; higher tuples beat lower ones.

    (size of the largest group, its value, best other die), with `kickers` full all other dice in
    place of the best. A 6 never counts.
    """
    counts = [dice[face - 1] + cards.count(face) for face in FACES]
    size, value = max((count, face) for face, count in zip(FACES, counts, strict=True))
    if size == 0:
        return (0, 0, 0)
    rest = [face for face in reversed(FACES) if face != value for _ in range(counts[face - 1])]
    return (size, value, *(rest if rules.kickers == "full" else rest[:1] or [0]))


def beats(dice: Counts, cards: DieCards, combination: Combination, rules: RuleSet) -> bool:
    """Return whether the dice rank strictly higher than a card."""
    return rank(dice, cards, rules) > combination.rank
