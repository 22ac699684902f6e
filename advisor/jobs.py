"""Many tasks over a pool of workers that can be lost; knows only the concurrent.futures protocol.

The local process pool and a Dask cluster differ in how the pool is made and in nothing else.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from advisor.errors import AdvisorError, MissingExtra, UsageProblem

Task = TypeVar("Task")
Result = TypeVar("Result")

ATTEMPTS: Final = 3


class LostTask(AdvisorError):
    """A task that failed again and again."""


class NoScheduler(UsageProblem):
    """No scheduler of a cluster answers at the address."""


def run(
    tasks: Iterable[Task],
    work: Callable[[Task], Result],
    make_pool: Callable[[], Executor],
    width: int,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result as it is finished; what a lost worker had is done again.

    At most `width` tasks are in the pool at a time and `tasks` is read no faster, so it may
    reserve each task when it hands it out.
    """
    pool, pending = make_pool(), iter(tasks)
    again: list[Task] = []
    running: dict[Future[Result], Task] = {}
    failures: Counter[int] = Counter()
    try:
        while True:
            _fill(pool, work, running, again, pending, width)
            if not running:
                return
            broken = False
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(future)
                error = future.exception()
                if error is None:
                    yield task, future.result()
                    continue
                failures[id(task)] += 1
                if isinstance(error, AdvisorError):
                    raise error
                if failures[id(task)] == ATTEMPTS:
                    raise LostTask(f"a worker failed {ATTEMPTS} times at {task}: {error!r}")
                again.append(task)
                broken = True
            if broken and isinstance(pool, LocalPool):
                # A process pool that lost a worker is of no further use.
                again += running.values()
                running.clear()
                pool.stop()
                pool = make_pool()
    finally:
        for future in running:
            future.cancel()
        if isinstance(pool, LocalPool):
            pool.stop()
        pool.shutdown(wait=False)


def _fill(
    pool: Executor,
    work: Callable[[Task], Result],
    running: dict[Future[Result], Task],
    again: list[Task],
    pending: Iterator[Task],
    width: int,
) -> None:
    while len(running) < width:
        task = again.pop() if again else next(pending, None)
        if task is None:
            return
        running[pool.submit(work, task)] = task


class LocalPool(ProcessPoolExecutor):
    """Processes of this machine that end with their parent, however that ends."""

    def __init__(self, jobs: int) -> None:
        super().__init__(
            jobs,
            # A fresh interpreter: nothing of the parent's threads, locks or open files.
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_watch_parent,
            initargs=(os.getpid(),),
        )

    def stop(self) -> None:
        """End the workers now, whatever they are doing."""
        for process in list((self._processes or {}).values()):
            process.terminate()
        self.shutdown(wait=False, cancel_futures=True)


def _watch_parent(parent: int) -> None:
    # Ctrl-C is the parent's business; an orphan would wait for work forever.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


@contextlib.contextmanager
def cluster(address: str) -> Iterator[Callable[[], Executor]]:
    """Give a maker of pools on the Dask cluster whose scheduler listens at an address."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise MissingExtra(
            "--scheduler needs dask.distributed: install it with "
            "'pip install court-advisor[cluster]'"
        ) from error
    try:
        # First a bare connection: a client that finds nobody leaves noise behind.
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        socket.create_connection((parts.hostname or "", parts.port or 8786), timeout=10).close()
        client = distributed.Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoScheduler(
            f"no Dask scheduler answers at {address!r} ({error}): start one with 'dask scheduler' "
            "and give its address, for example tcp://127.0.0.1:8786"
        ) from error
    try:
        yield lambda: client.get_executor(pure=False)
    finally:
        client.close()
