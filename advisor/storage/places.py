"""Every folder that the program reads or writes, decided here and nowhere else.

What the user keeps, what can be made again and what comes with the program lie apart; an
environment variable moves each of the user's.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from advisor.errors import InvalidOption

APP: Final = "court-advisor"
PACKAGE: Final = Path(__file__).parents[1]
"""The installed package."""


def answers() -> Path:
    """Return the folder of the answer cache; ADVISOR_CACHE moves it."""
    chosen = _chosen("ADVISOR_CACHE")
    if chosen is None:
        import platformdirs

        chosen = Path(platformdirs.user_cache_dir(APP, appauthor=False))
    # A folder of its own: the mode of the chosen one is the user's.
    return chosen / "answers"


def data() -> Path:
    """Return the folder of what the user keeps: games, scores; ADVISOR_DATA moves it."""
    return _chosen("ADVISOR_DATA") or _user_data()


def tables() -> Path:
    """Return the folder of the user's tables; ADVISOR_TABLES moves it."""
    return _chosen("ADVISOR_TABLES") or _user_data() / "tables"


def config() -> Path:
    """Return the file of the user's defaults; ADVISOR_CONFIG names another one."""
    chosen = _chosen("ADVISOR_CONFIG")
    if chosen is not None:
        return chosen
    import platformdirs

    return Path(platformdirs.user_config_dir(APP, appauthor=False)) / "config.toml"


def shipped() -> Path:
    """Return the folder of the tables that come with the program: in a checkout, or installed."""
    installed = PACKAGE / "shipped"
    return installed if installed.is_dir() else PACKAGE.parent / "tables"


def _chosen(variable: str) -> Path | None:
    path = os.environ.get(variable)
    if not path:
        return None
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise InvalidOption(
            f"{variable} {path!r}: there is no user of that name; write the whole path"
        ) from error


def _user_data() -> Path:
    import platformdirs

    return Path(platformdirs.user_data_dir(APP, appauthor=False))
