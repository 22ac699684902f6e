"""The kernel refuses what it cannot work with, and nothing that it is given ends the process."""

from __future__ import annotations

import copy
import subprocess
import sys

import numpy as np
import pytest

from advisor import _kernel, multisets
from advisor.errors import AdvisorError, ForeignValues
from advisor.multisets import SIZES, Rows
from tests.kernel_graphs import MOST, arguments, brings, calls, order, utilities

PARTS = int(SIZES[MOST + 1])


@pytest.fixture(scope="module")
def graph():
    return _kernel.TurnGraph(*arguments())


@pytest.fixture(scope="module")
def values(graph):
    return graph.solve(utilities())


def refused(words, call, *given):
    with pytest.raises((ValueError, TypeError), match=words) as caught:
        call(*given)
    assert len(str(caught.value)) < 200


def built(**other):
    """Make a graph with some arguments replaced."""
    names = ["root_dice", "most_dice", "brings", "aside_faces", "cards", "space"]
    return _kernel.TurnGraph(*(dict(zip(names, arguments(), strict=True)) | other).values())


def with_card(card, place=0):
    cards = arguments()[4]
    cards[place] = card
    return built(cards=cards)


def broken(rows, *, offsets=None, items=None):
    return Rows(
        rows.offsets if offsets is None else offsets, rows.items if items is None else items
    )


# ------------------------------------------------------------------ the constructor


@pytest.mark.parametrize(("name", "value", "words"), [
    ("root_dice", -1, "root_dice -1"), ("root_dice", MOST + 1, "root_dice 5"),
    ("root_dice", 2.5, "float"), ("root_dice", 10**30, "more than 18 digits"),
    ("most_dice", -1, "most_dice -1"), ("most_dice", 13, "13 dice"), ("most_dice", 2, "root_dice"),
    ("brings", 64, "brings 64"), ("brings", -1, "brings -1"), ("aside_faces", 64, "aside_faces 64"),
    ("cards", None, "not a list"), ("cards", [(0, 0)], "card 0 must be"),
    ("cards", [(_kernel.MOVE, 0, [])] * 17, "17 cards"),
    ("space", None, "five arrays"), ("space", multisets.space(3), "space: successors has shape"),
])  # fmt: skip
def test_numbers_of_a_graph(name, value, words):
    refused(words, lambda: built(**{name: value}))


def test_a_graph_is_whole_or_not_at_all(graph):
    refused("argument", _kernel.TurnGraph.__new__, _kernel.TurnGraph)
    refused("reduce", copy.copy, graph)


@pytest.mark.parametrize(("card", "words"), [
    ((7, 0, []), "kind 7"),
    ((_kernel.MOVE, 0), "card 0 must be"),
    ((_kernel.REROLL, 2, []), "must be MOVE"),
    ((_kernel.MOVE, 1, []), "limit 1"),
    ((_kernel.MOVE, 0, 5), "moves is a int"),
    ((_kernel.MOVE, 0, [None] * 9), "more than 4 dice"),
    ((_kernel.MOVE, 0, [None, None]), "moves of 1 dice is missing"),
    ((_kernel.MOVE, 0, [None, brings(2)]), "offsets has shape"),
    ((_kernel.MOVE, 0, [None, (brings(1).offsets,)]), "pair"),
])  # fmt: skip
def test_what_a_card_is(card, words):
    refused(words, with_card, card)


@pytest.mark.parametrize(("card", "words"), [
    ((_kernel.REROLL, 0, []), "limit 0"), ((_kernel.REROLL, 13, []), "limit 13"),
    ((_kernel.RAISE, 0, []), "limit 0"), ((_kernel.RAISE, 6, []), "limit 6"),
    ((_kernel.SET, 1, []), "limit 1"), ((_kernel.COPY, -1, []), "limit -1"),
    ((_kernel.REROLL, 1, [None, brings(1)]), "must be MOVE"),
    ((_kernel.COPY, 0, []), "two cards that copy"),
])  # fmt: skip
def test_what_the_other_kinds_of_cards_are(card, words):
    refused(words, with_card, card, 1)


@pytest.mark.parametrize(("spoil", "words"), [
    (lambda rows: broken(rows, items=rows.items + 1000), "must lie in 0 to 20"),
    (lambda rows: broken(rows, items=rows.items - 1000), "must lie in 0 to 20"),
    (lambda rows: broken(rows, items=rows.items[:-1]), "offsets must rise"),
    (lambda rows: broken(rows, items=rows.items.astype(np.int64)), "type int64"),
    (lambda rows: broken(rows, items=rows.items.astype(">i4")), "type >i4"),
    (lambda rows: broken(rows, items=rows.items[:, None]), "shape"),
    (lambda rows: broken(rows, items=np.repeat(rows.items, 2)[::2]), "one aligned piece"),
    (lambda rows: broken(rows, items=rows.items.tolist()), "not an array"),
    (lambda rows: broken(rows, offsets=rows.offsets[::-1].copy()), "offsets must rise"),
    (lambda rows: broken(rows, offsets=rows.offsets + 1), "offsets must rise"),
    (lambda rows: broken(rows, offsets=np.array([0, 2, 1, 3, 4, 5, 6], np.int32)), "must rise"),
    (lambda rows: broken(rows, offsets=rows.offsets[:-1]), "shape"),
])  # fmt: skip
def test_lists_of_moves(spoil, words):
    refused(words, with_card, (_kernel.MOVE, 0, [None, spoil(brings(1))]))


