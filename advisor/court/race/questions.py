"""Answers about the race for the King: turns from a hand, what to do now, what to buy."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil, inf, log10
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from advisor.court.asking import SOLVED, Asking
from advisor.court.race import files as race_files
from advisor.court.race.answers import (
    BoundedPurchase,
    BuyAnswer,
    Hands,
    TurnsAnswer,
    TurnShare,
    TurnsKeepAnswer,
    Within,
)
from advisor.court.rules.cards import BY_KEY, KING, has_use, pays
from advisor.court.rules.names import purchase
from advisor.court.rules.notation import Position, check_position, format_position
from advisor.court.rules.options import RuleSet, dice_in_reach, start_dice
from advisor.court.rules.supply import Supply, check_race, full_supply
from advisor.court.turn.answers import KeepEachAnswer
from advisor.court.turn.questions import keep_each
from advisor.dice import Counts, format_dice
from advisor.errors import InvalidCards, InvalidDice, InvalidOption, MissingTable
from advisor.intervals import Interval
from advisor.text import quoted

if TYPE_CHECKING:
    from advisor.court.race.known import Joined
    from advisor.court.race.search import Node, Solitaire

Told = Callable[[str], None]

WIDTH: Final = 1e-4
"""The widest interval, in turns, that an answer should have."""
FULL_WIDTH: Final = 1e-3
"""The same with the full supply."""
TIME: Final = "budget"
"""What keeps an interval from being narrower, if time ran out."""
BUDGET: Final = 10.0
"""Seconds for an answer that need not be certified to the width."""
CHANCES: Final = 3.0
"""Seconds for the chances within so many turns."""
SHOWN: Final = 1e-6
"""Chances below this are left out of distributions."""


class Origin(NamedTuple):
    """Where an answer about the race came from, and the table that bounds it from below."""

    source: str = SOLVED
    floor: str | None = None


class Races:
    """Races by what can be bought: what one question found serves the next."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.found: dict[Supply, tuple[Solitaire, Origin]] = {}

    def start(self, hand: Sequence[str], supply: Supply, memory: int) -> tuple[Solitaire, Origin]:
        """Return a race that begins with what a table knows, and what that says of its source."""
        if supply == full_supply(hand, supply.rules):
            # What is owned cannot be bought, so one race serves all hands.
            hand, supply = (), full_supply((), supply.rules)
        if supply not in self.found:
            self.found[supply] = self.fresh(hand, supply, memory)
        return self.found[supply]

    def fresh(self, hand: Sequence[str], supply: Supply, memory: int) -> tuple[Solitaire, Origin]:
        """Return the same for one question alone."""
        from advisor.court.race.search import Solitaire

        table = self._table
        if table is None:
            return Solitaire(supply, memory), Origin()
        name = f"table {table.checksum}"
        if supply == full_supply(hand, self.asking.rules):
            return Solitaire(supply, memory, known=table), Origin(name)
        # More to buy never costs turns.
        return Solitaire(supply, memory, floor=table), Origin(floor=name)

    @cached_property
    def _table(self) -> Joined | None:
        """What is known of the whole race, read once whatever can be bought."""
        from advisor.court.race import known as race_tables

        return race_tables.find(self.asking.tables, self.asking.rules, self.asking.warn)


def check_width(width: float) -> None:
    """Raise InvalidOption unless intervals can be made so narrow."""
    if not 1e-8 <= width <= 10:
        raise InvalidOption(f"--width {width:g}: the width is a number of turns from 1e-8 to 10")


def check_budget(budget: float) -> None:
    """Raise InvalidOption unless the budget is a time."""
    if not 0 < budget <= 1e6:
        raise InvalidOption(f"--budget {budget:g}: the budget is a number of seconds above 0")


