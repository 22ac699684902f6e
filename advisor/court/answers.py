"""Questions to answers: from the cache where it can be trusted, solved otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from advisor.court.goals import Goal, check_goal
from advisor.court.notation import Position, check_position, format_position
from advisor.court.rules import RuleSet
from advisor.court.seats import Claim, Seats
from advisor.memory import default_limit
from advisor.store import AnswerCache, key_of

Answer = dict[str, Any]


@dataclass(frozen=True)
class Asking:
    """How questions are answered: rule set, language of names, memory in bytes, cache or none."""

    rules: RuleSet
    language: str = "en"
    memory: int | None = None
    cache: AnswerCache | None = None

    def answer(self, question: dict[str, Any], solve: Callable[[int], Answer]) -> Answer:
        """Return the answer to a question, with `source` saying where it came from."""
        key = key_of({"rules": self.rules.options(), "language": self.language, **question})
        found = self.cache.get(key) if self.cache else None
        if found is not None:
            return found | {"rules": self.rules.name, "source": "cache"}
        answer = solve(default_limit() if self.memory is None else self.memory)
        if self.cache:
            self.cache.put(key, answer)
        return answer | {"source": "solved"}


def keep(asking: Asking, position: Position, goal: Goal | None, every: bool = False) -> Answer:
    """Return what to do in a position: for a goal, or one row a card without one."""
    rules = asking.rules
    check_position(position, rules)
    if goal is not None:
        check_goal(goal, position.cards, rules)

    def solve(memory: int) -> Answer:
        from advisor.court import advice

        if goal is None:
            return advice.keep_all(position, rules, memory, asking.language)
        return advice.keep(position, rules, goal, memory, every, asking.language)

    question = {
        "command": "keep",
        "position": format_position(position),
        "all": every,
        "goal": goal.format() if goal else None,
    }
    return asking.answer(question, solve)


def odds(asking: Asking, position: Position, exact: bool = False) -> Answer:
    """Return each card's probability under best play for that card alone."""
    check_position(position, asking.rules)

    def solve(memory: int) -> Answer:
        from advisor.court import advice

        return advice.odds_answer(position, asking.rules, memory, exact, asking.language)

    question = {"command": "odds", "position": format_position(position), "exact": exact}
    return asking.answer(question, solve)


def final(
    asking: Asking, seats: Seats, position: Position | None = None, every: bool = False
) -> Answer:
    """Return each player's chance to win the final round, and what to do in a position of it."""

    def solve(memory: int) -> Answer:
        from advisor.court import final_round

        return final_round.answer(seats, asking.rules, memory, position, every, asking.language)

    question = {
        "command": "final",
        **seats.question(),
        "position": format_position(position) if position else None,
        "all": every,
    }
    return asking.answer(question, solve)


def claim(asking: Asking, claimed: Claim, every: bool = False) -> Answer:
    """Return the chance to win by taking the King now, beside other purchases."""

    def solve(memory: int) -> Answer:
        from advisor.court import claim

        return claim.answer(claimed, asking.rules, memory, every)

    return asking.answer({"command": "claim", **claimed.question(), "all": every}, solve)