def test_the_space_of_multisets():
    first, up, down, weights, counts = multisets.space(MOST)
    nothing = Rows(np.zeros(PARTS + 1, np.int32), down.items[:0])
    far, backwards, few = up.copy(), up.copy(), counts.copy()
    far[3, 2], backwards[3, 2], few[5] = 10**6, 0, 0
    for words, space in (
        ("first", (first + 1, up, down, weights, counts)),
        ("successors must lie", (first, far, down, weights, counts)),
        ("successors must lie", (first, backwards, down, weights, counts)),
        ("predecessors", (first, up, broken(down, items=down.items * 0 + 3), weights, counts)),
        ("missing", (first, up, nothing, weights, counts)),
        ("weights", (first, up, down, weights * 2, counts)),
        ("weights", (first, up, down, weights.astype(np.float32), counts)),
        ("counts", (first, up, down, weights, few)),
        ("counts", (first, up, down, weights, counts * -1)),
    ):  # fmt: skip
        refused(words, lambda space=space: built(space=space))


def test_lists_may_be_changed_afterwards():
    """The graph keeps read-only arrays, or copies."""
    given = arguments()
    wide = [np.array(each) for each in given[4][0][2][1]]
    given[4][0][2][1] = Rows(*wide)
    graph = _kernel.TurnGraph(*given)
    before = graph.solve(utilities())
    for array in wide:
        array[:] = 10**6
    given[4].clear()
    for array in (graph.offsets, graph.dice_of):
        refused("read-only", array.fill, 10**9)
        array.flags.writeable = True
        array.fill(10**9)
    assert np.array_equal(graph.solve(utilities()), before)


# ------------------------------------------------------------------ the methods


@pytest.mark.parametrize(("goals", "words"), [(-1, "goals -1"), (2**70, "digits"), ("2", "str")])
def test_memory(graph, goals, words):
    refused(words, graph.memory, goals)
    assert graph.memory(10**9) > graph.memory(1) > 0


@pytest.mark.parametrize("method", ["solve", "hope"])
@pytest.mark.parametrize(("spoil", "words"), [
    (lambda u: u[0], "shape"), (lambda u: u[:, :-1], "shape"), (lambda u: u[None], "shape"),
    (lambda u: np.concatenate([u, u], axis=1), "shape"), (lambda u: u.astype(int), "type int64"),
    (lambda u: np.asfortranarray(u), "C order"), (lambda u: u.tolist(), "not an array"),
    (lambda u: u * np.nan, "finite"), (lambda u: u / 0, "finite"),
])  # fmt: skip
def test_utilities(graph, method, spoil, words):
    with np.errstate(all="ignore"):
        given = spoil(utilities())
    refused(words, getattr(graph, method), given)


def test_no_goal_has_no_values(graph):
    nothing = np.zeros((0, PARTS))
    assert graph.solve(nothing).shape == (0, graph.size)
    assert graph.hope(nothing).shape == (0, PARTS)
    assert graph.nodes(np.zeros((0, graph.size)), 0, False, 63)[1].shape[0] == 0


@pytest.mark.parametrize("layer", [-1, MOST + 1, 1.0])
def test_first_layer(graph, layer):
    refused("first_layer", graph.solve, utilities(), layer)


def test_what_was_not_laid_out_is_not_played(values):
    """Such graphs only say how much memory they would take."""
    short = with_card((_kernel.MOVE, 0, [None, brings(1)]))
    assert short.memory() > 0
    refused("card 0 is laid out for 1", short.solve, utilities())
    refused("card 0 is laid out for 1", short.nodes, values, 0, False, 63)
    refused("card 0 is laid out for 1", short.follow, values[0], *order(), 63, 0,
            np.zeros(0, np.int64), np.zeros(0))  # fmt: skip


@pytest.mark.parametrize("aside", [-1, PARTS, 10**6, 2**31, 2**64, 0.5, None])
def test_multisets_aside(graph, values, aside):
    refused("aside", graph.nodes, values, aside, False, 63)
    refused(
        "aside", graph.follow, values[0], *order(), 63, aside, np.zeros(0, np.int64), np.zeros(0)
    )


@pytest.mark.parametrize("u", [-1, 64, 2**40, None])
def test_sets_of_unused_cards(graph, values, u):
    refused("u ", graph.nodes, values, 0, False, u)
    refused("u ", graph.follow, values[0], *order(), u, 0, np.zeros(0, np.int64), np.zeros(0))


