"""Text from outside that is to be shown."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return a text in single spaces without what a terminal would not print but obey."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
