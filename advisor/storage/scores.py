"""A personal record: one JSON object a line in the user's data folder, only ever added to.

Each line ends with a checksum of its object. A line without one, as they once were or as somebody
wrote it by hand, is read as it stands.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from typing import Any, Final

from advisor.errors import DataProblem
from advisor.storage import places

Entry = dict[str, Any]

DIGITS: Final = 16
"""Hexadecimal digits of the checksum of a line."""


class Scores:
    """The entries in one file of the data folder."""

    def __init__(self, name: str) -> None:
        self.path = places.data() / f"{name}.jsonl"

    def check(self) -> None:
        """Raise DataProblem unless entries can be added."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("ab"):
                pass
        except OSError as error:
            raise self._problem("written", error) from error

    def add(self, entry: Entry) -> None:
        """Add an entry and flush it; what a line cut off before has left stays a line of its own.

        Raises DataProblem.
        """
        self.check()
        text = json.dumps(entry, ensure_ascii=False).encode()
        line = text + b" " + _checksum(text) + b"\n"
        try:
            # One write, so that programs that run at the same time do not mix their lines.
            with self.path.open("ab+") as file:
                file.write(line if _whole(file) else b"\n" + line)
        except OSError as error:
            raise self._problem("written", error) from error

    def read(self, warn: Callable[[str], None]) -> list[Entry]:
        """Return the entries; `warn` hears of lines that are none. Raises DataProblem."""
        try:
            lines = self.path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._problem("read", error) from error
        found = []
        for number, line in enumerate(lines, 1):
            entry = _entry(line)
            if entry is not None:
                found.append(entry)
            elif line.strip():
                warn(f"{str(self.path)!r}, line {number} is no entry and is left out")
        return found

    def _problem(self, what: str, error: OSError) -> DataProblem:
        return DataProblem(
            f"{str(self.path)!r} cannot be {what}: {error.strerror or error}; ADVISOR_DATA chooses "
            "another folder"
        )


def _whole(file: Any) -> bool:
    """Return whether a file is empty or ends with a whole line."""
    if not file.seek(0, os.SEEK_END):
        return True
    file.seek(-1, os.SEEK_END)
    return bool(file.read(1) == b"\n")


def _checksum(text: bytes) -> bytes:
    return hashlib.sha256(text).hexdigest()[:DIGITS].encode()


def _entry(line: bytes) -> Entry | None:
    text, _, mark = line.strip().rpartition(b" ")
    if not re.fullmatch(rb"[0-9a-f]{%d}" % DIGITS, mark):
        text = line
    elif _checksum(text) != mark:
        return None
    try:
        entry = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
