"""Records as files: only ever added to, each line flushed as it is written."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import date
from pathlib import Path
from types import TracebackType
from typing import IO, BinaryIO, Final

from filelock import BaseFileLock

from advisor.court.play.header import Header, Line
from advisor.court.play.moves import Step
from advisor.court.play.record import Record, Warn, parse_record
from advisor.errors import InvalidRecord
from advisor.storage import locks, places

FOLDER: Final = "games"
"""Where new games are kept, in the user's data folder."""
LARGEST: Final = 1_000_000
"""Bytes of a record: a long game of five has some 100,000."""


def free_name(seed: int) -> Path:
    """Return where a new game is kept, by date and seed, making the folder."""
    folder = places.data() / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidRecord(
            f"folder {str(folder)!r} cannot be made: {error}; choose a file with --record"
        ) from error
    name = f"{date.today()}-seed{seed}"
    files = [
        folder / f"{name}.txt",
        *(folder / f"{name}-{number}.txt" for number in range(2, 1000)),
    ]
    return next((file for file in files if not file.exists()), files[-1])


def read_record(where: Path, warn: Warn, check_dice: bool = False) -> Record:
    """Return the record of a file, see `record_from`."""
    return _read(_bytes(where), str(where), warn, check_dice)


def record_from(file: BinaryIO, name: str, warn: Warn, check_dice: bool = False) -> Record:
    """Return the record that a file open for reading holds.

    A last line without its end that cannot be read was cut off: it is left out, `warn` hears of it.
    """
    return _read(_some(file, name), name, warn, check_dice)


def _read(data: bytes, name: str, warn: Warn, check_dice: bool) -> Record:
    text = _text(data, name)
    try:
        return parse_record(text, None, check_dice)
    except InvalidRecord:
        if text.endswith("\n"):
            raise
        return parse_record(text, warn, check_dice)


def _bytes(where: Path) -> bytes:
    try:
        with where.open("rb") as file:
            return _some(file, str(where))
    except OSError as error:
        raise InvalidRecord(
            f"record {str(where)!r} cannot be read: {error.strerror or error}"
        ) from error


def _some(file: BinaryIO, name: str) -> bytes:
    """Return the bytes of a file; raises InvalidRecord for more than a record can have."""
    data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise InvalidRecord(
            f"record {name!r} is larger than {LARGEST} bytes: no game is so long; give another file"
        )
    return data


def _text(data: bytes, name: str) -> str:
    whole, end, last = data.removeprefix(BOM_UTF8).rpartition(b"\n")
    try:
        text = (whole + end).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecord(
            f"record {name!r} is no text in UTF-8 ({error}); save it as such"
        ) from error
    # Half a letter at the end belongs to the line that was cut off.
    return text.replace("\r\n", "\n") + last.decode("utf-8", "replace")


class RecordFile:
    """A record that is written while it is played."""

    def __init__(self, where: Path, record: Record, file: IO[bytes], held: ExitStack) -> None:
        self.where, self.record, self._file, self._held = where, record, file, held

    @classmethod
    def begin(cls, where: Path, header: Header) -> RecordFile:
        """Begin a new file; raises InvalidRecord if it is there already or cannot be written."""
        record = Record(header)
        try:
            file = where.open("xb", buffering=0)
        except FileExistsError as error:
            raise InvalidRecord(
                f"record {str(where)!r} is there already: resume it or choose another name"
            ) from error
        except OSError as error:
            raise _unwritable(where, error) from error
        with ExitStack() as held:
            held.callback(file.close)
            held.enter_context(_alone(where))
            begun = cls(where, record, file, held)
            for line in header.lines():
                begun._write(line)
            begun._held = held.pop_all()
        return begun

    @classmethod
    def resume(cls, where: Path, warn: Warn) -> RecordFile:
        """Open a file to go on where it ends; a line that was cut off is cut away.

        Raises InvalidRecord if somebody else has it open to write.
        """
        with ExitStack() as held:
            held.enter_context(_alone(where))
            text = _text(_bytes(where), str(where))
            record = parse_record(text, warn)
            try:
                if not text.endswith("\n"):
                    data = where.read_bytes()
                    with where.open("r+b") as whole:
                        whole.truncate(data.rfind(b"\n") + 1)
                file = held.enter_context(where.open("ab", buffering=0))
            except OSError as error:
                raise _unwritable(where, error) from error
            return cls(where, record, file, held.pop_all())

    def add(self, step: str | Step, comment: str | None = None) -> Line:
        """Add a step or `undo` to the record and the file; nothing if it is impossible."""
        line = self.record.add(step, comment)
        self._write(line.written())
        return line

    def note(self, comment: str) -> Line:
        """Add a comment."""
        line = self.record.note(comment)
        self._write(line.written())
        return line

    def _write(self, line: str) -> None:
        left = f"{line}\n".encode()
        try:
            # A disk that runs full takes a part first.
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise _unwritable(self.where, error) from error

    def close(self) -> None:
        """Close the file; the record stays."""
        self._held.close()

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.close()
        except OSError as problem:
            # What went wrong first says more.
            if error is None:
                raise _unwritable(self.where, problem) from problem


@contextmanager
def _alone(where: Path) -> Iterator[None]:
    """Hold the lock of a record as long as it is written; raises InvalidRecord if it is taken."""
    file = where.resolve()
    if not file.exists():
        raise InvalidRecord(f"record {str(where)!r} cannot be read: there is no such file")
    try:
        lock = locks.take(file.with_name(f".{file.name}.lock"))
    except OSError as error:
        raise _unwritable(where, error) from error
    if lock is None:
        raise InvalidRecord(
            f"record {str(where)!r} is being played already: end that game first, or go on with a "
            "copy of the record"
        )
    try:
        yield
    finally:
        _free(lock)


def _free(lock: BaseFileLock) -> None:
    # While it is held, so that nobody else's is removed; some systems do that by themselves.
    with suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()


def _unwritable(where: Path, error: OSError) -> InvalidRecord:
    return InvalidRecord(
        f"record {str(where)!r} cannot be written: {error.strerror or error}; choose another "
        "place for it"
    )