def turns(
    asking: Asking,
    cards: Sequence[str],
    supply: Supply,
    width: float | None = None,
    budget: float | None = None,
    told: Told = lambda message: None,
) -> TurnsAnswer:
    """Return the expected turns from a hand to the King as a certified interval, and its course.

    `width` None: WIDTH, or FULL_WIDTH with the full supply. `budget` in seconds for the interval
    and as much again for the chances within T turns; None: CHANCES seconds for the chances, and
    for the interval BUDGET seconds with the full supply, else until it is narrow enough.
    """
    hand = tuple(cards)
    check_race(hand, supply)
    wanted = _wanted(width, supply, hand)
    unasked = BUDGET if supply == full_supply(hand, supply.rules) else inf

    def solve(memory: int) -> TurnsAnswer:
        from advisor.court.race.course import Pace, mean

        race, origin = Races(asking).fresh(hand, supply, memory)
        deadline = time.monotonic() + (budget or unasked)
        node = race.solve(hand, 0.98 * wanted, deadline, _telling(told))
        pace = Pace(race)
        told("chances within so many turns")
        within = pace.within(hand, time.monotonic() + (budget or CHANCES))
        played = pace.turns(hand)
        return TurnsAnswer(
            rules=asking.rules.name,
            cards=hand,
            supply=supply.listed(),
            unit="turns",
            **_interval(node.turns, wanted),
            within=tuple(
                Within(turns=number, probability=chance.lower, upper=chance.upper)
                for number, chance in enumerate(within, 1)
            ),
            unfinished=pace.late,
            limit=_limit(node.turns.width <= wanted, deadline),
            aims="each",
            distribution=tuple(
                TurnShare(turns=number, probability=share)
                for number, share in enumerate(played, 1)
                if share >= SHOWN
            ),
            mean=mean(played) if sum(played) > 1 - SHOWN else None,
            routes=tuple(pace.routes(hand)),
            hands=_counts(race),
            **origin._asdict(),
        )

    question = {
        "command": "turns", "rules": supply.rules.options(), "cards": list(hand),
        "supply": list(supply.listed()), "width": wanted, "budget": budget,
    }  # fmt: skip
    return _asked(asking, TurnsAnswer, question, solve)


def buy(
    races: Races,
    result: Counts,
    cards: Sequence[str],
    supply: Supply,
    width: float | None = None,
    budget: float = BUDGET,
    told: Told = lambda message: None,
) -> BuyAnswer:
    """Return every purchase that a result pays for, ranked by the expected turns afterwards."""
    hand = tuple(cards)
    check_race(hand, supply)
    check_result(result, hand, supply.rules)
    wanted = _wanted(width, supply, hand)

    def solve(memory: int) -> BuyAnswer:
        from advisor.court.race.purchases import Stakes, precision, settle

        race, origin = races.start(hand, supply, memory)
        stakes = Stakes(race, hand)
        keys = [k for k in (None, *stakes.keys) if k is None or pays(BY_KEY[k].cost, result)]
        deadline = time.monotonic() + budget
        enough = precision(width, 0.0, supply, hand)
        settle(stakes, keys, enough, deadline, _telling(told))
        after = stakes.spans()
        spans = {key: after[key] for key in keys}
        limit = _limit(not enough.vague(list(spans.values())), deadline)
        if pays(KING.cost, result):
            spans[KING.key] = Interval(0.0, 0.0)
        certain, options = _ranked(spans, wanted, races.asking.language)
        return BuyAnswer(
            rules=supply.rules.name,
            result=format_dice(result),
            cards=hand,
            supply=supply.listed(),
            unit="turns",
            certain=certain,
            options=options,
            limit=limit,
            hands=_counts(race),
            **origin._asdict(),
        )

    question = {
        "command": "buy", "rules": supply.rules.options(), "result": format_dice(result),
        "cards": list(hand),
        "supply": list(supply.listed()), "width": wanted, "budget": budget,
    }  # fmt: skip
    return _asked(races.asking, BuyAnswer, question, solve)


def keep(
    races: Races,
    position: Position,
    supply: Supply,
    width: float | None = None,
    budget: float = BUDGET,
    every: bool = False,
    told: Told = lambda message: None,
    needs_table: bool = False,
    ranked: bool = False,
) -> TurnsKeepAnswer:
    """Return what to do in a position for the fewest expected turns to the King.

    `needs_table`: raise MissingTable where no table knows this race. `ranked`: options that are as
    good are ranked by the result that takes the King.
    """
    check_position(position, supply.rules)
    check_race(position.cards, supply)
    if needs_table and not race_files.checksums(races.asking.tables, races.asking.rules):
        raise MissingTable(f"no table of the race for the rule set {supply.rules.name}")

    def solve(memory: int) -> TurnsKeepAnswer:
        from advisor.court.race.in_turn import Pursuit
        from advisor.court.race.purchases import precision

        race, origin = races.start(position.cards, supply, memory)
        pursuit = Pursuit(position, race, memory, every, ranked)
        deadline = time.monotonic() + budget
        wanted = precision(width, inf, supply, position.cards)
        pursuit.narrow(wanted, deadline, _telling(told))
        return replace(
            pursuit.answer(races.asking.language), **origin._asdict(),
            limit=_limit(pursuit.enough(wanted), deadline), supply=supply.listed(),
        )  # fmt: skip

    question = {
        "command": "keep", "rules": supply.rules.options(), "goal": "turns",
        "position": format_position(position), "all": every, "ranked": ranked,
        "supply": list(supply.listed()), "width": width, "budget": budget,
    }  # fmt: skip
    return _asked(races.asking, TurnsKeepAnswer, question, solve)


