"""Rounds played to their end many times side by side, everybody by the model of play."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from advisor.kingme.belief import model
from advisor.kingme.round.payoff import shares
from advisor.kingme.rules.data import (
    KING,
    OUT,
    PLACED,
    PLACING,
    ROOM,
    ROUNDS,
    THRONE,
    TOP,
    UNPLACED,
    ZERO,
)
from advisor.kingme.rules.game import Game

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_GOING_ON = model.going_on()
_AT_THE_END = model.at_the_end()


@dataclass
class Rounds:
    """Rounds side by side, the same seat on turn in all of them.

    `places`: floor + 2 by round and character; `own`: 1 for a favourite, by round, seat and
    character; `no_left` by round and seat; `king`: the one who was crowned, -1 before.
    """

    places: Ints
    own: Array
    no_left: Ints
    king: Ints

    @classmethod
    def of(cls, game: Game, own: Array) -> Rounds:
        """Return as many rounds as there are deals, all where the game stands."""
        size = len(own)
        return cls(
            np.tile(model.place_of(game.castle), (size, 1)),
            own,
            np.tile(np.array(game.no_left, np.int64), (size, 1)),
            np.full(size, -1),
        )

    def part(self, rows: Bools) -> Rounds:
        """Return some of the rounds, copied."""
        return Rounds(self.places[rows], self.own[rows], self.no_left[rows], self.king[rows])

    def put(self, rows: Bools, other: Rounds) -> None:
        """Take over how some of the rounds went on."""
        self.places[rows], self.no_left[rows] = other.places, other.no_left
        self.king[rows] = other.king

    def points(self) -> Array:
        """Return the points at the end by round and seat."""
        found: Array = np.einsum("bc,bnc->bn", _AT_THE_END[self.places], self.own)
        return found

    def present(self) -> Array:
        """Return how many favourites are in the castle, by round and seat."""
        inside = (self.places >= -UNPLACED).astype(float)
        found: Array = np.einsum("bc,bnc->bn", inside, self.own)
        return found


def play_out(rounds: Rounds, game: Game, rng: np.random.Generator, strength: float) -> None:
    """Play rounds to their end in place, from where `game` has the turn: no vote is due."""
    seat, players = game.seat, game.players
    dealt = players * PLACED[players]
    while (rounds.places[0] == 0).any():
        place(rounds, seat, rng, strength)
        seat = (seat + 1) % players
        if (rounds.places[0] != 0).sum() == dealt:
            rounds.places[rounds.places == 0] = -UNPLACED
    going = rounds.king < 0
    while going.any():
        part = rounds.part(going)
        climb(part, seat, rng, strength)
        rounds.put(going, part)
        going = rounds.king < 0
        seat = (seat + 1) % players


def placing(rounds: Rounds, seat: int) -> tuple[Array, Bools]:
    """Return what placing each character on each floor changes for a seat, and what is legal.

    By round and option, the floors of a character together.
    """
    gains = _GOING_ON[np.array(PLACING) - UNPLACED] - _GOING_ON[0]
    worth = rounds.own[:, seat, :, None] * gains
    full = np.stack([_full(rounds.places, floor) for floor in PLACING], axis=1)
    legal = (rounds.places == 0)[:, :, None] & ~full[:, None, :]
    return worth.reshape(len(worth), -1), legal.reshape(len(worth), -1)


def place(rounds: Rounds, seat: int, rng: np.random.Generator, strength: float) -> None:
    """Let a seat place a character in every round."""
    chosen = _drawn(*placing(rounds, seat), rng, strength)
    character, floor = np.divmod(chosen, len(PLACING))
    rounds.places[np.arange(len(chosen)), character] = np.array(PLACING)[floor] - UNPLACED


def climbing(rounds: Rounds, seat: int) -> tuple[Array, Bools]:
    """Return what raising each character changes for a seat, and what is legal, by round."""
    floors = rounds.places + UNPLACED
    own = rounds.own[:, seat]
    full = np.stack([_full(rounds.places, floor) for floor in range(THRONE + 1)], axis=1)
    full[:, 0] = full[:, THRONE] = False
    legal = (floors >= 0) & ~np.take_along_axis(full, np.clip(floors + 1, 0, THRONE), axis=1)
    now = _GOING_ON[rounds.places]
    above = _GOING_ON[np.minimum(rounds.places + 1, THRONE - UNPLACED)]
    worth = own * (above - now)
    throne = floors == TOP
    if throne.any():
        worth = np.where(throne, _throne_worth(rounds, seat), worth)
    return worth, legal


def climb(rounds: Rounds, seat: int, rng: np.random.Generator, strength: float) -> None:
    """Let a seat raise a character in every round, with the votes that follow."""
    chosen = _drawn(*climbing(rounds, seat), rng, strength)
    rows = np.arange(len(chosen))
    rounds.places[rows, chosen] += 1
    led = rounds.places[rows, chosen] == THRONE - UNPLACED
    if led.any():
        part = rounds.part(led)
        says = votes(part, chosen[led], rng, strength)
        settle(part, chosen[led], says)
        rounds.put(led, part)


def _throne_worth(rounds: Rounds, seat: int) -> Array:
    """Return what leading each character to the throne changes, if it stands below it."""
    own = rounds.own[:, seat]
    end = (_AT_THE_END[rounds.places] * own).sum(axis=1, keepdims=True)
    now = (_GOING_ON[rounds.places] * own).sum(axis=1, keepdims=True)
    accepted = _accepted(rounds, seat)[:, None]
    crowned = end + (KING - TOP) * own
    refused = now - model.WORTH[TOP] * own
    found: Array = accepted * crowned + (1 - accepted) * refused - now
    return found


def _accepted(rounds: Rounds, seat: int) -> Array:
    """Return the chance that nobody but a seat says No, as each seat takes it to be."""
    others = (rounds.no_left > 0).sum(axis=1) - (rounds.no_left[:, seat] > 0)
    found: Array = model.APPROVES**others
    return found


def no_chances(rounds: Rounds, candidates: Ints, strength: float) -> Array:
    """Return the chance by round and seat to say No to the one on the throne."""
    rows = np.arange(len(candidates))
    found = np.zeros(rounds.no_left.shape)
    without = rounds.places.copy()
    without[rows, candidates] = OUT - UNPLACED
    for seat in range(len(rounds.no_left[0])):
        own = rounds.own[:, seat]
        crowned = (_AT_THE_END[rounds.places] * own).sum(axis=1)
        refused = (_GOING_ON[without] * own).sum(axis=1)
        worth = np.clip(strength * (crowned - refused + model.PRICE), -500, 500)
        found[:, seat] = np.where(rounds.no_left[:, seat] > 0, 1 / (1 + np.exp(worth)), 0.0)
    return found


def votes(rounds: Rounds, candidates: Ints, rng: np.random.Generator, strength: float) -> Bools:
    """Return who says No to the one on the throne, by round and seat."""
    chances = no_chances(rounds, candidates, strength)
    found: Bools = rng.random(chances.shape) < chances
    return found


def settle(rounds: Rounds, candidates: Ints, says_no: Bools) -> None:
    """Crown the candidates or send them out, in place."""
    rows = np.arange(len(candidates))
    refused = says_no.any(axis=1)
    rounds.no_left -= says_no
    rounds.places[rows[refused], candidates[refused]] = OUT - UNPLACED
    rounds.king = np.where(refused, -1, candidates)


def _full(places: Ints, floor: int) -> Bools:
    found: Bools = (places == floor - UNPLACED).sum(axis=1) >= ROOM
    return found


def _drawn(worth: Array, legal: Bools, rng: np.random.Generator, strength: float) -> Ints:
    """Return an option by round, drawn with chances proportional to exp(strength * worth)."""
    # The largest of such sums is each with just that chance (Gumbel).
    noise = -np.log(-np.log(np.maximum(rng.random(worth.shape), 1e-300)))
    found: Ints = np.where(legal, strength * worth + noise, -np.inf).argmax(axis=1)
    return found


def values(rounds: Rounds, game: Game) -> Array:
    """Return by round and seat what the ends are worth: points, in the last round shares."""
    points = rounds.points()
    if game.round < ROUNDS:
        return points
    totals = np.where(points == 0, ZERO, points) + np.array(game.totals)
    return shares(totals, rounds.present())
