"""Answers of `keep` for a goal and of `odds`, from the cache or a table where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.court.asking import SOLVED, Asking
from advisor.court.rules.notation import Position, check_position, format_position
from advisor.court.rules.supply import purchasable
from advisor.court.turn.answers import KeepAnswer, KeepEachAnswer, OddsAnswer
from advisor.court.turn.goals import card_goal, check_goal
from advisor.court.turn.payoffs import Payoff
from advisor.errors import MissingTable, TableProblem

if TYPE_CHECKING:
    from advisor.court.turn.solver import Stored


def keep(asking: Asking, position: Position, goal: Payoff, every: bool = False) -> KeepAnswer:
    """Return what to do in a position for a goal."""
    rules = asking.rules
    check_position(position, rules)
    check_goal(goal, position.cards, rules)

    def solve(memory: int) -> KeepAnswer:
        from advisor.court.turn import advice

        stored, source = _stored(asking, position, [goal])
        answer = advice.keep(position, rules, goal, memory, every, asking.language, stored)
        return replace(answer, source=source)

    question = {
        "command": "keep", "position": format_position(position), "all": every,
        "goal": goal.format(),
    }  # fmt: skip
    return asking.answer(KeepAnswer, question, solve)


def keep_each(asking: Asking, position: Position, note: str | None = None) -> KeepEachAnswer:
    """Return what to do in a position for each card by itself; `note`: why there is no goal."""
    found = odds(asking, position)
    return KeepEachAnswer(
        rules=found.rules, position=found.position, goals=found.goals, source=found.source,
        goal=None, note=note,
    )  # fmt: skip


def odds(asking: Asking, position: Position, exact: bool = False) -> OddsAnswer:
    """Return each card's probability under best play for that card alone."""
    rules = asking.rules
    check_position(position, rules)

    def solve(memory: int) -> OddsAnswer:
        from advisor.court.turn import advice

        goals = [card_goal(key) for key in purchasable(position.cards, rules)]
        stored, source = _stored(asking, position, goals)
        answer = advice.odds(position, rules, goals, memory, exact, asking.language, stored)
        return replace(answer, source=source)

    question = {"command": "odds", "position": format_position(position), "exact": exact}
    return asking.answer(OddsAnswer, question, solve)


def _stored(
    asking: Asking, position: Position, goals: Sequence[Payoff]
) -> tuple[Stored | None, str]:
    """Return the stored values for a position, if any, and the source of the answer."""
    if asking.tables is None or not asking.tables.is_dir():
        return None, SOLVED
    from advisor.court.turn import stored

    try:
        values, prints = stored.probe(asking.tables, asking.rules, position.cards, goals)
    except MissingTable:
        return None, SOLVED
    except TableProblem as problem:
        asking.warn(f"{problem}; solved without it")
        return None, SOLVED
    more = f" and {len(prints) - 1} more" if len(prints) > 1 else ""
    return values, f"table {prints[0][:12]}{more}"
