"""Questions to answers: from the cache or a table where they can be trusted, solved otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from advisor.court.goals import Goal, card_goal, check_goal
from advisor.court.notation import Position, check_position, format_position
from advisor.court.rules import RuleSet, purchasable
from advisor.court.seats import Claim, Seats
from advisor.errors import MissingTable, TableProblem
from advisor.memory import default_limit
from advisor.store import AnswerCache, key_of

if TYPE_CHECKING:
    from advisor.court.record import Record
    from advisor.court.solver import Stored

Answer = dict[str, Any]


@dataclass(frozen=True)
class Asking:
    """How questions are answered.

    Rule set, language of names, memory in bytes, cache or none, folder of tables or none, and who
    hears of tables that cannot be trusted.
    """

    rules: RuleSet
    language: str = "en"
    memory: int | None = None
    cache: AnswerCache | None = None
    tables: Path | None = None
    warn: Callable[[str], None] = lambda message: None

    def answer(
        self,
        question: dict[str, Any],
        solve: Callable[[int], Answer],
        lasting: Callable[[Answer], bool] = lambda answer: True,
    ) -> Answer:
        """Return the answer to a question, with `source` saying where it came from.

        `lasting`: whether an answer is worth keeping.
        """
        key = key_of({"rules": self.rules.options(), "language": self.language, **question})
        found = self.cache.get(key) if self.cache else None
        if found is not None:
            return found | {"rules": self.rules.name, "source": "cache"}
        answer = {"source": "solved"} | solve(
            default_limit() if self.memory is None else self.memory
        )
        if self.cache and lasting(answer):
            self.cache.put(key, answer)
        source = answer.pop("source")
        return answer | {"source": source}

    def stored(self, position: Position, goals: Sequence[Goal]) -> tuple[Stored | None, Answer]:
        """Return the stored values for a position and what they say of their source, if any."""
        if self.tables is None or not self.tables.is_dir():
            return None, {}
        from advisor.court import turn_tables

        try:
            values, prints = turn_tables.probe(self.tables, self.rules, position.cards, goals)
        except MissingTable:
            return None, {}
        except TableProblem as problem:
            self.warn(f"{problem}; solved without it")
            return None, {}
        more = f" and {len(prints) - 1} more" if len(prints) > 1 else ""
        return values, {"source": f"table {prints[0][:12]}{more}"}


def keep(asking: Asking, position: Position, goal: Goal | None, every: bool = False) -> Answer:
    """Return what to do in a position: for a goal, or one row a card without one."""
    rules = asking.rules
    check_position(position, rules)
    if goal is None:
        return odds(asking, position) | {"command": "keep", "goal": None}
    check_goal(goal, position.cards, rules)

    def solve(memory: int) -> Answer:
        from advisor.court import advice

        stored, source = asking.stored(position, [goal])
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
        from advisor.court import advice

        goals = [card_goal(key) for key in purchasable(position.cards, rules)]
        stored, source = asking.stored(position, goals)
        return source | advice.odds(position, rules, goals, memory, exact, asking.language, stored)

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


def claim(
    asking: Asking,
    claimed: Claim,
    every: bool = False,
    tell: Callable[[str], None] = lambda text: None,
) -> Answer:
    """Return the chance to win by taking the King now, beside other purchases.

    `tell` hears how far it is while something is solved.
    """

    def solve(memory: int) -> Answer:
        from advisor.court import claim

        return claim.answer(claimed, asking.rules, memory, every, tell)

    return asking.answer({"command": "claim", **claimed.question(), "all": every}, solve)


def analyze(
    asking: Asking,
    record: Record,
    tell: Callable[[str], None] = lambda text: None,
) -> Answer:
    """Return the judgement of every step of a record, under the rule set of `asking`."""
    from advisor.court import analysis, estimates, prospects
    from advisor.court.record import format_record

    known = estimates.load(asking.rules, asking.tables)

    def solve(memory: int) -> Answer:
        aims = prospects.Prospects(asking.rules, memory, known)
        return analysis.analyze(record, aims, asking.language, tell)

    question = {
        "command": "analyze", "record": format_record(record), "table": known.table.checksum,
    }  # fmt: skip
    return asking.answer(question, solve)
