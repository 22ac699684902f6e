"""Answers of `keep` for a goal and of `odds`, from the cache or a table where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from advisor.court.asking import Answer, Asking
from advisor.court.rules.notation import Position, check_position, format_position
from advisor.court.rules.options import purchasable
from advisor.court.turn.goals import Goal, card_goal, check_goal
from advisor.errors import MissingTable, TableProblem

if TYPE_CHECKING:
    from advisor.court.turn.solver import Stored


def keep(asking: Asking, position: Position, goal: Goal | None, every: bool = False) -> Answer:
    """Return what to do in a position: for a goal, or one row a card without one."""
    rules = asking.rules
    check_position(position, rules)
    if goal is None:
        return odds(asking, position) | {"command": "keep", "goal": None}
    check_goal(goal, position.cards, rules)

    def solve(memory: int) -> Answer:
        from advisor.court.turn import advice

        stored, source = _stored(asking, position, [goal])
        return source | advice.keep(position, rules, goal, memory, every, asking.language, stored)

    question = {
        "command": "keep", "position": format_position(position), "all": every,
        "goal": goal.format(),
    }  # fmt: skip
    return asking.answer(question, solve)


def odds(asking: Asking, position: Position, exact: bool = False) -> Answer:
    """Return each card's probability under best play for that card alone."""
    rules = asking.rules
    check_position(position, rules)

    def solve(memory: int) -> Answer:
        from advisor.court.turn import advice

        goals = [card_goal(key) for key in purchasable(position.cards, rules)]
        stored, source = _stored(asking, position, goals)
        return source | advice.odds(position, rules, goals, memory, exact, asking.language, stored)

    question = {"command": "odds", "position": format_position(position), "exact": exact}
    return asking.answer(question, solve)


def _stored(
    asking: Asking, position: Position, goals: Sequence[Goal]
) -> tuple[Stored | None, Answer]:
    """Return the stored values for a position and what they say of their source, if any."""
    if asking.tables is None or not asking.tables.is_dir():
        return None, {}
    from advisor.court.turn import stored

    try:
        values, prints = stored.probe(asking.tables, asking.rules, position.cards, goals)
    except MissingTable:
        return None, {}
    except TableProblem as problem:
        asking.warn(f"{problem}; solved without it")
        return None, {}
    more = f" and {len(prints) - 1} more" if len(prints) > 1 else ""
    return values, {"source": f"table {prints[0][:12]}{more}"}
