"""Pools that lose workers: every task is done, none is done in vain."""

import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from advisor import jobs
from advisor.errors import AdvisorError, InvalidOption


def square(number):
    return number * number


def die_once(task):
    marker, number = task
    if number == 3 and not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_every_task_is_done_and_no_more_than_width_are_taken_at_a_time():
    taken, done = [], []

    def tasks():
        for number in range(20):
            taken.append(number)
            assert len(taken) - len(done) <= 4
            yield number

    for task, result in jobs.run(tasks(), square, lambda: ThreadPoolExecutor(2), 4):
        assert result == task * task
        done.append(task)
    assert sorted(done) == list(range(20))


def test_a_killed_worker_costs_no_task(tmp_path):
    tasks = [(str(tmp_path / "died"), number) for number in range(6)]
    results = [result for _, result in jobs.run(tasks, die_once, lambda: jobs.LocalPool(2), 4)]
    assert sorted(results) == list(range(6))
    assert (tmp_path / "died").exists()


def test_an_explained_failure_is_not_tried_again():
    calls = []

    def fail(task):
        calls.append(task)
        raise InvalidOption("no")

    with pytest.raises(InvalidOption):
        list(jobs.run([1], fail, lambda: ThreadPoolExecutor(1), 1))
    assert calls == [1]


def test_a_task_that_always_fails_is_given_up():
    def fail(task):
        time.sleep(0)
        raise RuntimeError("broken")

    with pytest.raises(AdvisorError, match="failed 3 times at 7"):
        list(jobs.run([7], fail, lambda: ThreadPoolExecutor(1), 1))
