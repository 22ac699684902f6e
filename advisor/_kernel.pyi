"""Types of the compiled kernel (ext/_kernel.pyx)."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from advisor.multisets import Rows, Space

REVISION: Final[int]
TIE: Final[float]
MOVE: Final[int]
COPY: Final[int]
REROLL: Final[int]
SET: Final[int]
RAISE: Final[int]

Flag = bytearray | memoryview | NDArray[np.uint8] | NDArray[np.bool_]
"""One byte that another thread may set; a call that was given it as `cancel` soon raises Cancelled.

Any writable object of one byte will do, such as bytearray(1). All methods that take it work
without the interpreter's lock, and never write to the graph: any number of threads may use one
graph, with the same bits. In the main thread signals are handled during a call (within 20 ms), so
Ctrl-C ends it without a flag.
"""

class TurnGraph:
    """The state graph of a turn; see the module for what each method returns.

    Arguments of a wrong type, shape or range raise ValueError or TypeError.
    """

    root_dice: Final[int]
    most_dice: Final[int]
    sets: Final[int]
    offsets: Final[NDArray[np.int64]]
    dice_of: Final[NDArray[np.int32]]
    @property
    def size(self) -> int: ...
    def __init__(
        self,
        root_dice: int,
        most_dice: int,
        brings: int,
        aside_faces: int,
        cards: Sequence[tuple[int, int, Sequence[Rows | None]]],
        space: Space,
    ) -> None: ...
    def memory(self, goals: int = 1) -> int: ...
    def solve(
        self,
        utilities: NDArray[np.float64],
        first_layer: int = 0,
        out: NDArray[np.float64] | None = None,
        cancel: Flag | None = None,
    ) -> NDArray[np.float64]: ...
    def nodes(
        self,
        values: NDArray[np.float64],
        aside: int,
        may_roll: bool,
        u: int,
        cancel: Flag | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64]]: ...
    def follow(
        self,
        values: NDArray[np.float64],
        set_asides: Sequence[Rows | None],
        uses: Sequence[Sequence[Any]],
        u: int,
        aside: int,
        nodes: NDArray[np.int64],
        shares: NDArray[np.float64],
        may_roll: bool = False,
        hope: NDArray[np.bool_] | None = None,
        cancel: Flag | None = None,
    ) -> NDArray[np.float64]: ...
    def hope(self, utilities: NDArray[np.float64]) -> NDArray[np.bool_]: ...
