"""Tables of the chances to reach the throne: which file answers what, reading, making.

By symmetry only the turns of seat 1 are kept: players may be turned round the table, trainees stay.
A row is found by the place of its position among all in lexicographic order.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import MissingTable, TableProblem
from advisor.giveit.rules.box import LONGEST
from advisor.giveit.rules.corridor import MESSENGERS, Distances
from advisor.storage import tables

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Buffer = mmap.mmap | bytes

REVISION: Final = 1
"""Raised whenever a value of the solver changes."""

_ROW: Final = struct.Struct(f"<{MESSENGERS}d")


def question(players: int, length: int) -> dict[str, Any]:
    """Return the question that the table of a number of players and a corridor answers."""
    return {"game": "giveit", "values": "reach", "players": players, "length": length}


def place(distances: Distances, length: int) -> int:
    """Return the row of a position."""
    found = 0
    for before, space in enumerate(distances):
        smaller = sum(other < space for other in distances[:before])
        found = found * (length - before) + space - 1 - smaller
    return found


def turned(row: tuple[Any, ...], by: int, players: int) -> tuple[Any, ...]:
    """Return what belongs to the messengers with seat `by` as the first; trainees stay."""
    return (*row[by:players], *row[:by], *row[players:])


class ReachTable:
    """The chances to reach the throne of every position, read row by row."""

    def __init__(self, players: int, length: int, rows: Buffer, offset: int, source: str) -> None:
        self.players, self.length, self.source = players, length, source
        self.rows, self.offset = rows, offset

    def rolling(self, distances: Distances, mover: int, money: object = None) -> tuple[float, ...]:
        """Return the chances when the mover rolls."""
        row = place(turned(distances, mover, self.players), self.length)
        values = _ROW.unpack_from(self.rows, self.offset + _ROW.size * row)
        return turned(values, -mover % self.players, self.players)


def _opened(found: tables.TableFile) -> ReachTable:
    with found.path.open("rb") as file:
        rows = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    asked, source = found.question, f"table {found.fingerprint[:8]}"
    return ReachTable(asked["players"], asked["length"], rows, found.offset, source)


def find(
    where: Path, players: int, farthest: int, warn: Callable[[str], None] = lambda message: None
) -> ReachTable | None:
    """Return a table for positions no farther than that, None without a sound one."""
    for length in range(max(farthest, MESSENGERS), LONGEST + 1):
        try:
            return _opened(tables.probe(where, question(players, length), REVISION))
        except MissingTable:
            continue
        except TableProblem:
            path = where / tables.name_of(question(players, length))
            warn(
                f"table {str(path)!r} is damaged or of another version and not used; "
                "'advisor giveit precompute' makes it anew"
            )
    return None


def is_there(where: Path, players: int, length: int) -> bool:
    """Return whether a sound table is there."""
    try:
        tables.probe(where, question(players, length), REVISION)
    except TableProblem:
        return False
    return True


def make(where: Path, players: int, length: int) -> None:
    """Solve a whole corridor and write its table."""
    tables.write(where, question(players, length), REVISION, contents(players, length).ravel())


def found_or_solved(where: Path, players: int, length: int) -> ReachTable:
    """Return the table of a corridor, solved now if none is there."""
    found = find(where, players, length)
    if found:
        return found
    return ReachTable(players, length, contents(players, length).tobytes(), 0, "solved now")


def contents(players: int, length: int) -> NDArray[np.float64]:
    """Return the values of a table, solved now: [positions, 4]."""
    import numpy as np

    from advisor.giveit.day import worth
    from advisor.giveit.day.board import Board
    from advisor.giveit.day.solve import solve

    solution = solve(Board((length,) * MESSENGERS), worth.reach(players))
    where = np.concatenate(solution.board.positions).astype(np.int64)
    rows = np.zeros(len(where), dtype=np.int64)
    for before in range(MESSENGERS):
        smaller = (where[:, :before] < where[:, before : before + 1]).sum(axis=1)
        rows = rows * (length - before) + where[:, before] - 1 - smaller
    found = np.full((len(where), MESSENGERS), np.nan)
    found[rows] = np.concatenate([part[:, 0, 0] for part in solution.values])
    return found
