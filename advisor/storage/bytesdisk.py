"""A diskcache `Disk` that never unpickles; apart from `store` so that diskcache loads late."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import MODE_PICKLE, MODE_RAW


class BytesDisk(diskcache.Disk):  # type: ignore[misc]
    """Keys are text, values are bytes; whatever else is found or given is refused."""

    def put(self, key: Any) -> tuple[Any, bool]:
        """Return the text of a key for the database."""
        if not isinstance(key, str):
            raise ValueError(f"key {key!r} is not a text")
        return key, True

    def get(self, key: Any, raw: bool) -> Any:
        """Return a key from the database."""
        if not raw or not isinstance(key, str):
            raise ValueError("a key of the cache is not a text")
        return key

    def store(self, value: Any, read: bool, key: Any = None) -> Any:
        """Store bytes inside the database, never in files beside it."""
        if read or not isinstance(value, bytes):
            raise ValueError("only bytes are cached")
        return 0, MODE_RAW, None, value

    def fetch(self, mode: int, filename: Any, value: Any, read: bool) -> Any:
        """Return stored bytes; a pickled or outside value is refused unread."""
        if mode == MODE_PICKLE or mode != MODE_RAW or filename is not None or read:
            raise ValueError("an entry of the cache is not plain bytes")
        return bytes(value) if isinstance(value, bytes | memoryview) else value

    def remove(self, file_path: Any) -> None:
        """Delete nothing: this cache has no files beside its database."""


def open_cache(folder: Path, size_limit: int) -> diskcache.Cache:
    """Return the cache in a folder that only its owner may enter."""
    folder.chmod(0o700)
    return diskcache.Cache(
        str(folder),
        timeout=5,
        # Nothing mapped into memory: a database cut short by others must not end the program.
        sqlite_mmap_size=0,
        sqlite_journal_mode="delete",
        # What a power cut damages is made anew, so nothing has to wait for the disk.
        sqlite_synchronous=0,
        disk=BytesDisk,
        size_limit=size_limit,
        eviction_policy="least-recently-stored",
    )
