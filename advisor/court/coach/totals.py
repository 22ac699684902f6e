"""How well questions of the quiz were answered, from the entries of the personal record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from advisor.court.coach.answers import QuizLevel
from advisor.storage.scores import Entry


def levels(entries: Sequence[Entry]) -> tuple[QuizLevel, ...]:
    """Return how well was answered, by level, rule set and unit.

    Entries that lack something are left out.
    """
    groups: dict[tuple[int, str, str], list[Entry]] = defaultdict(list)
    for entry in entries:
        if _complete(entry):
            groups[entry["level"], entry["rules"], entry["unit"]].append(entry)
    return tuple(
        QuizLevel(
            level=level,
            rules=rules,
            unit=unit,
            questions=len(group),
            at_once=sum(entry["right"] and len(entry["losses"]) == 1 for entry in group),
            second_try=sum(entry["right"] and len(entry["losses"]) > 1 for entry in group),
            mean_loss=sum(entry["losses"][0] for entry in group) / len(group),
        )
        for (level, rules, unit), group in sorted(groups.items())
    )


def _complete(entry: Entry) -> bool:
    losses = entry.get("losses")
    return (
        isinstance(entry.get("level"), int)
        and all(isinstance(entry.get(key), str) for key in ("rules", "unit"))
        and isinstance(entry.get("right"), bool)
        and isinstance(losses, list)
        and bool(losses)
        and all(isinstance(loss, int | float) for loss in losses)
    )
