"""The arrays against fractions straight from the rules, and against value iteration."""

import random

import pytest

from advisor.giveit.day import advice, reference
from advisor.giveit.day.board import Board
from advisor.giveit.day.solve import solve
from advisor.giveit.day.worth import fixed_gold, purse_gold, reach
from advisor.giveit.rules.captain import heirs
from advisor.giveit.rules.corridor import FACES
from advisor.giveit.rules.day import Move, Roll, new_day


def positions(seed, number, farthest):
    rng = random.Random(seed)
    for _ in range(number):
        yield tuple(rng.sample(range(1, farthest + 1), 4)), rng.randint(2, 4), rng


def agree(day, worth):
    """Compare the values of a position and of the day's beginning."""
    found = advice.value(day, solve(Board(day.distances), worth))
    expected = [float(each) for each in reference.value(day.settled())]
    expected = [a + b for a, b in zip(expected, reference.gained(day), strict=True)]
    assert found == pytest.approx(expected, abs=1e-12), day


def test_chances_to_reach_the_throne():
    for distances, players, rng in positions(1, 8, 9):
        agree(new_day(players, distances, rng.randrange(players)), reach(players))


def test_gold_with_a_captain_who_stays():
    for distances, players, rng in positions(2, 5, 8):
        deliver = tuple(rng.randint(0, 9) if seat < players else 0 for seat in range(4))
        captain = rng.randrange(players)
        day = new_day(players, distances, rng.randrange(players), captain=captain, deliver=deliver)
        agree(day, fixed_gold(players, deliver, captain))


@pytest.mark.parametrize("farthest", [6, 8])
def test_gold_with_captains_who_change(farthest):
    for distances, players, rng in positions(3, 4, farthest):
        deliver = tuple(rng.randint(0, 9) if seat < players else 0 for seat in range(4))
        purses = tuple(rng.randint(0, 2) for _ in range(players))
        captain = rng.choice(heirs(purses, purses.index(max(purses))))
        day = new_day(
            players, distances, rng.randrange(players), captain=captain, purses=purses,
            deliver=deliver,
        )  # fmt: skip
        agree(day, purse_gold(deliver, captain, purses, min(distances) <= 6))


def test_the_first_landing_on_the_carpet_with_changing_captains():
    """Too many positions for fractions: one literal round against the arrays, wherever."""
    deliver, purses = (3, 5, 2, 0), (1, 1, 0)
    solution = solve(Board((9, 8, 10, 9)), purse_gold(deliver, 0, purses, False))
    opened = [tuple(map(int, row)) for row in solution.board.positions[0]]
    for distances in opened[::7]:
        for money in solution.worth.states[0]:
            day = new_day(3, distances, 1, captain=money[1], purses=money[0], deliver=deliver)
            expected = solution.rolling(distances, 1, money)
            assert advice.value(day, solution) == pytest.approx(list(expected), abs=1e-12)


class Iterated:
    """Values of a day by repeating the literal recursion until nothing changes any more."""

    def __init__(self, day):
        self.table = {}
        days = [each for each in reference.reachable(day) if each.is_chance]
        self.table = {(each.distances, each.turn): (0.0,) * 4 for each in days}
        days.sort(key=lambda each: sum(each.distances))
        for place in {sum(each.distances): None for each in days}:
            layer = [each for each in days if sum(each.distances) == place]
            while self.sweep(layer) > 1e-15:
                pass

    def sweep(self, layer):
        most = 0.0
        for day in layer:
            new, key = advice.value(day, self), (day.distances, day.turn)
            most = max(most, *(abs(a - b) for a, b in zip(new, self.table[key], strict=True)))
            self.table[key] = new
        return most

    def rolling(self, distances, mover, money=None):
        return self.table[distances, mover]


@pytest.mark.parametrize(
    ("players", "gold"), [(4, False), (3, True), (2, False)], ids=["4", "3 for gold", "2"]
)
def test_value_iteration(players, gold):
    deliver, captain = ((5, 2, 3, 0), 1) if gold else ((0, 0, 0, 0), None)
    distances = (5, 3, 4, 7)
    worth = fixed_gold(players, deliver, 1) if gold else reach(players)
    solution = solve(Board(distances), worth)
    day = new_day(players, distances, 0, captain=captain, deliver=deliver).settled()
    iterated = Iterated(day)
    assert len(iterated.table) > 20
    for (where, mover), values in iterated.table.items():
        assert solution.rolling(where, mover) == pytest.approx(values, abs=1e-12)


def test_every_pass_of_a_roll_goes_to_the_next_player():
    day = new_day(4, (3, 9, 12, 15), 1)
    stuck = [die for die in FACES if day.apply(Roll(die)).legal_actions() == [Move(None)]]
    assert stuck == [2, 3]
    assert day.apply(Roll(2)).apply(Move(None)).turn == 2
