"""Locks that end with their process, however that ends: the operating system's own."""

from __future__ import annotations

from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout


def take(file: Path) -> BaseFileLock | None:
    """Return the lock of a file, held by this process now; None if another one has it.

    Raises OSError where no lock can be made.
    """
    lock = FileLock(file)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return None
    return lock
