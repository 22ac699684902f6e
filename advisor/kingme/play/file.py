"""Records as files: only ever added to, each line flushed as it is written."""

from __future__ import annotations

from codecs import BOM_UTF8
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final

from advisor.errors import InvalidRecord
from advisor.kingme.rules.record import Header, Line, Record, Warn, parse_record
from advisor.storage import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from advisor.kingme.rules.game import Move

FOLDER: Final = "kingme"
"""Where new games are kept, in the user's data folder."""


def free_name(seed: int) -> Path:
    """Return where a new game is kept, by its seed, making the folder."""
    folder = places.data() / FOLDER
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidRecord(
            f"folder {str(folder)!r} cannot be made: {error}; choose a file with --record"
        ) from error
    names = (f"seed{seed}.txt", *(f"seed{seed}-{number}.txt" for number in range(2, 1000)))
    files = [folder / name for name in names]
    return next((file for file in files if not file.exists()), files[-1])


def read_record(where: Path, warn: Warn) -> Record:
    """Return the record of a file, see `record_of`."""
    return record_of(_bytes(where), str(where), warn)


def record_of(data: bytes, name: str, warn: Warn) -> Record:
    """Return the record that the bytes of a file hold.

    A last line without its end that cannot be read was cut off: it is left out, `warn` hears of it.
    """
    text = _text(data, name)
    try:
        return parse_record(text)
    except InvalidRecord as error:
        if text.endswith("\n"):
            raise
        notes: list[str] = []
        try:
            record = parse_record(text, notes.append)
        except InvalidRecord:
            # Not the end is what is wrong.
            raise error from None
        for note in notes:
            warn(note)
        return record


def _bytes(where: Path) -> bytes:
    try:
        return where.read_bytes()
    except (OSError, ValueError) as error:
        raise InvalidRecord(f"record {str(where)!r} cannot be read: {error}") from error


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
        with ExitStack() as held:
            try:
                file = held.enter_context(where.open("xb", buffering=0))
            except FileExistsError as error:
                raise InvalidRecord(
                    f"record {str(where)!r} is there already: resume it or choose another name"
                ) from error
            except OSError as error:
                raise _unwritable(where, error) from error
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
            data = _bytes(where)
            held.enter_context(_alone(where))
            record = parse_record(_text(data, str(where)), warn)
            try:
                if not data.endswith(b"\n"):
                    with where.open("r+b") as whole:
                        whole.truncate(data.rfind(b"\n") + 1)
                file = held.enter_context(where.open("ab", buffering=0))
            except OSError as error:
                raise _unwritable(where, error) from error
            return cls(where, record, file, held.pop_all())

    def add(self, step: str | Move) -> Line:
        """Add a step or `undo` to the record and the file; nothing if it is impossible."""
        line = self.record.add(step)
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

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._held.close()


@contextmanager
def _alone(where: Path) -> Iterator[None]:
    """Hold the lock of a record as long as it is written; raises InvalidRecord if it is taken."""
    from filelock import FileLock, Timeout

    file = where.resolve()
    lock = FileLock(file.with_name(f".{file.name}.lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout as error:
        raise InvalidRecord(
            f"record {str(where)!r} is being played already: end that game first, or go on with a "
            "copy of the record"
        ) from error
    except OSError as error:
        raise _unwritable(where, error) from error
    try:
        yield
    finally:
        # While it is held, so that nobody else's is removed; some systems do that by themselves.
        with suppress(OSError):
            Path(lock.lock_file).unlink()
        lock.release()


def _unwritable(where: Path, error: OSError) -> InvalidRecord:
    return InvalidRecord(
        f"record {str(where)!r} cannot be written: {error.strerror or error}; choose another "
        "place for it"
    )
