"""Uses of cards that the kernel works out without lists, against the same uses by list."""

from __future__ import annotations

import numpy as np
import pytest

from advisor import _kernel, multisets
from advisor.multisets import SIZES
from tests.kernel_graphs import brings, by_number, raises, sets

MOST = 4
OTHERS = [
    (_kernel.MOVE, 0, [None, *(brings(n) for n in range(1, MOST))]),
    (_kernel.REROLL, 2, []),
    (_kernel.COPY, 0, []),
    (_kernel.REROLL, MOST, []),
]


def solved(card, aside_faces=0):
    graph = _kernel.TurnGraph(3, MOST, 1, aside_faces, [*OTHERS, card], multisets.space(MOST))
    worth = np.random.default_rng(3).random((3, SIZES[MOST + 1]))
    values = graph.solve(worth)
    nodes = [graph.nodes(values, aside, True, graph.sets - 1)[1] for aside in (0, 1, 8)]
    return [values, *nodes]


def same(one, other):
    return all(map(np.array_equal, one, other))


@pytest.mark.parametrize("pips", range(1, 6))
def test_raising_any_number_of_dice(pips):
    listed = (_kernel.MOVE, 0, by_number(lambda number: raises(number, pips)))
    assert same(solved((_kernel.RAISE, pips, [])), solved(listed))


def test_one_die_takes_any_value():
    assert same(solved((_kernel.SET, 0, [])), solved((_kernel.MOVE, 0, by_number(sets))))


def test_the_twins_are_not_idle():
    nothing = (_kernel.MOVE, 0, by_number(lambda number: sets(number)._replace(
        offsets=np.zeros_like(sets(number).offsets), items=np.zeros(0, np.int32))))  # fmt: skip
    for card in ((_kernel.SET, 0, []), (_kernel.RAISE, 1, []), (_kernel.RAISE, 5, [])):
        assert not same(solved(card), solved(nothing))
