"""Many tasks over a pool of workers that can be lost; knows only the concurrent.futures protocol.

The local process pool and a Dask cluster differ in how the pool is made and in nothing else.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, Final, Self, TypeVar
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
    """Yield each task with its result as it is finished; see Workers."""
    with Workers(make_pool, width) as workers:
        yield from workers.run(tasks, work)


class Workers:
    """A pool for many rounds of tasks, made anew when it breaks; stopped at the end of `with`."""

    def __init__(self, make_pool: Callable[[], Executor], width: int) -> None:
        """At most `width` tasks are in the pool at a time."""
        self.make_pool, self.width = make_pool, width
        self.pool: Executor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop()

    def _stop(self) -> None:
        pool, self.pool = self.pool, None
        if isinstance(pool, LocalPool):
            pool.stop()
        elif pool:
            pool.shutdown(wait=False)

    def run(
        self, tasks: Iterable[Task], work: Callable[[Task], Result]
    ) -> Iterator[tuple[Task, Result]]:
        """Yield each task with its result as it is finished; what a lost worker had is done again.

        `tasks` is read no faster than it is worked on, so it may reserve each task when it hands
        it out.
        """
        pending = iter(tasks)
        again: list[Task] = []
        running: dict[Future[Result], Task] = {}
        failures: Counter[int] = Counter()
        breaks = 0
        try:
            while True:
                broken = not self._fill(work, running, again, pending)
                if not (running or broken):
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                    task = running.pop(future)
                    error = _error_of(future)
                    if error is None:
                        breaks, failures[id(task)] = 0, 0
                        yield task, future.result()
                        continue
                    if isinstance(error, AdvisorError):
                        raise error
                    if isinstance(error, BrokenExecutor):
                        broken = True
                    else:
                        failures[id(task)] += 1
                    if failures[id(task)] == ATTEMPTS:
                        raise LostTask(f"a worker failed {ATTEMPTS} times at {task}: {error!r}")
                    again.append(task)
                if broken:
                    # A pool that lost a worker is of no further use, and no task is to blame.
                    breaks += 1
                    if breaks == ATTEMPTS:
                        raise LostTask(
                            f"workers ended {ATTEMPTS} times before a task was finished: lower "
                            "--jobs, or look whether memory runs out"
                        )
                    again += running.values()
                    running.clear()
                    self._stop()
        finally:
            for future in running:
                future.cancel()

    def _fill(
        self,
        work: Callable[[Task], Result],
        running: dict[Future[Result], Task],
        again: list[Task],
        pending: Iterator[Task],
    ) -> bool:
        """Hand tasks to the pool up to the width; return whether it takes them."""
        while len(running) < self.width:
            task = again.pop() if again else next(pending, None)
            if task is None:
                return True
            if self.pool is None:
                self.pool = self.make_pool()
            try:
                running[self.pool.submit(work, task)] = task
            except BrokenExecutor:
                again.append(task)
                return False
        return True


def _error_of(future: Future[Any]) -> BaseException | None:
    try:
        return future.exception()
    except CancelledError:
        raise LostTask(
            "the scheduler gave the tasks up: see whether it still runs, then run the same command "
            "again; what was finished stays"
        ) from None


class LocalPool(ProcessPoolExecutor):
    """Processes of this machine that end with their parent, however that ends."""

    def __init__(self, jobs: int) -> None:
        self.started = _Started()
        super().__init__(
            jobs, mp_context=self.started, initializer=_watch_parent, initargs=(os.getpid(),)
        )

    def stop(self) -> None:
        """End the workers now, whatever they are doing."""
        over = threading.Event()
        killer = threading.Thread(target=self._kill_until, args=(over,), daemon=True)
        killer.start()
        # The pool's thread ends once its workers are gone, those just being started included; an
        # exit of the program before that would wait or be noisy.
        self.shutdown(wait=True, cancel_futures=True)
        over.set()
        killer.join()

    def _kill_until(self, over: threading.Event) -> None:
        while True:
            for process in self.started.processes:
                if process.is_alive():
                    process.terminate()
            if over.wait(0.05):
                return


class _Started(SpawnContext):
    """Starts fresh interpreters, with nothing of the parent's threads, locks or open files.

    It knows which it has started.
    """

    def __init__(self) -> None:
        super().__init__()
        self.processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **more: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802
        process = SpawnProcess(*args, **more)
        self.processes.append(process)
        return process


def _watch_parent(parent: int) -> None:
    # Ctrl-C is the parent's business; an orphan would wait for work forever.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


@contextlib.contextmanager
def cluster(address: str) -> Iterator[tuple[Callable[[], Executor], int]]:
    """Give a maker of pools on the Dask cluster at an address, and how many tasks run at once."""
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise MissingExtra(
            "--scheduler needs dask.distributed: install it with pip install 'dask[distributed]'"
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
        threads = sum(client.nthreads().values())
        yield lambda: client.get_executor(pure=False), max(1, threads)
    finally:
        client.close()