def keep_or_odds(
    races: Races,
    position: Position,
    budget: float = BUDGET,
    every: bool = False,
    told: Told = lambda message: None,
) -> TurnsKeepAnswer | KeepEachAnswer:
    """Return what to do for the fewest turns; where no table can tell, each card by itself.

    `note` then says why.
    """
    supply = full_supply(position.cards, races.asking.rules)
    try:
        return keep(races, position, supply, None, budget, every, told, needs_table=True)
    except MissingTable as problem:
        why = f"{problem} (--goal turns solves it)"
    except InvalidCards:
        over = any(BY_KEY[key].comes_with for key in position.cards)
        why = "the race for the King is over" if over else "the King is out of reach"
    return keep_each(races.asking, position, f"{why}; each card by best play for it alone")


Limited = TypeVar("Limited", TurnsAnswer, BuyAnswer, TurnsKeepAnswer)


def _asked(
    asking: Asking, kind: type[Limited], question: dict[str, Any], solve: Callable[[int], Limited]
) -> Limited:
    """Return the answer, from the cache if it was solved to the end beside the same tables."""
    known = race_files.checksums(asking.tables, asking.rules)
    return asking.answer(
        kind, question | {"tables": known}, solve, lasting=lambda answer: answer.limit != TIME
    )


def check_result(result: Counts, cards: Sequence[str], rules: RuleSet) -> None:
    """Raise InvalidDice unless a turn with these cards can end with so many dice."""
    number, least, most = sum(result), start_dice(cards, rules), dice_in_reach(cards, rules)
    if not least <= number <= most:
        owned = ", ".join(cards) or "no cards"
        wanted = f"{least}" if least == most else f"{least} to {most}"
        raise InvalidDice(
            f"{quoted(format_dice(result))} has {number} dice, but a turn with {owned} ends with "
            f"{wanted}: correct the result or --cards"
        )


def _wanted(width: float | None, supply: Supply, hand: Sequence[str]) -> float:
    if width is not None:
        return width
    return FULL_WIDTH if supply == full_supply(hand, supply.rules) else WIDTH


def _telling(told: Told) -> Callable[[Solitaire, Node], None]:
    return lambda race, node: told(f"{node.turns.text(5)} turns, {len(race.nodes)} hands")


def _counts(race: Solitaire) -> Hands:
    """Return how many hands were bounded and how many of them expanded."""
    expanded = sum(node.expanded for node in race.nodes.values())
    return Hands(bounded=len(race.nodes), expanded=expanded)


def _limit(enough: bool, deadline: float) -> str | None:
    """Return what keeps intervals from being narrower: the width wanted, or the time."""
    if enough:
        return "width"
    return TIME if time.monotonic() >= deadline else None


def _interval(turns: Interval, width: float) -> dict[str, Any]:
    """Return the bounds rounded outward to a hundredth of the width, and what lies between."""
    digits = _digits(width)
    shown = turns.rounded(digits)
    if shown.upper == inf:
        return {"lower": shown.lower, "upper": None, "width": None}
    return {"lower": shown.lower, "upper": shown.upper, "width": round(shown.width, digits)}


def _digits(width: float) -> int:
    """Return how many decimals a hundredth of the width has."""
    return max(0, ceil(-log10(width / 100) - 1e-9))


def _ranked(
    spans: Mapping[str | None, Interval], width: float, language: str
) -> tuple[bool, tuple[BoundedPurchase, ...]]:
    """Return whether the best purchase is certain, and all by the middle of their intervals."""
    digits = _digits(width)
    rows = [(key, span.rounded(digits)) for key, span in spans.items()]
    rows.sort(key=lambda row: (row[1].upper == inf, row[1].middle, row[1].lower))
    best, top = rows[0]
    options = tuple(
        BoundedPurchase(
            card=key,
            **_interval(spans[key], width),
            rank=rank,
            loss=None if shown.upper == inf else round(shown.middle - top.middle, digits + 1),
            text=purchase(key, language),
        )
        for rank, (key, shown) in enumerate(rows, 1)
    )
    rivals = [key for key, _ in rows[1:]]
    if best and has_use(best):
        # A card that need not be used can be ignored for good.
        rivals.remove(None)
    return all(spans[best].is_below(spans[key]) for key in rivals), options
