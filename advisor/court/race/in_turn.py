"""Advice in a turn for the fewest expected turns to the King, with certified bounds.

The worth of a result is what remains to be expected after the best purchase it pays for. A turn is
solved for the upper and for the lower bounds of that side by side, so that every option has an
interval; plan and purchases belong to the play that is best for the upper bounds, because what
those promise is kept.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor.court.asking import SOLVED
from advisor.court.race.answers import BoundedOption, TurnsKeepAnswer
from advisor.court.race.purchases import Precision, Stakes
from advisor.court.race.search import Solitaire, Told
from advisor.court.rules.cards import BY_KEY, KING
from advisor.court.rules.notation import Position, format_position, to_state
from advisor.court.rules.turn import TurnState
from advisor.court.turn import advice
from advisor.court.turn.advice import Adviser, Distribution, Option
from advisor.court.turn.answers import PurchaseShare, Side, Why
from advisor.court.turn.exact import relative_error
from advisor.court.turn.payoffs import BY_RANK, TURNS, PurchasePayoff, Shares
from advisor.intervals import Interval
from advisor.ties import TIE

UPPER: Final = 0
"""The lane of the upper bounds, whose policy is shown."""
LOWER: Final = 1
RANKED: Final = 2
"""The lane of the upper bounds where the King is better with a better result."""
NOTHING: Final = "nothing"

WAYS: Final = 300
"""States gone through after an option to show that it leads where another one does."""


@dataclass
class Pursuit:
    """A position on the way to the King: its options and what is known of each."""

    position: Position
    race: Solitaire
    memory: int
    every: bool = False
    ranked: bool = False
    """Whether options that are as good are ranked by the result that takes the King."""
    known: list[Option] = field(init=False)
    """All, best middle first; `values` are minus the middle, which `ranked` moves by less than
    1e-6, the lower, the upper bound."""
    options: list[Option] = field(init=False)
    """Those of them that are offered."""

    def __post_init__(self) -> None:
        self.state = to_state(self.position, self.race.supply.rules)
        self.error = relative_error(self.state)
        self.stakes = Stakes(self.race, self.position.cards)
        self._look()

    def _look(self) -> None:
        """Solve the turn for what is known now."""
        spans = self.stakes.spans()
        self.payoffs = [_payoff(spans, bound) for bound in ("upper", "lower")]
        if self.ranked:
            self.payoffs.append(replace(self.payoffs[UPPER], by_rank=BY_RANK))
        self.adviser = Adviser(self.state, self.payoffs, self.memory)
        priced = [replace(o, values=self._priced(o)) for o in self.adviser.options(self.state)]
        self.known = advice.ranked(priced)
        self.options = advice.ranked(advice.offered(priced, self.every))

    def _priced(self, option: Option) -> NDArray[np.float64]:
        span = self._span(option.values)
        more = option.values[RANKED] - option.values[UPPER] if self.ranked else 0.0
        return -np.array([span.middle - more, span.lower, span.upper])

    def _span(self, values: NDArray[np.float64]) -> Interval:
        """Return the turns to be expected, this one included, rounded outward."""
        least, most = (-float(values[lane]) for lane in (LOWER, UPPER))
        return Interval.of(least, most, self.error) + 1

    # ------------------------------------------------------------ what is known

    def span(self) -> Interval:
        """Return the bounds of the turns to be expected from the position on under best play."""
        return self._span(self.adviser.values())

    def spans(self) -> list[Interval]:
        """Return the bounds of each option offered."""
        return [span_of(option) for option in self.options]

    def narrow(self, wanted: Precision, deadline: float, told: Told) -> None:
        """Solve hands that can be had after this turn until the options are known well enough."""
        while time.monotonic() < deadline:
            if self.enough(wanted):
                return
            outcome = self._outcome(self._vague(wanted), LOWER)
            weights = self.bought(outcome, LOWER)
            weights.pop(KING.key, None)
            if not self.stakes.narrow(weights, wanted.width, deadline, told):
                return
            self._look()

    def enough(self, wanted: Precision) -> bool:
        """Return whether the options, or the position before a roll, are known well enough."""
        return not wanted.vague([span_of(o) for o in self.known] or [self.span()])

    def _vague(self, wanted: Precision) -> Option | None:
        """Return the most promising option that is not known well enough, None before a roll."""
        spans = [span_of(option) for option in self.known]
        place = min(wanted.vague(spans), key=lambda place: spans[place].lower, default=None)
        return None if place is None else self.known[place]

    # ------------------------------------------------------------ what is certain

    def certain(self) -> bool:
        """Return whether no option, offered or not, can be better than the first one."""
        if not self.options:
            return True
        first = self.options[0]
        rivals = [
            o for o in self.known if o is not first and not span_of(first).is_below(span_of(o))
        ]
        if not rivals:
            return True
        # Equal bounds alone tell nothing: the cheap bounds of unlike hands are often the same.
        same = all(span_of(first).is_same(span_of(o)) for o in rivals)
        return (same and self._leads(first, rivals)) or self._pays_best(first, rivals)

    def _pays_best(self, first: Option, rivals: list[Option]) -> bool:
        """Return whether an option is sure to pay for a purchase that others cannot improve on."""
        keys = [key for key, share in self.bought(self._outcome(first)).items() if share]
        if len(keys) > 1 or keys == [KING.key]:
            return False
        spans = self.stakes.spans()
        most = spans[keys[0]].upper
        # What others may gain on that purchase grows with its turns.
        least = _payoff(spans | {keys[0]: Interval(most, most)}, "lower")
        found = Adviser(self.state, [least], self.memory).options(self.state)
        turns = {option: -float(option.values[0]) for option in found}
        return all(turns[rival] >= most - TIE for rival in rivals)

    def _leads(self, first: Option, rivals: list[Option]) -> bool:
        """Return whether an option leads wherever others lead that could be better."""
        most = span_of(first).upper
        mine = self._ends(first, most)
        return mine is not None and all(
            ends is not None and all(_covered(end, mine) for end in ends)
            for ends in (self._ends(rival, most) for rival in rivals)
        )

    def _ends(self, option: Option, most: float) -> set[TurnState] | None:
        """Return the states at the next chance event after an option that can beat `most` turns.

        None: too many to go through.
        """
        ends: set[TurnState] = set()
        between: set[TurnState] = set()
        ways = [(self.adviser, self.state, option)]
        while ways and len(between) + len(ends) <= WAYS:
            adviser, state, option = ways.pop()
            after = adviser.after(state, option)
            if after.is_over:
                ends.add(replace(after, unused=(), may_roll=False))
            elif after.is_chance:
                ends.add(after)
            elif after not in between:
                between.add(after)
                if option.kind == "aside_then_use":
                    adviser = Adviser(after, self.payoffs, self.memory)
                ways += [
                    (adviser, after, then)
                    for then in adviser.options(after)
                    if self._span(then.values).lower < most - TIE
                ]
        return None if ways else ends

    # ------------------------------------------------------------ what follows

    def _outcome(self, option: Option | None, lane: int = UPPER) -> Distribution:
        """Return the probability of each result, after an option if any, best play for one lane."""
        if option is None:
            return self.adviser.outcome(lane)
        return self.adviser.follow(self.state, option, lane)

    def bought(self, outcome: Distribution, lane: int = UPPER) -> Shares:
        """Return how likely each purchase is under the play that is best for one lane."""
        return self.payoffs[lane].shares(self.adviser.results, outcome)

    def answer(self, language: str) -> TurnsKeepAnswer:
        """Return the answer of `advisor keep`."""
        rules, options, spans = self.race.supply.rules, self.options, self.spans()
        outcome = self._outcome(options[0] if options else None)
        buys, whole = self.bought(outcome), self.span()
        value = spans[0].middle if spans else whole.middle
        return TurnsKeepAnswer(
            rules=rules.name,
            position=format_position(self.position),
            goal="turns",
            unit="turns",
            value=value,
            lower=whole.lower,
            upper=whole.upper,
            width=whole.width,
            certain=self.certain(),
            options=tuple(
                BoundedOption(
                    rank=rank,
                    value=span.middle,
                    loss=max(0.0, span.middle - value),
                    lower=span.lower,
                    upper=span.upper,
                    **advice.described(option, language),
                )
                for rank, (option, span) in enumerate(zip(options, spans, strict=True), 1)
            ),
            plan=tuple(self.adviser.plan(self.state, options[0], language)) if options else (),
            purchases=advice.purchases(self.adviser, outcome, self.position, rules),
            buys=tuple(
                PurchaseShare(card=key, probability=share)
                for key, share in sorted(buys.items(), key=lambda item: -item[1])
            ),
            why=self.why(1, language) if len(options) > 1 else None,
            limit=None,
            supply=self.race.supply.listed(),
            source=SOLVED,
        )

    def why(self, place: int, language: str) -> Why:
        """Return what follows the best option beside what follows another one."""
        pair = self.options[0], self.options[place]
        both = [(option, self.bought(self._outcome(option))) for option in pair]
        parts = [key for key in (None, *BY_KEY) if any(key in odds for _, odds in both)]
        best, other = (
            self._side(option, {key or NOTHING: odds.get(key, 0.0) for key in parts}, language)
            for option, odds in both
        )
        return Why(best=best, next=other)

    def _side(self, option: Option, odds: dict[str, float], language: str) -> Side:
        """Return what follows one option, to be held against another."""
        after = self.adviser.after(self.state, option)
        return advice.side(option, span_of(option).middle, odds, after, language)


def span_of(option: Option) -> Interval:
    """Return the bounds of an option of a pursuit."""
    return Interval(-float(option.values[1]), -float(option.values[2]))


def _covered(end: TurnState, ends: set[TurnState]) -> bool:
    """Return whether one of some states is this one, with these cards unused at least."""
    return any(
        replace(end, unused=other.unused) == other and Counter(end.unused) <= Counter(other.unused)
        for other in ends
    )


def _payoff(spans: dict[str | None, Interval], bound: str) -> PurchasePayoff:
    turns = {key: float(getattr(span, bound)) for key, span in spans.items()}
    after = ((key, value) for key, value in turns.items() if key is not None and value < inf)
    return PurchasePayoff(((KING.key, 0.0), *after), turns[None], TURNS)
