"""Values of every position of a board, layer by layer.

`values[part]` is an array [rows, states, movers, 4]: what everybody has to expect when the mover
rolls. At the beginning of a turn the same holds but before the door, where he walks in.
States are money states, or whatever else stays as it is in a movement.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from advisor.giveit.day.board import TAKEN, Board, Bools, Landing, Layer
from advisor.giveit.day.worth import ABSENT, Change, Floats, Ints, Money, Worth
from advisor.giveit.rules.corridor import AUDIENCE, FACES, MESSENGERS, Distances

TIE: Final = 1e-11
"""Options whose own values differ by no more are equal, and played equally often."""

FREE, GOES_ON, STOPS = "free", "goes on", "stops"
"""Whose roll comes after a movement: by what was moved, the same player's, the next one's."""


def chosen(options: Floats, own: Floats) -> Floats:
    """Return the mean of the best options: [options, ..., 4] by own values [options, ...].

    An option that is not there has the own value minus infinity.
    """
    best = own >= own.max(axis=0) - TIE
    weights = best / best.sum(axis=0)
    found: Floats = np.einsum("o...,o...v->...v", weights, options)
    return found


def own_of(values: Floats) -> Floats:
    """Return each mover's own value: [..., movers, 4] -> [..., movers]."""
    own: Floats = np.diagonal(values, axis1=-2, axis2=-1)
    return own


@dataclass
class Solution:
    """The values of a board under a worth."""

    board: Board
    worth: Worth
    values: tuple[Floats, Floats]

    def rolling(self, distances: Distances, mover: int, money: Money | None = None) -> Floats:
        """Return the values when the mover rolls: at the beginning of a turn or in the middle."""
        part, row = self.board.find(distances)
        state = 0 if money is None else self.worth.states[part].index(money)
        found: Floats = self.values[part][row, state, mover]
        return found


class Moves:
    """What movements from a layer are worth, for all its states and movers at once."""

    def __init__(self, layer: Layer, worth: Worth, values: tuple[Floats, Floats]) -> None:
        self.layer, self.worth, self.values = layer, worth, values
        self.players = worth.players

    def begun(self, part: int, rows: Ints | slice, distances: Ints, seat: int) -> Floats:
        """Return the values at the beginning of a seat's turn: [positions, states, 4]."""
        walks = (distances[:, seat] == AUDIENCE)[:, None, None]
        entered = self.worth.throne[part][:, seat, seat]
        found: Floats = np.where(walks, entered, self.values[part][rows, :, seat])
        return found

    def after(self, landing: Landing, next_roll: str = FREE) -> Floats:
        """Return the values of moving a messenger: [legal positions, states, movers, 4]."""
        part = self.layer.part
        place = np.where(landing.enters, 0, landing.place)
        found = self._next(part, place, landing.moved, landing.messenger, next_roll)
        if landing.enters.any():
            found[landing.enters] = self._entered(landing, next_roll)
        found[landing.ends] = self.worth.throne[part][:, :, landing.messenger]
        return found

    def _next(self, part: int, place: Ints, moved: Ints, messenger: int, next_roll: str) -> Floats:
        found = self.values[part][place]
        for mover in range(self.players):
            if next_roll == STOPS or (next_roll == FREE and mover == messenger):
                after = (mover + 1) % self.players
                found[:, :, mover] = self.begun(part, place, moved, after)
        return found

    def _entered(self, landing: Landing, next_roll: str) -> Floats:
        """Return the values of landing on the carpet first."""
        first = landing.enters
        beyond = self._next(
            TAKEN, landing.place[first], landing.moved[first], landing.messenger, next_roll
        )
        return np.stack(
            [
                changed(self.worth.carpet[mover][landing.messenger], beyond[:, :, mover])
                for mover in range(self.players)
            ],
            axis=2,
        )

    def options(self, landings: list[Landing], next_roll: str = FREE) -> tuple[Floats, Floats]:
        """Return the values of moving each messenger, 0 where it cannot, and the movers' own."""
        positions, states = len(self.layer.distances), self.worth.sizes[self.layer.part]
        shape = (len(landings), positions, states, self.players)
        options, own = np.zeros((*shape, MESSENGERS)), np.full(shape, -np.inf)
        for option, own_values, landing in zip(options, own, landings, strict=True):
            if landing.legal.any():
                found = self.after(landing, next_roll)
                option[landing.legal], own_values[landing.legal] = found, own_of(found)
        return options, own

    def best(self, landings: list[Landing], next_roll: str = FREE) -> tuple[Floats, Bools]:
        """Return the values of the best movement, and where there is one."""
        possible = np.logical_or.reduce([landing.legal for landing in landings])
        return chosen(*self.options(landings, next_roll)), possible


