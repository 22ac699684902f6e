"""Messages that lie open: the arrays against the same iteration step by step."""

import json
from itertools import product

import pytest

from advisor.giveit import reveal
from advisor.giveit.day import lookahead, messages, worth
from advisor.giveit.day.board import Board
from advisor.giveit.day.messages import SWEEPS, Held, held, solve_open
from advisor.giveit.day.solve import solve
from advisor.giveit.questions import Aim, Asking
from advisor.giveit.rules import box
from advisor.giveit.rules.day import new_day

BOX = box.default()


def hand(text):
    return tuple(BOX.find(name) for name in text.split(",")) if text else ()


def parts(cards):
    """Return every hand that may be left of one, smaller ones first."""
    found = dict.fromkeys(
        tuple(card for card, kept in zip(cards, bits, strict=True) if kept)
        for bits in product((0, 1), repeat=len(cards))
    )
    return list(found)


class Literal:
    """Values by position, mover and hands, from the state machine alone."""

    def __init__(self, distances, hands, gold):
        self.players, self.gold = len(hands), gold
        self.table = {}
        played = worth.fixed_gold(*gold) if gold else worth.reach(self.players)
        board = Board(distances)
        self.plain = solve(board, played)
        rows = [tuple(map(int, row)) for part in board.positions for row in part]
        sets = sorted(product(*map(parts, hands)), key=lambda each: sum(map(len, each)))
        for where in sorted(rows, key=sum):
            for left in sets:
                self.settle(where, left)

    def day(self, where, mover, hands):
        if self.gold:
            _, deliver, captain = self.gold
            day = new_day(self.players, where, 0, hands, captain=captain, deliver=deliver)
        else:
            day = new_day(self.players, where, 0, hands)
        from dataclasses import replace

        return replace(
            day, distances=where, turn=mover, hands=hands, reached=None, gains=(0,) * self.players,
            stage=type(day.stage).ROLL,
        )  # fmt: skip

    def settle(self, where, hands):
        movers = range(self.players)
        for mover in movers:
            start = tuple(map(float, self.plain.rolling(where, mover)))
            self.table[where, mover, hands] = start
        if not any(hands):
            return
        for _ in range(SWEEPS):
            change = 0.0
            for mover in movers:
                new = lookahead.rolled(self.day(where, mover, hands), self.leaf)
                old, self.table[where, mover, hands] = self.table[where, mover, hands], new
                change = max(change, *(abs(a - b) for a, b in zip(old, new, strict=True)))
            if change <= messages.CLOSE:
                return

    def leaf(self, day):
        if day.is_over:
            won = None if self.gold else day.reached
            return tuple(float(won == seat) for seat in range(4))
        return self.table[day.distances, day.turn, day.hands]


CASES = [
    ((3, 1, 4, 5), ("add1", "keep", ""), None),
    ((2, 4, 1, 3), ("stop", "", "", "reroll"), None),
    ((3, 2, 1, 4), ("add1,add1", "keep"), (2, (2, 1, 0, 0), 1)),
    ((4, 2, 5, 3), ("keep", "add2"), (2, (0, 3, 0, 0), 0)),
]


@pytest.mark.parametrize(("distances", "hands", "gold"), CASES, ids=str)
def test_against_the_literal_iteration(distances, hands, gold):
    hands = tuple(map(hand, hands))
    literal = Literal(distances, hands, gold)
    played = worth.fixed_gold(*gold) if gold else worth.reach(len(hands))
    # Equal messages of a seat may be told apart in the arrays, not in the state machine.
    solution = solve_open(Board(distances), played, held(hands), gold is not None)
    assert solution.left.unsettled == 0
    assert solution.left.residual <= messages.CLOSE
    seen = 0
    for (where, mover, left), expected in literal.table.items():
        found = solution.rolling(where, mover, bits_of(held(hands), left))
        assert list(found) == pytest.approx(expected, abs=1e-12), (where, mover, left)
        seen += 1
    assert seen >= len(solution.board) * len(hands) * 3


def bits_of(all_held, left):
    rest = [Held(seat, message) for seat, cards in enumerate(left) for message in cards]
    found = 0
    for number, each in enumerate(all_held):
        if each in rest:
            rest.remove(each)
            found |= 1 << number
    return found


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("roll", [1, 3, 6])
def test_the_answer_against_the_state_machine(tmp_path, seat, roll):
    """Every choice that the answer values, taken in the literal day."""
    distances, hands = (3, 1, 4, 6), (hand("add2"), (), hand("keep,stop"))
    asked = reveal.Asked(Aim(3), distances, 0, roll, hands, seat)
    solution = reveal.solved(Asking(tmp_path, 1 << 30), asked)

    def leaf(day):
        if day.is_over:
            return tuple(float(day.reached == each) for each in range(4))
        down = bits_of(held(hands), day.hands)
        return tuple(map(float, solution.rolling(day.distances, day.turn, down)))

    day = new_day(3, distances, 0, hands).apply(lookahead.Roll(roll))
    found = reveal.answer(Asking(tmp_path, 1 << 30), asked, BOX)
    assert json.loads(json.dumps(found)) == found
    assert found["values"] == pytest.approx(lookahead.value(day, leaf), abs=1e-12)
    if seat == 0:
        quiet, *reveals = lookahead.choices(day, leaf)
        moves = lookahead.choices(day.apply(quiet[0]), leaf)
        expected = [row for _, row in (*reveals, *moves)]
        shown = [each["values"] for each in found["options"]]
    else:
        expected, shown = [], [o["values"] for a in found["announced"] for o in a["options"]]
        for step, _ in lookahead.choices(day.apply(lookahead_quiet()), leaf):
            asked_day = day.apply(lookahead_quiet()).apply(step)
            if asked_day.stage.value == "answer" and asked_day.actor == seat:
                expected += [row for _, row in lookahead.choices(asked_day, leaf)]
            else:
                assert seat == 1
                expected.append(lookahead.value(asked_day, leaf))
    assert sorted(map(list, expected)) == [pytest.approx(row, abs=1e-12) for row in sorted(shown)]


def lookahead_quiet():
    from advisor.giveit.rules.day import Quiet

    return Quiet()
