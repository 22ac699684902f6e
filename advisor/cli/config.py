"""The user's defaults: flag, then ADVISOR_* variable, then the config file, then the default."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from advisor.errors import InvalidOption
from advisor.storage import places, toml

CONFIGURABLE: Final = ("rules", "lang", "memory", "color", "cache", "tables")


def read_config() -> dict[str, Any]:
    """Return the user's defaults from the file that ADVISOR_CONFIG names, or from the usual one.

    Raises InvalidOption for a file that cannot be read, or a named one that is not there.
    """
    path = places.config()
    try:
        config = toml.parse(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        if os.environ.get("ADVISOR_CONFIG"):
            raise InvalidOption(
                f"config file {str(path)!r}, which ADVISOR_CONFIG names, is not there: create it, "
                "or unset ADVISOR_CONFIG"
            ) from error
        return {}
    except (OSError, ValueError) as error:
        raise InvalidOption(f"config file {str(path)!r} cannot be read: {error}") from error
    unknown = sorted(set(config) - set(CONFIGURABLE))
    if unknown:
        raise InvalidOption(
            f"config file {str(path)!r} sets {', '.join(unknown)}, which does not exist; "
            f"it can set {', '.join(CONFIGURABLE)}"
        )
    for name, value in config.items():
        _check(path, name, value)
    return config


def _check(path: Path, name: str, value: object) -> None:
    if name == "memory" and type(value) is int and value > 0:
        return
    kind = bool if name == "cache" else str
    if type(value) is not kind:
        wanted = "true or false" if kind is bool else "a text in quotes"
        raise InvalidOption(
            f"config file {str(path)!r}: {name} = {value!r} is not {wanted}; correct it"
        )
