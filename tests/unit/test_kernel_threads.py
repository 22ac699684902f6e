"""One graph serves several threads, and a call can be ended before its time."""

from __future__ import annotations

import _thread
import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from advisor import _kernel, multisets
from advisor.errors import Cancelled
from advisor.multisets import SIZES
from tests.kernel_graphs import MOST, arguments, calls, order, utilities


@pytest.fixture(scope="module")
def graph():
    return _kernel.TurnGraph(*arguments())


@pytest.fixture(scope="module")
def slow():
    """A graph whose solution takes so long that nobody waits for its end."""
    cards = [(_kernel.REROLL, 8, [])] * 12
    return _kernel.TurnGraph(8, 8, 0, 0, cards, multisets.space(8))


def many_goals(number):
    draw = np.random.default_rng(7)
    return draw.integers(0, 100, (number, SIZES[MOST + 1])).astype(float)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_are_the_same_bits_for_any_number_of_threads(graph, threads):
    goals = many_goals(20)
    alone = np.concatenate([graph.solve(goals[i : i + 1]) for i in range(len(goals))])
    out = np.empty_like(alone)
    step = -(-len(goals) // (2 * threads))
    places = [slice(i, i + step) for i in range(0, len(goals), step)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(lambda part: graph.solve(goals[part], 0, out[part]), places))
    assert np.array_equal(out, alone)
    assert np.array_equal(graph.solve(goals), alone)


def test_all_methods_at_once_give_what_they_give_one_by_one():
    graph, sound = calls()
    work = list(sound.items()) * 20
    expected = {name: graph_call(graph, name, given) for name, given in sound.items()}
    with ThreadPoolExecutor(5) as pool:
        found = pool.map(lambda item: graph_call(graph, *item), work)
    for (name, _), result in zip(work, found, strict=True):
        assert all(map(np.array_equal, result, expected[name]))


def graph_call(graph, name, given):
    found = getattr(graph, name.split()[0])(*given)
    return found if isinstance(found, tuple) else (found,)


def test_values_can_be_written_to_memory_that_is_there(graph):
    fresh = graph.solve(utilities())
    there = np.full_like(fresh, 5.0)
    assert graph.solve(utilities(), 0, there) is there
    assert np.array_equal(there, fresh)
    assert np.array_equal(graph.solve(utilities(), 2, there), graph.solve(utilities(), 2),
                          equal_nan=True)  # fmt: skip


@pytest.mark.parametrize(("spoil", "words"), [
    (lambda out: out[:1], "shape"), (lambda out: out.astype("f4"), "type"),
    (lambda out: np.asfortranarray(out), "C order"), (lambda out: out.tolist(), "not an array"),
    (np.broadcast_to, "read-only"),
])  # fmt: skip
def test_what_values_are_written_to(graph, spoil, words):
    out = np.zeros((2, graph.size))
    if spoil is np.broadcast_to:
        out.flags.writeable = False
    else:
        out = spoil(out)
    with pytest.raises(ValueError, match=words):
        graph.solve(utilities(), 0, out)


# ------------------------------------------------------------------ ending a call early


def one_goal(graph):
    return np.ones((1, SIZES[graph.most_dice + 1]))


def test_a_byte_ends_a_call_in_another_thread(slow):
    flag, ended = bytearray(1), []

    def work():
        try:
            slow.solve(one_goal(slow), cancel=flag)
        except Cancelled as error:
            ended.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(0.2)
    assert thread.is_alive()
    flag[0] = 1
    thread.join(60)
    assert not thread.is_alive()
    assert len(ended) == 1


@pytest.mark.parametrize("flag", [bytearray(b"\1"), np.ones(1, dtype=bool)])
def test_a_byte_that_is_set_ends_every_call(flag):
    graph, sound = calls()
    for name, given in sound.items():
        if name not in ("memory", "hope"):
            with pytest.raises(Cancelled, match="stopped before its end"):
                getattr(graph, name.split()[0])(*given, cancel=flag)
            flag[0] = 0
            assert all(map(np.array_equal, graph_call(graph, name, given),
                           graph_call_with(graph, name, given, flag)))  # fmt: skip
            flag[0] = 1


def graph_call_with(graph, name, given, flag):
    found = getattr(graph, name.split()[0])(*given, cancel=flag)
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize("flag", [0, b"\0", bytearray(2), bytearray(), "x", np.zeros(1), object()])
def test_what_can_end_a_call(graph, flag):
    with pytest.raises(ValueError, match="cancel"):
        graph.solve(utilities(), cancel=flag)
    with pytest.raises(ValueError, match="cancel"):
        graph.nodes(graph.solve(utilities()), 0, False, 63, flag)


def test_the_main_thread_is_interrupted_as_ever(slow):
    # A worker of the test runner may be deaf to this signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.2, _thread.interrupt_main).start()
        with pytest.raises(KeyboardInterrupt):
            slow.solve(one_goal(slow))
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupted_graph_goes_on(graph):
    flag = bytearray(b"\1")
    before = graph.solve(utilities())
    for _ in range(3):
        with pytest.raises(Cancelled):
            graph.solve(utilities(), cancel=flag)
        assert np.array_equal(graph.solve(utilities()), before)
    with pytest.raises(Cancelled):
        graph.follow(before[0], *order(), 63, 0, np.zeros(0, np.int64), np.zeros(0), cancel=flag)
