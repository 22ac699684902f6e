"""Options valued by play-outs with deals drawn from what is believed, in parallel processes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from advisor import jobs
from advisor.kingme.play import playouts
from advisor.kingme.play.options import Option, View, Vote
from advisor.kingme.play.playouts import Rounds
from advisor.kingme.rules.data import PLACED, ROUNDS, THRONE, UNPLACED, ZERO
from advisor.kingme.rules.game import Game, Phase, Place
from advisor.samples import Z95, wilson

Array = NDArray[np.float64]

CHUNK: Final = 100
"""Play-outs of each option in one task."""


@dataclass(frozen=True)
class Estimate:
    """The mean of so many play-outs with its 95 % interval."""

    games: int
    value: float
    low: float
    high: float


def estimate(
    view: View,
    options: Sequence[Option],
    games: int,
    seed: int,
    processes: int = 1,
    progress: Callable[[int], None] = lambda games: None,
) -> list[Estimate]:
    """Return what each option is worth in so many play-outs, the same deals for each.

    The result depends on the seed alone. `progress` is told of finished play-outs.
    """
    tasks = [range(at, min(games, at + CHUNK)) for at in range(0, games, CHUNK)]
    work = partial(sample, view, options, seed)
    found: dict[int, Array] = {}
    if processes == 1 or len(tasks) == 1:
        done = ((task, work(task)) for task in tasks)
    else:
        pool = partial(jobs.LocalPool, min(processes, len(tasks)))
        done = ((task, values) for task, values in jobs.run(tasks, work, pool, 2 * processes))
    for task, values in done:
        found[task.start] = values
        progress(values.size)
    values = np.concatenate([found[task.start] for task in tasks], axis=1)
    most = 1.0 if view.game.round == ROUNDS else float(ZERO)
    return [interval(row, most) for row in values]


def interval(values: Array, most: float) -> Estimate:
    """Return the mean of values from 0 to `most` with its 95 % interval."""
    games, mean = len(values), float(values.mean())
    if most == 1.0:
        low, high = wilson(float(values.sum()), games)
    elif values.max() == values.min():
        # What did not come up in n samples has a chance of at most 3 / n, 95 % certain.
        rest = min(1.0, 3 / games)
        low, high = mean * (1 - rest), mean + (most - mean) * rest
    else:
        half = Z95 * float(values.std(ddof=1)) / math.sqrt(games)
        low, high = max(0.0, mean - half), min(most, mean + half)
    return Estimate(games, mean, low, high)


def sample(view: View, options: Sequence[Option], seed: int, numbers: range) -> Array:
    """Return the own values by option and play-out, for the play-outs with these numbers."""
    rng = np.random.default_rng((seed, numbers.start))
    deals = view.found.deals.sample(rng, len(numbers))
    own = np.empty((len(numbers), view.game.players, len(view.own)))
    own[:, view.me] = view.own
    for row, seat in enumerate(view.found.seats):
        own[:, seat] = view.found.members[deals[:, row]]
    rounds = Rounds.of(view.game, np.tile(own, (len(options), 1, 1)))
    chosen = np.repeat(np.arange(len(options)), len(numbers))
    after = _choose(rounds, options, chosen, view, rng)
    playouts.play_out(rounds, after, rng, view.strength)
    values = playouts.values(rounds, view.game)[:, view.me]
    found: Array = values.reshape(len(options), len(numbers))
    return found


def _choose(
    rounds: Rounds,
    options: Sequence[Option],
    chosen: NDArray[np.int64],
    view: View,
    rng: np.random.Generator,
) -> Game:
    """Let the options happen, votes included; return a game with the turn as it is then."""
    game = view.game
    candidates = np.full(len(chosen), -1)
    forced = np.full(len(chosen), -1)
    for number, option in enumerate(options):
        rows = chosen == number
        if isinstance(option, Vote):
            candidates[rows] = game.castle.index(THRONE)
            forced[rows] = option.no
            continue
        floor = option.floor if isinstance(option, Place) else game.castle[option.character] + 1
        rounds.places[rows, option.character] = floor - UNPLACED
        if floor == THRONE:
            candidates[rows] = option.character
    if game.phase is Phase.PLACE:
        dealt = game.players * PLACED[game.players]
        if (rounds.places[0] != 0).sum() == dealt:
            rounds.places[rounds.places == 0] = -UNPLACED
    led = candidates >= 0
    if led.any():
        part = rounds.part(led)
        says = playouts.votes(part, candidates[led], rng, view.strength)
        said = forced[led]
        says[:, view.me] = np.where(said < 0, says[:, view.me], said == 1)
        playouts.settle(part, candidates[led], says)
        rounds.put(led, part)
    return replace(game, seat=(game.seat + 1) % game.players, candidate=None)
