"""How questions are answered: from the cache where it can be trusted, solved otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from advisor.answers import Answer
from advisor.court.rules.options import RuleSet
from advisor.storage.answers import AnswerCache, key_of
from advisor.units import default_limit

SOLVED: Final = "solved"
"""The source of an answer that was worked out for the question."""


@dataclass(frozen=True, kw_only=True, repr=False)
class Sourced(Answer):
    """An answer for a rule set; `source` is `solved`, `cache` or the table it was read from."""

    rules: str
    source: str

    def to_dict(self) -> dict[str, Any]:
        """Return the object that the command writes with --json, the source at its end."""
        found = super().to_dict()
        return found | {"source": found.pop("source")}


Answered = TypeVar("Answered", bound=Sourced)


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
        kind: type[Answered],
        question: dict[str, Any],
        solve: Callable[[int], Answered],
        lasting: Callable[[Answered], bool] = lambda answer: True,
    ) -> Answered:
        """Return the answer to a question, from the cache if it is there: its `source` says so.

        `solve` takes the memory in bytes; `lasting`: whether an answer is worth keeping.
        """
        key = key_of({"rules": self.rules.options(), "language": self.language, **question})
        found = self.cache.get(key) if self.cache else None
        if found is not None:
            return kind.from_dict(found | {"rules": self.rules.name, "source": "cache"})
        answer = solve(default_limit() if self.memory is None else self.memory)
        if self.cache and lasting(answer):
            self.cache.put(key, answer.to_dict())
        return answer
