"""Which dice to keep: every keep with its value and its loss against the best one."""

from __future__ import annotations

from dataclasses import dataclass

from advisor import dice
from advisor.dice import NONE, Counts
from advisor.errors import InvalidDice, InvalidOption
from advisor.knights.rules.options import DICE, MORE_THROWS, OUT, RuleSet
from advisor.knights.throw import play
from advisor.knights.throw.play import Values
from advisor.text import quoted
from advisor.ties import ranked


@dataclass(frozen=True)
class Option:
    """Keep these dice, throw `thrown` others (0: stop); `loss` is against the best option."""

    keep: Counts
    thrown: int
    value: float
    loss: float
    rank: int

    @property
    def text(self) -> str:
        """The option in words."""
        if not self.thrown:
            return "stop"
        kept = dice.format_dice(self.keep, " ")
        return f"keep {kept}, throw {self.thrown}" if kept else f"throw all {self.thrown}"


def options(
    thrown: Counts, worth: Values, throws_left: int, rules: RuleSet, kept: Counts = NONE
) -> list[Option]:
    """Return every keep of the thrown dice, best first.

    `worth` is the worth of each final holding. `kept` are dice that are locked (only with
    `kept_locked`). Of equal values the one with more dice comes first, then the smaller digits.
    """
    check(thrown, throws_left, rules, kept)
    values = play.solve(worth, throws_left, rules.kept_locked)[throws_left]
    live = without_sixes(thrown)
    parts = [live]
    if throws_left:
        parts = [part for part in dice.parts(live) if dice.contains(part, kept)]
    ordered = sorted(parts, key=lambda part: (-sum(part), dice.format_dice(part)))
    rated = [(float(values[_number(part, live)]), part) for part in ordered]
    best = max(value for value, _ in rated)
    rated = ranked(rated, lambda pair: pair[0])
    return [
        Option(part, sum(live) - sum(part), value, max(0.0, best - value), place)
        for place, (value, part) in enumerate(rated, start=1)
    ]


def without_sixes(thrown: Counts) -> Counts:
    """Return the dice that are not out."""
    return (*thrown[: OUT - 1], 0)


def check(thrown: Counts, throws_left: int, rules: RuleSet, kept: Counts = NONE) -> None:
    """Raise InvalidDice or InvalidOption unless these dice can lie there."""
    shown = dice.format_dice(thrown)
    if not 1 <= sum(thrown) <= DICE:
        raise InvalidDice(
            f"{quoted(shown)} are {sum(thrown)} dice: a throw has {DICE}; "
            "leave out only sixes of earlier throws"
        )
    if not 0 <= throws_left < MORE_THROWS:
        raise InvalidOption(
            f"{throws_left} throws left: at most {MORE_THROWS - 1} after the first; "
            "give 0 to 3 (usual are 2 after the first throw, 1 after the second)"
        )
    if kept != NONE and not rules.kept_locked:
        raise InvalidOption(
            "kept dice matter only where they are locked; add --kept-locked or leave out --kept"
        )
    if kept[OUT - 1]:
        raise InvalidDice(
            f"{quoted(dice.format_dice(kept))}: a 6 is out and cannot be kept; leave it out of "
            "--kept"
        )
    if not dice.contains(thrown, kept):
        raise InvalidDice(
            f"{quoted(dice.format_dice(kept))} cannot be kept: the dice are {shown}; keep some of "
            "these"
        )


def _number(part: Counts, live: Counts) -> int:
    """Return the number of a keep; the dice that are neither kept nor thrown are out."""
    return play.keep_number((*part[: OUT - 1], DICE - sum(live)))
