"""Advice: the options of a seat ranked, exactly where that is quick enough, else by play-outs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from advisor.kingme.belief.posterior import chance_of_a_no
from advisor.kingme.play.estimate import Estimate, estimate
from advisor.kingme.play.exact import Exact, exact
from advisor.kingme.play.options import Option, View
from advisor.kingme.rules.game import Phase

GAMES: Final = 400
"""Play-outs of each option unless asked for otherwise."""
EQUAL: Final = 1e-9
"""Exact values that differ by less are equal, and the first option counts."""


@dataclass(frozen=True)
class Ranked:
    """An option with its value, 95 % interval (none if exact) and loss against the best."""

    option: Option
    value: float
    loss: float
    estimate: Estimate | None


@dataclass(frozen=True)
class Advice:
    """Options, best first. `solved`: what exact values rest on, None for play-outs.

    `another_no`: at a vote, the chance that somebody else says No.
    """

    ranked: tuple[Ranked, ...]
    solved: Exact | None
    games: int | None
    another_no: float | None


def advise(
    view: View,
    games: int | None = None,
    seed: int = 0,
    processes: int = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> Advice:
    """Return the options ranked; with `games` by so many play-outs each even where exact ones are.

    Raises ImpossibleStep if nothing is to be decided.
    """
    options = view.options()
    solved = exact(view) if games is None else None
    if solved is not None:
        values = {option: (solved.values[option], None) for option in options}
        return Advice(_ranked(values), solved, None, solved.another_no)
    number = GAMES if games is None else games
    found = estimate(view, options, number, seed, processes, progress)
    estimates = {o: (each.value, each) for o, each in zip(options, found, strict=True)}
    another = None
    if view.game.phase is Phase.VOTE:
        another = chance_of_a_no(view.game, view.found, view.strength)
    return Advice(_ranked(estimates), None, number, another)


def _ranked(values: Mapping[Option, tuple[float, Estimate | None]]) -> tuple[Ranked, ...]:
    best = max(value for value, _ in values.values())
    order = sorted(values, key=lambda option: round((best - values[option][0]) / EQUAL))
    return tuple(
        Ranked(option, value, max(best - value, 0.0), found)
        for option in order
        for value, found in [values[option]]
    )
