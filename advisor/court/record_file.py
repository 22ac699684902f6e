"""Records as files: only ever added to, each line flushed as it is written."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from types import TracebackType
from typing import IO, Final

from advisor import scores
from advisor.court.game import Move
from advisor.court.record import Header, Line, Record, Warn, parse_record
from advisor.errors import InvalidRecord

FOLDER: Final = "games"
"""Where new games are kept, in the user's data folder."""


def free_name(seed: int) -> Path:
    """Return where a new game is kept, by date and seed, making the folder."""
    folder = scores.folder() / FOLDER
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
    """Return the record of a file; a last line that was cut off is left out, `warn` hears of it."""
    return parse_record(_text(where, warn), warn, check_dice)


def _text(where: Path, warn: Warn) -> str:
    try:
        data = where.read_bytes()
    except OSError as error:
        raise InvalidRecord(f"record {str(where)!r} cannot be read: {error}") from error
    whole, end, last = data.rpartition(b"\n")
    try:
        text = (whole + end).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRecord(
            f"record {str(where)!r} is no text in UTF-8 ({error}); save it as such"
        ) from error
    # Half a letter at the end belongs to the line that was cut off.
    return text.replace("\r\n", "\n") + last.decode("utf-8", "replace")


class RecordFile:
    """A record that is written while it is played."""

    def __init__(self, where: Path, record: Record, file: IO[str]) -> None:
        self.where, self.record, self._file = where, record, file

    @classmethod
    def begin(cls, where: Path, header: Header) -> RecordFile:
        """Begin a new file; raises InvalidRecord if it is there already or cannot be written."""
        record = Record(header)
        try:
            file = where.open("x", encoding="utf-8", newline="\n")
        except FileExistsError as error:
            raise InvalidRecord(
                f"record {str(where)!r} is there already: resume it or choose another name"
            ) from error
        except OSError as error:
            raise InvalidRecord(f"record {str(where)!r} cannot be written: {error}") from error
        begun = cls(where, record, file)
        for line in header.lines():
            begun._write(line)
        return begun

    @classmethod
    def resume(cls, where: Path, warn: Warn) -> RecordFile:
        """Open a file to go on where it ends; a line that was cut off is cut away."""
        text = _text(where, warn)
        record = parse_record(text, warn)
        try:
            if not text.endswith("\n"):
                data = where.read_bytes()
                with where.open("r+b") as whole:
                    whole.truncate(data.rfind(b"\n") + 1)
            file = where.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            raise InvalidRecord(f"record {str(where)!r} cannot be written: {error}") from error
        return cls(where, record, file)

    def add(self, step: str | tuple[Move, ...], comment: str | None = None) -> Line:
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
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise InvalidRecord(f"record {str(self.where)!r} cannot be written: {error}") from error

    def close(self) -> None:
        """Close the file; the record stays."""
        self._file.close()

    def __enter__(self) -> RecordFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
