"""Files that a command writes for its user: whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from advisor.errors import InvalidOption


def check(file: str, option: str, endings: tuple[str, ...]) -> None:
    """Raise InvalidOption unless the file of an option has a known ending and a folder."""
    if Path(file).suffix.lower() not in endings:
        raise InvalidOption(f"{option} {file!r}: the name must end in {' or '.join(endings)}")
    if not Path(file).resolve().parent.is_dir():
        raise InvalidOption(f"{option} {file!r}: the folder does not exist; create it first")


def save(file: str, option: str, write: Callable[[Path], object]) -> None:
    """Let `write` make a draft and put it in place of the file; raises InvalidOption."""
    path = Path(file)
    draft = path.with_name(f".{path.name}.draft")
    try:
        write(draft)
        draft.replace(path)
    except OSError as error:
        raise InvalidOption(
            f"{option} {file!r} cannot be written: {error.strerror or error}"
        ) from error
    finally:
        draft.unlink(missing_ok=True)
