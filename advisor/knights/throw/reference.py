"""Dice play on fractions, straight from the rules: the oracle of the tests, never optimised.

W(H, t) = max over kept K of the thrown dice H of V(K, |H| - |K|, t), or the worth of H if t = 0;
V(K, m, t) = mean over throws of m dice of W(K + the dice that are not 6, t - 1).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

from advisor import dice
from advisor.dice import NONE, Counts
from advisor.knights.rules.options import RULEBOOK, Combination, DieCards, RuleSet, beats, rank

Worth = Callable[[Counts], Fraction]
Rank = tuple[int, ...]


class Play:
    """Best play of one player's throws for a worth of the final dice; sixes are left out."""

    def __init__(self, worth: Worth, rules: RuleSet = RULEBOOK) -> None:
        self.worth, self.rules = worth, rules
        self.decide: Callable[[Counts, Counts, int], Fraction] = cache(self._decide)
        self.throw: Callable[[Counts, int, int], Fraction] = cache(self._throw)

    def start(self, throws: int) -> Fraction:
        """Return the value before the first of so many throws."""
        return self.throw(NONE, 6, throws)

    def _decide(self, held: Counts, locked: Counts, left: int) -> Fraction:
        return max(self.keep(held, part, left) for part in self.keeps(held, locked, left))

    def keeps(self, held: Counts, locked: Counts, left: int) -> list[Counts]:
        """Return what may be kept: everything (stop), and parts if throws are left."""
        if not left:
            return [held]
        return [
            part
            for part in dice.parts(held)
            if all(map(int.__ge__, part, locked)) or not self.rules.kept_locked
        ]

    def keep(self, held: Counts, part: Counts, left: int) -> Fraction:
        """Return the value of keeping a part and throwing the rest; all kept: of stopping."""
        if part == held:
            return self.worth(held)
        return self.throw(part, sum(held) - sum(part), left)

    def _throw(self, kept: Counts, number: int, throws: int) -> Fraction:
        total = Fraction(0)
        for fallen, weight in dice.rolls(number):
            held = dice.plus(kept, (*fallen[:5], 0))
            total += weight * self.decide(held, kept, throws - 1)
        return Fraction(1, 6**number) * total

    def outcomes(self, throws: int) -> dict[Counts, Fraction]:
        """Return the chance of each final holding; ties as in play."""
        return self._after_throw(NONE, 6, throws)

    def _after_throw(self, kept: Counts, number: int, throws: int) -> dict[Counts, Fraction]:
        found: dict[Counts, Fraction] = {}
        for fallen, weight in dice.rolls(number):
            held = dice.plus(kept, (*fallen[:5], 0))
            for result, chance in self._after_decision(held, kept, throws - 1).items():
                share = chance * weight / 6**number
                found[result] = found.get(result, Fraction(0)) + share
        return found

    def _after_decision(self, held: Counts, locked: Counts, left: int) -> dict[Counts, Fraction]:
        ordered = sorted(
            self.keeps(held, locked, left), key=lambda part: (-sum(part), dice.format_dice(part))
        )
        part = max(ordered, key=lambda part: self.keep(held, part, left))
        if part == held:
            return {held: Fraction(1)}
        return self._after_throw(part, sum(held) - sum(part), left)


def beat(card: Combination, throws: int, cards: DieCards, rules: RuleSet = RULEBOOK) -> Fraction:
    """Return the chance to beat a card."""
    return Play(lambda held: Fraction(beats(held, cards, card, rules)), rules).start(throws)


def exceed(best: Rank, throws: int, cards: DieCards, rules: RuleSet = RULEBOOK) -> Fraction:
    """Return the chance to rank strictly higher than `best`."""
    return Play(lambda held: Fraction(rank(held, cards, rules) > best), rules).start(throws)


def attack(
    castle: Combination, throws: int, cards: DieCards, defender: DieCards, rules: RuleSet = RULEBOOK
) -> Fraction:
    """Return the chance to beat a castle and survive the owner's best defence."""
    survive = cache(lambda best: 1 - exceed(best, 3, defender, rules))

    def worth(held: Counts) -> Fraction:
        best = rank(held, cards, rules)
        return survive(best) if best > castle.rank else Fraction(0)

    return Play(worth, rules).start(throws)


def tournament(players: list[tuple[DieCards, int]], rules: RuleSet = RULEBOOK) -> list[Fraction]:
    """Return the chance of each player (Die cards, throws), in throwing order, to win."""

    @cache
    def wins(seat: int, best: Rank, holder: int) -> tuple[Fraction, ...]:
        if seat == len(players):
            return tuple(Fraction(place == holder) for place in range(len(players)))
        cards, throws = players[seat]

        def after(held: Counts) -> tuple[Fraction, ...]:
            own = rank(held, cards, rules)
            return wins(seat + 1, own, seat) if own > best else wins(seat + 1, best, holder)

        played = Play(lambda held: after(held)[seat], rules).outcomes(throws)
        rows = [[chance * win for win in after(held)] for held, chance in played.items()]
        return tuple(map(sum, zip(*rows, strict=True)))  # type: ignore[arg-type]

    return list(wins(0, (), -1))
