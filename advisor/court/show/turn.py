"""Answers about To Court the King as text: tables or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import Final

from advisor.court.asking import Sourced
from advisor.court.race.answers import (
    BoundedOption,
    BoundedPurchase,
    BuyAnswer,
    TurnsAnswer,
    TurnsKeepAnswer,
    Within,
)
from advisor.court.rules.answers import CardsAnswer
from advisor.court.rules.cards import BY_KEY, KING, ROW_NAMES
from advisor.court.rules.names import name_of
from advisor.court.rules.options import RULE_SETS
from advisor.court.rules.supply import line_of
from advisor.court.turn.answers import KeepAnswer, KeepEachAnswer, OddsAnswer, Ranking, Side, Why
from advisor.terminal import NO_BREAK, Writer, counted, percent
from advisor.ties import EQUAL

SHOWN: Final = 10
"""Options in a table unless all are asked for."""
NOTHING: Final = "nothing"
"""What is bought where no card is."""
OVERLAP: Final = "The intervals overlap: which {} is best is not certain"
NARROWER: Final = {
    "width": "; a smaller --width narrows them",
    "budget": "; a larger --budget narrows them",
    None: "",
}
"""How intervals become narrower, by what keeps them from it."""
DIGITS: Final = 5
"""Most decimals of turns."""
VAGUE: Final = 0.3
"""With a wider interval of the best option, in turns, the plan is provisional."""


Bounded = BoundedOption | BoundedPurchase | TurnsKeepAnswer | TurnsAnswer


class Output(Writer):
    """Writes answers to standard output."""

    numbers = frozenset(
        {"probability", "points", "loss", "turns", "so many", "within", "at least", "at most",
         "width"}
    )  # fmt: skip

    def __init__(self, color: str = "auto", language: str = "en") -> None:
        super().__init__(color)
        self.language = language

    # ------------------------------------------------------------ commands

    def keep(self, answer: KeepAnswer | KeepEachAnswer, every: bool = False) -> None:
        """Write the answer of `advisor keep`."""
        if isinstance(answer, KeepEachAnswer):
            self.odds(answer)
            if answer.note:
                self._wrapped(answer.note, dim=True)
        elif isinstance(answer, TurnsKeepAnswer):
            self._pursuit_table(answer, every)
        else:
            self._keep_table(answer, every)

    # ------------------------------------------------------------ keep and odds

    def _keep_table(self, answer: KeepAnswer, every: bool) -> None:
        self._options(answer, every)
        self._chances("Pays for", answer.purchases.items())
        self._footer(answer, f"best play for {self._goal(answer)}")

    def _options(self, answer: Ranking, every: bool) -> None:
        value = self._worth(answer.value, answer.unit)
        self._line(f"{answer.position}   goal {self._goal(answer)}   {value}", bold=True)
        rows = [
            [
                o.rank,
                o.text,
                self._worth(o.value, answer.unit),
                self._worth(o.loss, answer.unit) if o.loss > EQUAL else "",
            ]
            for o in answer.options
        ]
        self._ranked(answer, rows, ["", "option", answer.unit, "loss"], every)
        self._why(answer, answer.why)

    def _ranked(
        self,
        answer: Ranking,
        rows: list[list[object]],
        headers: list[str],
        every: bool,
        doubt: str = "",
    ) -> None:
        """Write the options, if there are any, and the plan."""
        if not rows:
            return
        shown = rows if every else rows[:SHOWN]
        self._table(shown, headers, wrap=(1,), best_first=True)
        if len(rows) > len(shown):
            more = counted(len(rows) - len(shown), "more option")
            self._line(f"{more}: --all shows them", dim=True)
        self._wrapped(f"Plan{doubt}: {'; '.join(answer.plan)}")

    def _why(self, answer: Ranking | BuyAnswer, reason: Why | None) -> None:
        if reason is None:
            return
        best, other = reason.best, reason.next
        if not best.value:
            self._line("Why: nothing that can be done now reaches the goal")
            return
        equal = abs(best.value - other.value) <= EQUAL
        if not isinstance(answer, TurnsKeepAnswer | BuyAnswer) or answer.certain:
            verb = "is as good as" if equal else "beats"
        else:
            equal = not float(lost(answer.options[1], answer.options[0]) or 0)
            verb = f"looks {'as good as' if equal else 'better than'}"
        self._wrapped(f"Why: {best.text} {verb} {other.text}")
        odds = [
            f"{self._part(part)}: {percent(p)} against {percent(other.odds[part])}"
            for part, p in best.odds.items()
            if max(p, other.odds[part]) >= 5e-5
        ]
        if len(odds) > 1 or answer.unit != "probability":
            buys = "next turn buys " if isinstance(answer, BuyAnswer) else ""
            self._wrapped(f"  {buys}" + ", ".join(text.replace(" ", NO_BREAK) for text in odds))
        left = "" if isinstance(answer, BuyAnswer) else " left"
        self._wrapped(
            f"  {_left(best, self.language)}{left} against {_left(other, self.language)}{left}"
        )

    def _part(self, part: str) -> str:
        return name_of(part, self.language) if part in BY_KEY else part

    def _cost(self, key: str) -> str:
        """Return the cost of a card in words, a card that it takes by its name."""
        card = BY_KEY[key]
        taken = card.requires
        if taken is None:
            return card.cost_text
        return card.cost_text.replace(BY_KEY[taken].name, name_of(taken, self.language))

    def _goal(self, answer: Ranking) -> str:
        """Return the goal as it can be asked for, cards by the names of another language."""
        if self.language == "en":
            return str(answer.goal)
        return re.sub("[a-z]+", lambda word: self._part(word[0]), answer.goal)

    def odds(self, answer: OddsAnswer) -> None:
        """Write the answer of `advisor odds`."""
        self._line(answer.position, bold=True)
        first = any(row.first for row in answer.goals)
        exact = any(row.exact != "" for row in answer.goals)
        self._table(
            [
                [
                    name_of(row.card, self.language),
                    self._cost(row.card),
                    percent(row.probability),
                ]
                + ([row.first if row.probability else ""] if first else [])
                + ([row.exact or "too large"] if exact else [])
                for row in answer.goals
            ],
            ["card", "cost", "probability"] + ["first move"] * first + ["exact"] * exact,
            wrap=(3,) if first else (),
        )
        self._footer(answer, "each card by best play for it alone")

    def _footer(self, answer: Sourced, model: str, floor: str | None = None) -> None:
        known = {"solved": "solved now", "cache": "from the answer cache"}
        source = known.get(answer.source, f"from {answer.source}")
        if floor:
            source += f", bounded from below by the full-supply {floor}"
        self._wrapped(f"exact for rule set {answer.rules}, {model}; {source}", dim=True)

    def _worth(self, value: float, unit: str) -> str:
        return percent(value) if unit == "probability" else f"{value:.4f}"

    # ------------------------------------------------------------ turns and buy

    def turns(self, answer: TurnsAnswer) -> None:
        """Write the answer of `advisor turns`."""
        self._line(f"{self._named(answer.cards)}: {_interval(answer)}", bold=True)
        played = {row.turns: row.probability for row in answer.distribution}
        rows = [
            [
                row.turns,
                percent(played.get(row.turns, 0.0)),
                percent(row.probability),
                _most(row),
            ]
            for row in answer.within
            if row.upper
        ]
        last = next((n for n, row in enumerate(rows) if row[2] == "> 99.99 %"), len(rows))
        self._table(rows[: last + 1], ["turns", "so many", "within", "at most"])
        for route in answer.routes:
            self._wrapped(f"{percent(route.probability)}: {self._named(route.cards)}")
        self._wrapped(
            "so many: best play for the fewest expected turns; within: the greatest chance of the "
            "King by then, each number of turns an aim of its own; at most: where not exact",
            dim=True,
        )
        if answer.unfinished and any(row[3] for row in rows[: last + 1]):
            self._wrapped("Some chances are open still: a larger --budget goes on with them")
        self._race_footer(answer)

    def _pursuit_table(self, answer: TurnsKeepAnswer, every: bool) -> None:
        lower, upper, _ = bounds(answer)
        self._line(f"{answer.position}   goal turns   {lower} to {upper} turns", bold=True)
        options = answer.options
        rows: list[list[object]] = [
            [o.rank, o.text, *bounds(o)[:2], lost(o, options[0])] for o in options
        ]
        doubt = doubted(options[0] if options else answer)
        self._ranked(answer, rows, ["", "option", "at least", "at most", "loss"], every, doubt)
        self._overlap(answer, "option")
        if doubt:
            self._wrapped("Provisional: the bounds are too wide to tell how the best play goes on")
        self._why(answer, answer.why)
        self._chances(f"Buys{doubt}", [(row.card, row.probability) for row in answer.buys])
        buyable = {*answer.supply, KING.key}
        self._chances(
            "Pays for",
            [(k, p) for k, p in answer.purchases.items() if line_of(k) in buyable],
        )
        self._wrapped(
            "expected turns to the King, this one included; loss: from the middle of the "
            "intervals; plan and purchases: the play that keeps what 'at most' promises",
            dim=True,
        )
        self._supplied(answer)
        self._footer(answer, "a player alone; certified bounds", answer.floor)

    def _chances(self, label: str, chances: Iterable[tuple[str | None, float]]) -> None:
        """Write the probabilities of cards, None being none, that are not 0."""
        texts = [f"{self._part(k or NOTHING)} {percent(p)}" for k, p in chances if p]
        self._wrapped(f"{label}: " + ", ".join(t.replace(" ", NO_BREAK) for t in texts))

    def buy(self, answer: BuyAnswer) -> None:
        """Write the answer of `advisor buy`."""
        self._line(f"{answer.result} with {self._named(answer.cards)}", bold=True)
        self._table(
            [
                [
                    row.rank,
                    row.text,
                    *bounds(row),
                    lost(row, answer.options[0]),
                ]
                for row in answer.options
            ],
            ["", "option", "at least", "at most", "width", "loss"],
            wrap=(1,),
            best_first=True,
        )
        self._overlap(answer, "purchase")
        self._wrapped(
            "expected turns to the King after the purchase; loss: from the middle of the intervals",
            dim=True,
        )
        self._race_footer(answer)

    def _overlap(self, answer: TurnsKeepAnswer | BuyAnswer, what: str) -> None:
        """Own up to intervals that overlap, and say what narrows them."""
        if not answer.certain:
            self._wrapped(OVERLAP.format(what) + NARROWER[answer.limit])

    def _race_footer(self, answer: TurnsAnswer | BuyAnswer) -> None:
        hands = answer.hands
        self._supplied(answer)
        self._footer(
            answer,
            f"a player alone; certified bounds from {counted(hands.bounded, 'hand')}, "
            f"{hands.expanded} of them expanded",
            answer.floor,
        )

    def _supplied(self, answer: TurnsKeepAnswer | TurnsAnswer | BuyAnswer) -> None:
        self._wrapped(f"supply: {self._named(answer.supply)}", dim=True)

    def _named(self, keys: Sequence[str]) -> str:
        return ", ".join(name_of(key, self.language) for key in keys) or "no cards"

    # ------------------------------------------------------------ cards

    def cards(self, answer: CardsAnswer) -> None:
        """Write characters in a table."""
        self._table(
            [
                [
                    card.code,
                    name_of(card.card, self.language),
                    ROW_NAMES[card.row],
                    self._cost(card.card),
                    card.ability,
                    "/".join(map(str, card.copies.values())) if card.copies else "*",
                ]
                for card in answer.cards
            ],
            ["", "name", "row", "cost", "ability", "copies"],
            wrap=(3, 4),
        )
        self._line("copies: with 2/3/4/5 players; * " + _fools(answer.rules))

    def card(self, answer: CardsAnswer) -> None:
        """Write the only character of an answer in full."""
        (card,) = answer.cards
        self._line(f"{name_of(card.card, self.language)} ({card.code})", bold=True)
        fools = "; ".join(map(_fools, RULE_SETS))
        copies = ", ".join(f"{n} with {p} players" for p, n in (card.copies or {}).items())
        names = dict.fromkeys([card.card, *card.names.values(), *card.other_names])
        for label, text in (
            ("row", ROW_NAMES[card.row]),
            ("cost", self._cost(card.card)),
            ("ability", card.ability),
            ("copies", copies or fools),
            ("notes", card.note),
            ("names", ", ".join(names)),
        ):
            if text:
                self._wrapped(f"  {label:<8} {text}", indent=11)


def bounds(row: Bounded) -> tuple[str, str, str]:
    """Return lower bound, upper bound and the width between them, as finely as the width allows."""
    width = row.width
    if row.upper is None or width is None:
        return f"{floor(row.lower * 10) / 10:.1f}", "unknown", "unknown"
    # Outward, so that what is shown are bounds as well.
    digits = decimals(width)
    scale = 10**digits
    lower, upper = floor(row.lower * scale + 1e-6), ceil(row.upper * scale - 1e-6)
    between = f"{width:.0f}" if width >= 1 else f"{width:.1g}"
    return f"{lower / scale:.{digits}f}", f"{upper / scale:.{digits}f}", between


def doubted(best: BoundedOption | TurnsKeepAnswer) -> str:
    """Return the mark of a plan whose worth, with these bounds, is too little known."""
    return " (provisional)" if best.upper - best.lower > VAGUE else ""


def decimals(width: float) -> int:
    """Return how many decimals of a number of turns are worth showing: one below the width."""
    return DIGITS if width <= 0 else min(DIGITS, max(1, 1 + ceil(-log10(width))))


def lost(row: BoundedOption | BoundedPurchase, best: BoundedOption | BoundedPurchase) -> str:
    """Return the loss against the best option, as finely as both intervals allow."""
    if row.loss is None or row.loss <= EQUAL:
        return ""
    digits = decimals(max((each.upper or 0.0) - each.lower for each in (row, best)))
    return f"{row.loss:.{min(digits, DIGITS - 1)}f}"


def _most(row: Within) -> str:
    """Return the upper bound of a chance where it is not the lower one."""
    return "" if row.upper - row.probability < 5e-5 else percent(row.upper)


def _interval(row: Bounded) -> str:
    lower, upper, width = bounds(row)
    return f"{lower} to {upper} expected turns to the King (width {width})"


def _left(side: Side, language: str) -> str:
    cards = ", ".join(name_of(key, language) for key in side.unused) or "no card"
    return f"{counted(side.dice_left, 'die', 'dice')} and {cards}"


def _fools(rules: str) -> str:
    supply = RULE_SETS[rules].fool_supply
    return f"{rules}: " + ("unlimited" if supply is None else "as many as players")
