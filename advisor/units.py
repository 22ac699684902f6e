"""How much memory there is and how sizes are written."""

from __future__ import annotations

import os
import re
from typing import Final

from advisor.errors import InvalidOption
from advisor.text import quoted

_UNITS: Final = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_FALLBACK: Final = 4 << 30


def default_limit() -> int:
    """Return half of the machine's memory in bytes, or of the container's limit if lower."""
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        total = _FALLBACK
    return min(total, _container_limit() or total) // 2


def _container_limit() -> int | None:
    try:
        with open("/sys/fs/cgroup/memory.max", encoding="ascii") as file:
            return int(file.read())
    except (OSError, ValueError):
        return None


def parse_bytes(text: str) -> int:
    """Return the number of bytes in a size such as 500M or 8G."""
    found = re.fullmatch(
        r"\s*([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([KMGT]?)(?:i?B)?\s*", text, re.IGNORECASE
    )
    if not found or not float(found[1]):
        raise InvalidOption(f"{quoted(text)} is no size: write for example 500M or 8G")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def show_bytes(number: float) -> str:
    """Return a size for people, for example 1.5 GiB."""
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if number < 1024:
            return f"{number:.0f} {unit}" if unit == "bytes" else f"{number:.1f} {unit}"
        number /= 1024
    return f"{number:.1f} TiB"
