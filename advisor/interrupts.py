"""Ctrl-C and SIGTERM end the program within a second, whatever it is doing.

Python runs its own handlers between two steps of the main thread only, and a solve is one long
step. So a thread of its own watches: where the main thread has not heard of the signal after a
moment, it says so and ends the process. Nothing is lost by that, as files are written whole or
only added to.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from contextlib import suppress
from typing import Final, NoReturn

GRACE: Final = 0.4
"""Seconds that the main thread has to hear of a signal."""
INTERRUPTED: Final = 1
TERMINATED: Final = 128 + signal.SIGTERM

_heard = threading.Event()
_ever = threading.Event()


def watch() -> None:
    """Begin to watch; only in the main thread of a program of its own."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _terminate)
    # Both ends live as long as the thread.
    threading.Thread(target=_watched, args=(ours, theirs), daemon=True).start()


def _interrupt(number: int, frame: object) -> NoReturn:
    _heard.set()
    _ever.set()
    raise KeyboardInterrupt


def _terminate(number: int, frame: object) -> NoReturn:
    end(TERMINATED)


def _watched(ours: socket.socket, theirs: socket.socket) -> None:
    while True:
        number = ours.recv(1)[0]
        if number in (signal.SIGINT, signal.SIGTERM) and not _heard.wait(GRACE):
            if number == signal.SIGINT:
                say()
            end(INTERRUPTED if number == signal.SIGINT else TERMINATED)
        _heard.clear()


def say() -> None:
    """Write the one line that an interrupted command ends with."""
    with suppress(OSError, ValueError, AttributeError):
        print("interrupted", file=sys.stderr, flush=True)


def end(code: int) -> NoReturn:
    """End the process now: threads that solve are not waited for, and no worker is left."""
    if "multiprocessing" in sys.modules:
        import multiprocessing

        for process in multiprocessing.active_children():
            process.kill()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def must_end() -> bool:
    """Return whether the process has to be ended from here rather than by Python.

    Threads may be left that it would wait for; and after some interrupts Python kills itself by
    the same signal, whatever came of it.
    """
    return _ever.is_set() or any(
        thread is not threading.main_thread() and not thread.daemon
        for thread in threading.enumerate()
    )
