"""TOML texts that users write."""

from __future__ import annotations

import tomllib
from typing import Any


def parse(text: str) -> dict[str, Any]:
    """Return what a TOML text says; whatever is wrong with it is a ValueError."""
    try:
        data = tomllib.loads(text)
        repr(data)  # Fails here, and not in an error that quotes a value, if that is possible.
    except RecursionError:
        raise ValueError("it is nested too deeply; look for brackets not closed") from None
    return data
