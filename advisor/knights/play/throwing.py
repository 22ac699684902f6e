"""Throwing real dice by best play for a worth: what the simulator uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from advisor import multisets
from advisor.knights.rules.options import DICE, RULEBOOK, THROWS, Combination, DieCards, RuleSet
from advisor.knights.throw import odds, play
from advisor.knights.throw.play import FIRST, Numbers, Values


@dataclass(frozen=True)
class Policy:
    """Best play of so many throws: the keep chosen at each decision node, by throws left."""

    throws: int
    choices: tuple[Numbers, ...]
    kept_locked: bool

    def throw(self, rng: np.random.Generator) -> int:
        """Return the number of the final holding."""
        keep = 0
        for left in range(self.throws - 1, -1, -1):
            number = DICE - _sizes()[keep]
            if not number:
                break
            fallen = rng.integers(0, DICE, number).tolist()
            holding = _holding(keep, tuple(sorted(fallen)))
            if not left:
                return holding
            node = _pairs()[keep, holding] if self.kept_locked else holding
            keep = int(self.choices[left][node])
        return keep - FIRST


def policy(worth: Values, throws: int, rules: RuleSet = RULEBOOK) -> Policy:
    """Return best play for a worth of each holding."""
    links = play.graph(rules.kept_locked)
    values = play.solve(worth, throws, rules.kept_locked)
    return Policy(
        throws,
        tuple(play.choices(values[left], links) for left in range(throws)),
        rules.kept_locked,
    )


@lru_cache(maxsize=1024)
def beating(card: Combination, throws: int, cards: DieCards, rules: RuleSet) -> Policy:
    """Return best play to beat a card."""
    return policy(odds.beat_worth(card, cards, rules), throws, rules)


@lru_cache(maxsize=1024)
def attacking(
    castle: Combination, throws: int, cards: DieCards, defender: DieCards, rules: RuleSet
) -> Policy:
    """Return best play to take a castle from its owner."""
    return policy(odds.attack_worth(castle, cards, defender, rules), throws, rules)


@lru_cache(maxsize=1024)
def defending(best: int, cards: DieCards, rules: RuleSet) -> Policy:
    """Return best play to rank strictly higher than `best` (a number of `play.code`)."""
    worth = (play.codes(cards, rules) > best).astype(float)
    return policy(worth, THROWS, rules)


@lru_cache(maxsize=1024)
def competing(
    best: int,
    cards: DieCards,
    throws: int,
    others: tuple[tuple[DieCards, int], ...],
    rules: RuleSet,
) -> Policy:
    """Return play in a tournament against the best rank so far and the later throwers."""
    return policy(competing_worth(best, cards, others, rules), throws, rules)


def competing_worth(
    best: int, cards: DieCards, others: Sequence[tuple[DieCards, int]], rules: RuleSet
) -> Values:
    """Return the chance that each holding wins a tournament.

    Later throwers (Die cards, throws) are taken to throw for nothing but a higher rank, each by
    himself; with one of them left that is exact.
    """
    worth = (play.codes(cards, rules) > best).astype(float)
    for other, throws in others:
        worth = worth * odds.survival(cards, other, throws, rules)
    return worth


@lru_cache(maxsize=1024)
def competing_chance(
    cards: DieCards, throws: int, others: tuple[tuple[DieCards, int], ...], rules: RuleSet
) -> float:
    """Return the chance to win as organiser, later throwers as in `competing_worth`."""
    worth = competing_worth(-1, cards, others, rules)
    return float(play.solve(worth, throws, rules.kept_locked)[-1][0])


# ---------------------------------------------------------------- numbers of keeps and holdings


@lru_cache(maxsize=1)
def _sizes() -> list[int]:
    sizes: list[int] = multisets.table(DICE).sum(axis=1, dtype=np.int64).tolist()
    return sizes


@lru_cache(maxsize=16384)
def _holding(keep: int, fallen: tuple[int, ...]) -> int:
    """Return the number of the holding after some faces (0 to 5) fell beside a keep."""
    counts = multisets.table(DICE)[keep] + np.bincount(fallen, minlength=6).astype(np.int8)
    return int(multisets.ids(counts)) - FIRST


@lru_cache(maxsize=1)
def _pairs() -> dict[tuple[int, int], int]:
    """Return the decision node of each keep and holding where kept dice are locked."""
    links = play.graph(True)
    pairs = zip(links.fall_keep.tolist(), links.node_holding.tolist(), strict=True)
    return {pair: node for node, pair in enumerate(pairs)}
