"""The answer cache: small answers on disk, as bytes of our own format, never pickled.

diskcache unpickles what it finds unless told otherwise, and whoever can write its folder could run
code through that. `BytesDisk` stores and reads bytes and text only; `AnswerCache` wraps every
answer with a magic number and a checksum, so that a damaged entry is recomputed, never believed.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from advisor import __version__
from advisor.answers import Answer
from advisor.errors import AdvisorError
from advisor.storage import places

if TYPE_CHECKING:
    from diskcache import Cache

MAGIC: Final = b"CRTANS2\n"
Warn = Callable[[str], None]

SIZE_LIMIT: Final = 256 << 20
"""Bytes of answers that are kept; the least recently stored go first."""


class CacheProblem(AdvisorError):
    """The answer cache cannot be read or written at all."""


@lru_cache(maxsize=1)
def program_fingerprint() -> str:
    """Return a digest of the program's own files, the compiled kernel included."""
    package = places.PACKAGE
    digest = hashlib.sha256(__version__.encode())
    for file in sorted(
        [*package.rglob("*.py"), *package.glob("_kernel*.so"), *package.glob("_kernel*.pyd")]
    ):
        digest.update(str(file.relative_to(package)).encode() + file.read_bytes())
    return digest.hexdigest()


def key_of(question: dict[str, Any]) -> str:
    """Return the key of a question: all that its answer depends on, the program included."""
    text = json.dumps({"program": program_fingerprint(), **question}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def seal(key: str, answer: dict[str, Any]) -> bytes:
    """Return the answer of a question as bytes: magic, SHA-256 of key and JSON, JSON."""
    body = json.dumps(answer, ensure_ascii=False).encode()
    return MAGIC + _digest(key, body) + body


def _digest(key: str, body: bytes) -> bytes:
    return hashlib.sha256(key.encode() + b"\0" + body).digest()


def unseal(key: str, data: object) -> dict[str, Any] | None:
    """Return the answer, or None if the bytes are not exactly what `seal` made for this key.

    So a database that hands out another question's entry is not believed.
    """
    if not isinstance(data, bytes) or not data.startswith(MAGIC):
        return None
    start = len(MAGIC) + hashlib.sha256().digest_size
    digest, body = data[len(MAGIC) : start], data[start:]
    if _digest(key, body) != digest:
        return None
    answer = json.loads(body)
    return answer if isinstance(answer, dict) else None


@dataclass(frozen=True, kw_only=True, repr=False)
class CacheInfo(Answer):
    """How many answers a folder keeps, how large they are and may become, in bytes."""

    command: ClassVar[str] = "cache info"

    folder: str
    entries: int
    bytes: int
    limit: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Cleared(Answer):
    """How many answers were removed."""

    command: ClassVar[str] = "cache clear"

    removed: int


class AnswerCache:
    """Answers by question. Trouble with single entries, or with the disk, costs only time.

    `warn` hears once of a folder that cannot be used at all.
    """

    def __init__(self, folder: Path | None = None, warn: Warn = lambda message: None) -> None:
        self.folder = places.answers() if folder is None else folder
        self._warn = warn
        self._cache: Cache | None = None
        """Open from the first look on: opening takes much longer than looking."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the answer stored under the key, or None if there is none that can be trusted."""
        try:
            if not self.folder.is_dir():
                return None
            with self._open() as cache:
                return unseal(key, cache.get(key))
        except Exception:  # a damaged database can make diskcache raise anything
            return None

    def put(self, key: str, answer: dict[str, Any]) -> bool:
        """Store an answer; return whether that worked (a full or read-only disk is no failure)."""
        for _ in range(2):
            try:
                with self._open() as cache:
                    return bool(cache.set(key, seal(key, answer)))
            except sqlite3.OperationalError:  # locked, full or read-only: the answer is not kept
                return False
            except sqlite3.DatabaseError:
                self._start_over()
            except OSError as error:
                self._useless(error)
                return False
            except Exception:  # as in `get`
                return False
        return False

    def _useless(self, error: OSError) -> None:
        self._warn(
            f"the answer cache in {str(self.folder)!r} cannot be used "
            f"({error.strerror or error}): answered without it; ADVISOR_CACHE chooses another one"
        )
        self._warn = lambda message: None

    def info(self) -> CacheInfo:
        """Return how much is kept."""
        entries, size = 0, 0
        with self._explained():
            if self.folder.is_dir():
                with self._open() as cache:
                    entries, size = len(cache), int(cache.volume())
        return CacheInfo(folder=str(self.folder), entries=entries, bytes=size, limit=SIZE_LIMIT)

    def clear(self) -> Cleared:
        """Remove every entry; a broken database goes whole."""
        with self._explained():
            if not self.folder.is_dir():
                return Cleared(removed=0)
        try:
            with self._open() as cache:
                return Cleared(removed=int(cache.clear()))
        except Exception:  # as in `get`
            with self._explained():
                self._start_over()
            return Cleared(removed=0)

    def _start_over(self) -> None:
        self.close()
        for file in self.folder.glob("cache.db*"):
            file.unlink()

    @contextmanager
    def _open(self) -> Iterator[Cache]:
        if self._cache is None:
            from advisor.storage.bytesdisk import open_cache

            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._cache = open_cache(self.folder, SIZE_LIMIT)
        try:
            yield self._cache
        except Exception:
            self.close()
            raise

    def close(self) -> None:
        """Let the database go; the next look opens it again."""
        cache, self._cache = self._cache, None
        if cache is not None:
            with suppress(Exception):  # as in `get`
                cache.close()

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # as in `get`
            raise CacheProblem(
                f"the answer cache in {self.folder} cannot be used ({error}): "
                "run 'advisor cache clear', or set ADVISOR_CACHE to another folder"
            ) from error
