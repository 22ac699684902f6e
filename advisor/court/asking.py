"""How questions are answered: from the cache where it can be trusted, solved otherwise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from advisor.court.rules.options import RuleSet
from advisor.storage.answers import AnswerCache, key_of
from advisor.units import default_limit

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
