"""Files written whole or not at all: the one writer of everything but logs that only grow.

A draft gets a name that nobody can guess and is opened exclusively beside its target, so that no
link or file somebody put there is written through. A link at the target stays a link: what it
points to is replaced. Anything else that is no plain file is refused.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

from advisor.errors import InvalidOption

DRAFT: Final = ".draft"
"""How the name of a draft ends; it begins with a point and the name of its target."""


@contextmanager
def replacing(path: Path, sync: bool = False) -> Iterator[IO[bytes]]:
    """Give a new file that takes the place of `path` at the end, unless an error comes first.

    `sync`: only once its bytes are on the disk. Raises OSError; then all is as it was.
    """
    target = path.resolve()
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        raise OSError(f"{path.name} is there already and is no file")
    handle, name = tempfile.mkstemp(DRAFT, f".{target.name}.", target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            if sync:
                os.fsync(file.fileno())
        _like_any_new_file(name)
        os.replace(name, target)
        if sync:
            _sync_folder(target.parent)
    finally:
        with suppress(OSError):
            os.unlink(name)


def remove_drafts(path: Path) -> None:
    """Remove what killed writers of a file left behind; only its owner may call this."""
    for draft in path.parent.glob(f".{path.stem}.*{DRAFT}"):
        with suppress(OSError):
            draft.unlink()


def _like_any_new_file(name: str) -> None:
    """Give a draft, which only its owner can read, the mode that files have here."""
    mask = os.umask(0)
    os.umask(mask)
    os.chmod(name, 0o666 & ~mask)


def _sync_folder(where: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(where, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# ---------------------------------------------------------------- files that a user names


def check(file: str, option: str, endings: tuple[str, ...]) -> None:
    """Raise InvalidOption unless the file of an option has a known ending and a folder."""
    if Path(file).suffix.lower() not in endings:
        raise InvalidOption(f"{option} {file!r}: the name must end in {' or '.join(endings)}")
    if not Path(file).resolve().parent.is_dir():
        raise InvalidOption(f"{option} {file!r}: the folder does not exist; create it first")


def save(file: str, option: str, write: Callable[[IO[bytes]], object]) -> None:
    """Let `write` fill the file of an option; raises InvalidOption."""
    try:
        with replacing(Path(file)) as draft:
            write(draft)
    except OSError as error:
        raise InvalidOption(
            f"{option} {file!r} cannot be written: {error.strerror or error}"
        ) from error