def test_more_dice_aside_than_in_play(graph, values):
    """With card 0 still unused three dice are in play, not four."""
    four = PARTS - 1
    assert graph.nodes(values, four, False, 62)[1].shape[0] == 2
    refused("4 dice cannot be set aside", graph.nodes, values, four, False, 63)
    never = _kernel.TurnGraph(4, *arguments()[1:])
    refused("0 are in play", never.nodes, never.solve(utilities()), 0, False, 62)


@pytest.mark.parametrize(("spoil", "words"), [
    (lambda v: v[:, :-1], "shape"), (lambda v: v[0], "shape"), (lambda v: v.astype("f4"), "type"),
    (lambda v: np.asfortranarray(v), "C order"), (lambda v: None, "not an array"),
])  # fmt: skip
def test_values_of_nodes(graph, values, spoil, words):
    refused(words, graph.nodes, spoil(values), 0, False, 63)


def other_use(card, number):
    """Replace the lists of one card and number of dice by those of re-rolling all."""
    found = order()[1]
    found[card][number] = Rows(order()[1][3][number].offsets, order()[1][3][number].items + 9999)
    return found


def other_copies(spoil):
    found = order()[1]
    found[2][2] = spoil(*found[2][2])
    return found


COPIES = [
    (lambda direct, needs, pulled: (direct, needs + 6, pulled), "needs must lie in 0 to 5"),
    (lambda direct, needs, pulled: (direct, needs[:-1], pulled), "needs has shape"),
    (lambda direct, needs, pulled: (direct, needs.astype(np.int8), pulled), "needs has type"),
    (lambda direct, needs, pulled: (pulled, needs, direct), "must lie in|shape"),
    (lambda direct, needs, pulled: (direct, needs, broken(pulled, items=pulled.items + 36)),
     "pulled, items must lie in 0 to 35"),
]  # fmt: skip


def followed(graph, given_values, **other):
    asides, uses = order()
    given = {
        "values": given_values[0], "set_asides": asides, "uses": uses, "u": 63, "aside": 0,
        "nodes": np.array([0, 7]), "shares": np.array([0.5, 0.5]), "may_roll": False, "hope": None,
    }  # fmt: skip
    return graph.follow(**(given | other))


@pytest.mark.parametrize(("other", "words"), [
    ({"values": utilities()}, "values has shape"),
    ({"values": None}, "values is a NoneType"),
    ({"set_asides": None}, "set_asides is a NoneType"),
    ({"set_asides": []}, "set_asides has 0 entries"),
    ({"set_asides": [None] * 5}, "set_asides of 1 dice is missing"),
    ({"uses": []}, "uses has 0 entries"),
    ({"uses": [[]] * 6}, "uses of card 1 has 0 entries"),
    ({"uses": other_use(1, 3)}, "uses of card 1, 3 dice"),
    ({"uses": other_use(4, 2)}, "uses of card 4, 2 dice"),
    ({"uses": other_use(5, 4)}, "uses of card 5, 4 dice"),
    ({"uses": other_use(2, 1)}, "uses of card 2, 1 dice must be"),
    *(({"uses": other_copies(spoil)}, words) for spoil, words in COPIES),
    ({"nodes": np.array([56, 0])}, "ranks of 3 active dice"),
    ({"nodes": np.array([-1, 0])}, "ranks of 3 active dice"),
    ({"nodes": np.array([2**62, 0])}, "ranks of 3 active dice"),
    ({"nodes": np.array([0])}, "shares has shape"),
    ({"nodes": np.array([0, 1], dtype=np.int32)}, "type int32"),
    ({"nodes": np.array([[0, 1]])}, "shape"),
    ({"nodes": np.zeros(2, int), "aside": int(SIZES[3])}, "ranks of 0 active dice"),
    ({"shares": np.array([0.5, -0.5])}, "not negative"),
    ({"shares": np.array([0.5, np.nan])}, "finite"),
    ({"hope": np.ones(PARTS)}, "hope has type"),
    ({"hope": np.ones(PARTS - 1, dtype=bool)}, "hope has shape"),
])  # fmt: skip
def test_what_is_followed(graph, values, other, words):
    assert followed(graph, values).sum() == pytest.approx(1)
    refused(words, lambda: followed(graph, values, **other))


def test_values_that_were_not_solved_are_not_followed(graph, values):
    with pytest.raises(ForeignValues, match="no option has the value of its node"):
        followed(graph, values * np.nan, nodes=np.zeros(0, int), shares=np.zeros(0))
    assert issubclass(ForeignValues, AdvisorError)


def test_equal_nodes_add_up(graph, values):
    once = followed(graph, values, nodes=np.array([7]), shares=np.ones(1))
    twice = followed(graph, values, nodes=np.array([7, 7]), shares=np.array([0.5, 0.5]))
    assert np.array_equal(once, twice)


# ------------------------------------------------------------------ at random


def test_spoilt_calls_end_no_process():
    done = subprocess.run([sys.executable, "-m", "tests.kernel_graphs", "2000", "1"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    refusals, answers = map(int, done.stdout.split())
    assert refusals > 1000
    assert answers > 100


def test_the_sound_calls_of_the_random_ones_are_sound():
    graph, sound = calls()
    for method, given in sound.items():
        getattr(graph, method.split()[0])(*given)
