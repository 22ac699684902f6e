"""Exact solver and strategy advisor for the dice game To Court the King.

    import advisor
    advisor.keep("16/225:Fa,Hu,Me-La", goal="knight")

The questions that the command line answers, as functions: docs/python.md. They load when they are
first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from advisor.court.questions import (
        Settings,
        analyze,
        buy,
        cards,
        claim,
        final,
        keep,
        odds,
        shared,
        turns,
    )
    from advisor.errors import AdvisorError

__version__ = "0.2.0"

KERNEL_REVISION = 1
"""Raised whenever a value could change in a single bit; part of every table's fingerprint."""

__all__ = [
    "KERNEL_REVISION",
    "AdvisorError",
    "Settings",
    "__version__",
    "analyze",
    "buy",
    "cards",
    "claim",
    "final",
    "keep",
    "odds",
    "shared",
    "turns",
]

_QUESTIONS: Final = "advisor.court.questions"


def __getattr__(name: str) -> Any:
    """Return what is loaded late: questions and the errors they raise."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module("advisor.errors" if name == "AdvisorError" else _QUESTIONS), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
