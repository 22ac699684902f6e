"""Table files: large arrays of values on disk, written whole or not at all, read through memmap.

`tables/README.md` has the byte format. A file's name is a digest of the question it answers; its
fingerprint also covers what the values depend on besides, the kernel's revision. This module knows
no game: a question is any JSON object.
"""

from __future__ import annotations

import hashlib
import json
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import AdvisorError, CorruptTable, ForeignTable, MissingTable, StaleTable
from advisor.storage import whole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC: Final = b"COURTTAB"
VERSION: Final = 1
ALIGNMENT: Final = 64
SUFFIX: Final = ".table"
DTYPE: Final = b"<f8"
_FIXED: Final = struct.Struct("<8sII32s8sQI")
"""Magic, format version, header bytes, fingerprint, dtype, number of values, bytes of JSON."""
_DIGEST: Final = hashlib.sha256().digest_size

Question = dict[str, Any]


class DiskProblem(AdvisorError):
    """A table cannot be written."""


@dataclass(frozen=True)
class TableFile:
    """A table found on disk, its header checked."""

    path: Path
    fingerprint: str
    question: Question
    offset: int
    count: int

    def values(self) -> NDArray[np.float64]:
        """Return the values, mapped into memory, read only."""
        import numpy as np

        return np.memmap(self.path, dtype="<f8", mode="r", offset=self.offset, shape=(self.count,))

    def checksum(self) -> str:
        """Return the SHA-256 of the contents that the file ends with, in hexadecimal digits."""
        with self.path.open("rb") as file:
            file.seek(self.offset + 8 * self.count)
            return file.read().hex()

    def check(self) -> None:
        """Raise CorruptTable unless the checksum at the end fits all bytes before it."""
        digest = hashlib.sha256()
        with self.path.open("rb") as file:
            left = self.offset + 8 * self.count
            while left:
                block = file.read(min(left, 1 << 20))
                if not block:
                    break
                digest.update(block)
                left -= len(block)
            if file.read() != digest.digest():
                raise CorruptTable(_mend(self.path, "its checksum does not fit its contents"))


def name_of(question: Question) -> str:
    """Return the file name of the table that answers a question."""
    return _digest(question)[:32] + SUFFIX


def fingerprint_of(question: Question, revision: int) -> str:
    """Return the fingerprint of all that the values depend on."""
    return _digest({"question": question, "revision": revision, "format": VERSION})


def _digest(content: Question) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# ---------------------------------------------------------------- reading


def probe(where: Path, question: Question, revision: int, check: bool = True) -> TableFile:
    """Return the table that answers a question.

    Raises MissingTable, CorruptTable, ForeignTable or StaleTable, each saying how to mend it. With
    `check` the checksum of the whole file is verified, otherwise its header and length only.
    """
    path = where / name_of(question)
    found = read_header(path)
    if check:
        found.check()
    if found.question != question:
        raise ForeignTable(
            f"table {str(path)!r} answers another question: remove it and run 'advisor precompute'"
        )
    if found.fingerprint != fingerprint_of(question, revision):
        raise StaleTable(
            f"table {str(path)!r} is of another version of the program: 'advisor precompute' "
            "makes it anew"
        )
    return found


def read_header(path: Path) -> TableFile:
    """Return the table in a file, its header and length checked."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise CorruptTable(f"{str(path)!r} is no file but stands where a table goes: remove it")
        size = status.st_size
        with path.open("rb") as file:
            fixed = file.read(_FIXED.size)
            if len(fixed) < _FIXED.size or not fixed.startswith(MAGIC):
                raise CorruptTable(_mend(path, "it does not begin like a table"))
            _, version, header, fingerprint, dtype, count, length = _FIXED.unpack(fixed)
            text = file.read(length) if length <= size else b""
    except FileNotFoundError as error:
        raise MissingTable(
            f"there is no table {path.name} in {path.parent}: 'advisor precompute' makes it"
        ) from error
    except OSError as error:
        raise CorruptTable(_mend(path, error.strerror or str(error))) from error
    if version != VERSION:
        raise StaleTable(
            f"table {str(path)!r} has format {version}, this program reads {VERSION}: "
            "'advisor precompute' makes it anew"
        )
    if header != _header_size(length) or dtype.rstrip(b"\0") != DTYPE:
        raise CorruptTable(_mend(path, "its header makes no sense"))
    if size != header + 8 * count + _DIGEST:
        raise CorruptTable(_mend(path, f"it has {size} bytes, not what its header says"))
    try:
        question = json.loads(text)["question"]
        assert isinstance(question, dict)
    except (ValueError, TypeError, KeyError, AssertionError, RecursionError) as error:
        raise CorruptTable(_mend(path, "its description cannot be read")) from error
    return TableFile(path, fingerprint.hex(), question, header, count)


def _mend(path: Path, why: str) -> str:
    return f"table {str(path)!r} is damaged ({why}): 'advisor precompute' makes it anew"


def all_tables(where: Path) -> Iterator[Path]:
    """Yield the paths of all table files in a folder, sorted."""
    yield from sorted(where.glob("*" + SUFFIX))


# ---------------------------------------------------------------- writing


def write(where: Path, question: Question, revision: int, values: NDArray[np.float64]) -> TableFile:
    """Write a table beside its final name, sync it, and only then give it that name.

    Raises DiskProblem; whatever was there before stays as it was.
    """
    import numpy as np

    fingerprint = fingerprint_of(question, revision)
    text = json.dumps({"question": question, "revision": revision}, sort_keys=True).encode()
    header = _header_size(len(text))
    fixed = _FIXED.pack(
        MAGIC, VERSION, header, bytes.fromhex(fingerprint), DTYPE, values.size, len(text)
    )
    content = np.ascontiguousarray(values, dtype=DTYPE.decode())
    path = where / name_of(question)
    with writing(where):
        where.mkdir(parents=True, exist_ok=True)
        with whole.replacing(path, sync=True) as file:
            digest = hashlib.sha256()
            for part in ((fixed + text).ljust(header, b"\0"), content.tobytes()):
                file.write(part)
                digest.update(part)
            file.write(digest.digest())
    return TableFile(path, fingerprint, question, header, values.size)


@contextmanager
def writing(where: Path) -> Iterator[None]:
    """Turn trouble with the disk into a DiskProblem about the folder."""
    try:
        yield
    except TimeoutError:
        raise
    except OSError as error:
        raise DiskProblem(
            f"cannot write into {str(where)!r}: {error.strerror or error}; what was finished "
            "before stays, and the same command goes on from there"
        ) from error


def remove_drafts(where: Path, question: Question) -> None:
    """Remove what killed writers of one table left behind; only its owner may call this."""
    whole.remove_drafts(where / name_of(question))


def _header_size(text: int) -> int:
    return -(-(_FIXED.size + text) // ALIGNMENT) * ALIGNMENT
