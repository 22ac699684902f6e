"""Advice in a turn for the fewest expected turns to the King, with certified bounds.

The worth of a result is what remains to be expected after the best purchase it pays for. A turn is
solved for the upper and for the lower bounds of that side by side, so that every option has an
interval; plan and purchases belong to the play that is best for the upper bounds, because what
those promise is kept.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import inf, nextafter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from advisor.court import advice
from advisor.court.advice import Adviser, Distribution, Option
from advisor.court.cards import BY_KEY
from advisor.court.exact import relative_error
from advisor.court.notation import Position, to_state
from advisor.court.solitaire import Outlook, Shares, Solitaire, Told
from advisor.court.solver import TIE
from advisor.court.stakes import Precision, Span, Stakes
from advisor.court.supply import KING

Answer = dict[str, Any]

UPPER: Final = 0
"""The lane of the upper bounds, whose policy is shown."""
LOWER: Final = 1
NOTHING: Final = "nothing"

Place = int
ROOT: Final = -1
"""In place of an option where there is none: the position before a roll."""


@dataclass
class Pursuit:
    """A position on the way to the King: its options and what is known of each."""

    position: Position
    race: Solitaire
    memory: int
    every: bool = False
    options: list[Option] = field(init=False)
    """As offered, best middle first; `values` are minus the middle, the lower, the upper bound."""

    def __post_init__(self) -> None:
        self.state = to_state(self.position, self.race.supply.rules)
        self.error = relative_error(self.state)
        self.stakes = Stakes(self.race, self.position.cards)
        self._look()

    def _look(self) -> None:
        """Solve the turn for what is known now."""
        spans = self.stakes.spans()
        self.outlooks = [_outlook(spans, bound) for bound in ("upper", "lower")]
        self.adviser = Adviser(self.state, self.outlooks, self.memory)
        priced = [replace(o, values=self._priced(o)) for o in self.adviser.options(self.state)]
        self.options = advice.ranked(advice.offered(priced, self.every))

    def _priced(self, option: Option) -> NDArray[np.float64]:
        span = self._span(option.values)
        return -np.array([span.middle, span.lower, span.upper])

    def _span(self, values: NDArray[np.float64]) -> Span:
        """Return the turns to be expected, this one included, rounded outward."""
        least, most = (1 - float(values[lane]) for lane in (LOWER, UPPER))
        lower, upper = 1 + (least - 1) * (1 - self.error), 1 + (most - 1) * (1 + self.error)
        return Span(nextafter(lower, 0), nextafter(upper, inf))

    # ------------------------------------------------------------ what is known

    def span(self) -> Span:
        """Return the bounds of the turns to be expected from the position on under best play."""
        return self._span(self.adviser.values())

    def spans(self) -> list[Span]:
        """Return the bounds of each option offered."""
        return [span_of(option) for option in self.options]

    def narrow(self, wanted: Precision, deadline: float, told: Told) -> None:
        """Solve hands that can be had after this turn until the options are known well enough."""
        while time.monotonic() < deadline:
            vague = self._vague(wanted)
            if vague is None:
                return
            outcome = self._outcome(vague, LOWER)
            weights = self.bought(outcome, LOWER)
            weights.pop(KING.key, None)
            if not self.stakes.narrow(weights, wanted.width, deadline, told):
                return
            self._look()

    def _vague(self, wanted: Precision) -> Place | None:
        """Return the most promising option that is not known well enough, None if all are."""
        if not self.options:
            return ROOT if wanted.vague([self.span()]) else None
        spans = self.spans()
        return min(wanted.vague(spans), key=lambda place: spans[place].lower, default=None)

    # ------------------------------------------------------------ what follows

    def _outcome(self, place: Place, lane: int = UPPER) -> Distribution:
        """Return the probability of each result after an option, best play for one lane."""
        if place == ROOT:
            return self.adviser.outcome(lane)
        return self.adviser.follow(self.state, self.options[place], lane)

    def bought(self, outcome: Distribution, lane: int = UPPER) -> Shares:
        """Return how likely each purchase is under the play that is best for one lane."""
        return self.outlooks[lane].shares(self.adviser.results, outcome)

    def answer(self, language: str) -> Answer:
        """Return the answer of `advisor keep`."""
        rules, options, spans = self.race.supply.rules, self.options, self.spans()
        outcome = self._outcome(0 if options else ROOT)
        buys, whole = self.bought(outcome), self.span()
        value = spans[0].middle if spans else whole.middle
        answer = advice.head("keep", self.position, rules) | {
            "goal": "turns", "unit": "turns", "value": value,
            "lower": whole.lower, "upper": whole.upper, "width": whole.width,
            "certain": certain(spans),
            "options": [
                advice.described(rank, o, span.middle, span.middle - value, language)
                | {"lower": span.lower, "upper": span.upper}
                for rank, (o, span) in enumerate(zip(options, spans, strict=True), 1)
            ],
            "plan": self.adviser.plan(self.state, options[0], language) if options else [],
            "purchases": advice.purchases(self.adviser, outcome, self.position, rules),
            "buys": [
                {"card": key, "probability": share}
                for key, share in sorted(buys.items(), key=lambda item: -item[1])
            ],
        }  # fmt: skip
        if len(options) > 1:
            answer["why"] = self.why(1, language)
        return answer

    def why(self, place: Place, language: str) -> Answer:
        """Return what follows the best option beside what follows another one."""
        both = [(self.options[where], self.bought(self._outcome(where))) for where in (0, place)]
        parts = [key for key in (None, *BY_KEY) if any(key in odds for _, odds in both)]
        best, other = (
            self._side(option, {key or NOTHING: odds.get(key, 0.0) for key in parts}, language)
            for option, odds in both
        )
        return {"best": best, "next": other}

    def _side(self, option: Option, odds: dict[str, float], language: str) -> Answer:
        """Return what follows one option, to be held against another."""
        after = self.adviser.after(self.state, option)
        return {
            "text": option.text(language),
            "value": span_of(option).middle,
            "odds": odds,
            "dice_left": after.falling + sum(after.active),
            "unused": list(after.unused),
        }


def span_of(option: Option) -> Span:
    """Return the bounds of an option of a pursuit."""
    return Span(-float(option.values[1]), -float(option.values[2]))


def certain(spans: Sequence[Span]) -> bool:
    """Return whether no option can be better than the first one.

    Options with the same two bounds as the first are as good: the same play in another order.
    """
    first = spans[0] if spans else Span(0.0, 0.0)
    return all(
        first.upper <= span.lower
        or (abs(span.lower - first.lower) <= TIE and abs(span.upper - first.upper) <= TIE)
        for span in spans[1:]
    )


def _outlook(spans: dict[str | None, Span], bound: str) -> Outlook:
    turns = {key: float(getattr(span, bound)) for key, span in spans.items()}
    after = ((key, value) for key, value in turns.items() if key is not None and value < inf)
    return Outlook(turns[None], ((KING.key, 0.0), *after))
