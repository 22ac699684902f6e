"""Golden counts of the turn without cards, by walking the literal turn and by the kernel's ids."""

from math import comb
from pathlib import Path

import pytest

from advisor import dice
from advisor.court.rules.turn import TurnState
from advisor.multisets import of_size, table

LINES = (Path(__file__).parents[1] / "golden/turn-counts.txt").read_text().splitlines()
COUNTS = [tuple(map(int, line.split())) for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize("counts", COUNTS, ids=lambda counts: f"{counts[0]} dice")
def test_closed_forms_and_tables(counts):
    n, rolls, nodes, afterstates = counts
    assert rolls == comb(n + 5, 5) == len(of_size(n)) == len(dice.rolls(n))
    assert nodes == comb(n + 11, 11) - comb(n + 5, 5)
    assert nodes == sum(len(of_size(k)) * len(of_size(n - k)) for k in range(n))
    assert afterstates == comb(n + 6, 6) == len(table(n))


@pytest.mark.parametrize("n", [3, 4])
def test_walking_the_literal_turn_meets_exactly_these_nodes(n):
    met, waiting = set(), [TurnState(dice.NONE, dice.NONE, (), falling=n)]
    while waiting:
        state = waiting.pop()
        if state in met:
            continue
        met.add(state)
        if state.is_chance:
            waiting += [after for _, after in state.chance_outcomes()]
        else:
            waiting += [state.apply(step) for step in state.legal_steps()]
    _, _, nodes, afterstates = next(counts for counts in COUNTS if counts[0] == n)
    decisions = {(s.aside, s.active) for s in met if not s.is_chance and not s.is_over}
    assert len(decisions) == nodes
    assert len({s.aside for s in met if s.is_chance or s.is_over}) == afterstates


@pytest.mark.parametrize(("n", "lines"), [(3, 30674), (5, 7908677112), (8, 158196074939190485973)])
def test_lines_of_play(n, lines):
    def count(r):
        return (
            1
            if r == 0
            else sum(comb(k + 5, 5) * comb(r - k + 5, 5) * count(r - k) for k in range(1, r + 1))
        )

    assert count(n) == lines