def changed(change: Change, values: Floats) -> Floats:
    """Return the values before a change of money: [positions, states after, 4] -> before."""
    if len(change.to) == 1:
        return change.gains + values[:, change.to[0]]
    options = np.stack([values[:, to] for to in change.to])
    chooser = np.broadcast_to(change.chooser[:, None], (*options.shape[:-1], 1))
    own = np.take_along_axis(options, chooser, axis=-1)[..., 0]
    own = np.where((change.to == ABSENT)[:, None, :], -np.inf, own)
    return change.gains + chosen(options, own)


# ---------------------------------------------------------------- solving


def solve(board: Board, worth: Worth) -> Solution:
    """Return the exact values of a board."""
    values = tuple(
        np.full((len(positions), states, worth.players, MESSENGERS), np.nan)
        for positions, states in zip(board.positions, worth.sizes, strict=True)
    )
    solution = Solution(board, worth, (values[0], values[1]))
    for layer in board:
        if worth.sizes[layer.part]:
            _solve_layer(layer, worth, solution.values)
    return solution


def _solve_layer(layer: Layer, worth: Worth, values: tuple[Floats, Floats]) -> None:
    moves = Moves(layer, worth, values)
    total: Floats = np.zeros(values[layer.part][layer.rows].shape)
    stuck: Floats = np.zeros(len(layer.distances))
    for steps in FACES:
        best, possible = moves.best(layer.landings(steps))
        total += best
        stuck += ~possible
    pass_through(moves, total / len(FACES), stuck / len(FACES))


def pass_through(moves: Moves, moving: Floats, stuck: Floats) -> None:
    """Write the values of a layer: `moving` is the part of rolls that move, `stuck` the rest.

    Money states that passes lead away from come after where they lead; where a pass changes
    nothing the loop round the table has a closed form.
    """
    layer, blame = moves.layer, moves.worth.blame[moves.layer.part]
    values = moves.values[layer.part][layer.rows]
    chance = stuck[:, None, None]
    for group in moves.worth.order[layer.part]:
        staying = group[blame.stays[group]]
        if len(staying):
            fixed = moving[:, staying] + stuck[:, None, None, None] * blame.gains[staying, None]
            values[:, staying] = _loop(moves, fixed, chance, staying)
        leaving = group[~blame.stays[group]]
        if len(leaving):
            part = Change(blame.gains[leaving], blame.to[:, leaving], blame.chooser[leaving])
            for mover in range(moves.players):
                after = (mover + 1) % moves.players
                begun = moves.begun(layer.part, layer.rows, layer.distances, after)
                passed = chance * changed(part, begun)
                values[:, leaving, mover] = moving[:, leaving, mover] + passed


def _loop(moves: Moves, fixed: Floats, chance: Floats, states: Ints) -> Floats:
    """Return the solution of V(m) = fixed(m) + chance B(m + 1), B(m) = V(m) or an audience."""
    players = moves.players
    found = np.empty_like(fixed)
    around = sum(chance**far * fixed[:, :, far] for far in range(players))
    begun = around / (1 - chance**players)
    # From the last mover back: his successor begins a turn.
    for _ in range(2):
        for mover in reversed(range(players)):
            found[:, :, mover] = fixed[:, :, mover] + chance * begun
            walks = (moves.layer.distances[:, mover] == AUDIENCE)[:, None, None]
            entered = moves.worth.throne[moves.layer.part][states, mover, mover]
            begun = np.where(walks, entered, found[:, :, mover])
    return found


def bytes_of(positions: int, states: int, players: int) -> int:
    """Return the memory that solving so many positions takes, about."""
    return positions * states * players * MESSENGERS * 8 * 5 // 4
