"""Stored values of whole turns: which table answers which question, and how to read one."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from pathlib import Path

import numpy as np

from advisor import KERNEL_REVISION
from advisor.court.rules.cards import in_order
from advisor.court.rules.notation import before_first_roll, to_state
from advisor.court.rules.options import RuleSet, brings_in
from advisor.court.rules.turn import TurnState
from advisor.court.turn.payoffs import Payoff
from advisor.court.turn.solver import Stored
from advisor.errors import CorruptTable
from advisor.storage import tables


def question(rules: RuleSet, cards: Sequence[str], goal: Payoff) -> tables.Question:
    """Return what a table of a turn's values answers."""
    return {
        "game": "court", "values": "turn", "rules": rules.options(),
        "cards": list(in_order(cards)), "goal": goal.format(),
    }  # fmt: skip


def root(rules: RuleSet, cards: Sequence[str]) -> TurnState:
    """Return the state before the first roll, at which the graph of a stored turn begins."""
    return to_state(before_first_roll(cards, rules), rules)


def probe(
    where: Path, rules: RuleSet, cards: Sequence[str], goals: Sequence[Payoff]
) -> tuple[Stored, list[str]]:
    """Return the stored values for all goals, one goal a row, and the tables' fingerprints.

    Raises a TableProblem if one of the tables is missing or not to be trusted.
    """
    found = [tables.probe(where, question(rules, cards, goal), KERNEL_REVISION) for goal in goals]
    state = root(rules, cards)
    for table in found:
        if table.count != values_of(state):
            raise CorruptTable(
                f"table {str(table.path)!r} has {table.count} values instead of "
                f"{values_of(state)}: 'advisor precompute' makes it anew"
            )
    values = [table.values() for table in found]
    for table, row in zip(found, values, strict=True):
        if not np.isfinite(row).all():
            raise CorruptTable(
                f"table {str(table.path)!r} holds what is no number: 'advisor precompute' makes it "
                "anew"
            )
    rows = values[0][None, :] if len(values) == 1 else np.stack(values)
    return Stored(state, rows), [table.fingerprint for table in found]


def values_of(state: TurnState) -> int:
    """Return the number of values of a turn: the multisets set aside for every set of cards."""
    return sum(ways * comb(dice + 6, 6) for dice, ways in _sets(state))


def nodes_of(state: TurnState) -> int:
    """Return the number of decision nodes of a turn, which the time to solve it follows."""
    return sum(ways * (comb(dice + 11, 11) - comb(dice + 5, 5)) for dice, ways in _sets(state))


def _sets(state: TurnState) -> list[tuple[int, int]]:
    """Return (dice in play, number of sets of unused cards with so many)."""
    bringing = sum(brings_in(key) for key in state.unused)
    others = 2 ** (len(state.unused) - bringing)
    room = state.dice_limit - sum(state.aside) - sum(state.active) - state.falling
    start = sum(state.active) + state.falling
    return [
        (start + used, comb(bringing, used) * others) for used in range(min(bringing, room) + 1)
    ]
