"""Expectimax on exact fractions, straight from the literal turn: the oracle of the tests.

Written to be obviously right and never optimised; only for small positions. The definition of
the policy (which option is taken when several are equally good) is here as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction

from advisor import dice
from advisor.court.rules.cards import BY_KEY, CopyAside
from advisor.court.rules.turn import Roll, SetAside, Step, TurnState, Use, effects
from advisor.dice import NONE, Counts

Utility = Callable[[Counts], Fraction]
Path = tuple[Step, ...]


class Reference:
    """Exact values of turn states for one utility of the final result."""

    def __init__(self, utility: Utility) -> None:
        self.utility = utility
        self._values: dict[TurnState, Fraction] = {}
        self._outcomes: dict[TurnState, dict[Counts, Fraction]] = {}

    def value(self, state: TurnState) -> Fraction:
        """Return the expected utility under best play."""
        if state not in self._values:
            self._values[state] = self._value(state)
        return self._values[state]

    def _value(self, state: TurnState) -> Fraction:
        if state.is_over:
            return self.utility(state.aside)
        if state.is_chance:
            expected = sum(w * self.value(after) for w, after in state.chance_outcomes())
            return Fraction(expected, 6**state.falling)
        return max(self.value(state.apply(step)) for step in state.legal_steps())

    def options(self, state: TurnState) -> list[tuple[Path, Fraction]]:
        """Return every option of a decision node with its value, in the order of ties."""
        return [(path, self.value(follow(state, path))) for path in option_paths(state)]

    def best(self, state: TurnState) -> Path:
        """Return the steps of the best option, the first among equals."""
        options = self.options(state)
        top = max(value for _, value in options)
        return next(path for path, value in options if value == top)

    def outcomes(self, state: TurnState) -> dict[Counts, Fraction]:
        """Return the probability of every final result under the policy."""
        if state not in self._outcomes:
            self._outcomes[state] = self._outcome(state)
        return self._outcomes[state]

    def _outcome(self, state: TurnState) -> dict[Counts, Fraction]:
        result: dict[Counts, Fraction] = defaultdict(Fraction)
        if state.is_over:
            result[state.aside] = Fraction(1)
        elif state.is_chance:
            for weight, after in state.chance_outcomes():
                for final, p in self.outcomes(after).items():
                    result[final] += p * Fraction(weight, 6**state.falling)
        else:
            return self.outcomes(follow(state, self.best(state)))
        return result


def follow(state: TurnState, path: Path) -> TurnState:
    """Return the state after some steps."""
    for step in path:
        state = state.apply(step)
    return state


def option_paths(state: TurnState) -> Iterator[Path]:
    """Yield the options in the order of ties: set aside, use, set aside then use, roll.

    Setting aside means exactly these dice and then rolling the others (or the end): more dice
    first, then the smaller digit string. Uses go by the rules' table, then by their text. Only a
    card that copies a die set aside can gain from setting one aside first. Before the first roll
    to roll means to use no card, so it comes first there.
    """
    if state.opening:
        yield (Roll(),)
    for part in sorted(dice.parts(state.active), key=lambda p: (-sum(p), dice.faces(p))):
        if part != NONE:
            rest = () if part == state.active else (Roll(),)
            yield (*map(SetAside, dice.faces(part)), *rest)
    for step in state.legal_steps():
        if isinstance(step, Use):
            yield (step,)
    for card in state.unused:
        if isinstance(BY_KEY[card].ability, CopyAside):
            yield from _aside_then_use(state, card)
    if state.may_roll:
        yield (Roll(),)


def _aside_then_use(state: TurnState, card: str) -> Iterator[Path]:
    for face in dice.distinct(state.active):
        after = state.apply(SetAside(face))
        if not state.aside[face - 1] and not after.is_over:
            for effect in effects(card, after):
                if effect.give == dice.single(face):
                    yield (SetAside(face), Use(card, effect))
