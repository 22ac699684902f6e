"""Text from outside that is to be shown."""

from __future__ import annotations

from typing import Final

REPEATED: Final = 60
"""Letters of a text from outside that a message repeats."""


def cleaned(text: str) -> str:
    """Return a text with a blank for whatever a terminal would not print but obey."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def printable(text: str) -> str:
    """Return a text in single spaces without what a terminal would not print but obey."""
    return " ".join(cleaned(text).split())


def brief(text: str) -> str:
    """Return a text fit to be repeated in a message: printable and not too long."""
    return text if len(text := printable(text)) <= REPEATED else f"{text[:REPEATED]}..."


def quoted(value: object) -> str:
    """Return what came from outside as a message repeats it: in quotes, escaped, not too long."""
    if not isinstance(value, str):
        return brief(repr(value))
    return repr(value) if len(value) <= REPEATED else f"{value[:REPEATED]!r}..."
