"""The command `advisor`, also as `python -m advisor`: streams and interrupts before all else."""

from __future__ import annotations

import os
import sys
from typing import TextIO, cast

from advisor import interrupts


def run() -> None:
    """Run the command line and end the process."""
    try:
        _mend_streams()
        interrupts.watch()
        code = _run()
    except KeyboardInterrupt:
        interrupts.say()
        code = interrupts.INTERRUPTED
    code = _flushed(code)
    if code and interrupts.must_end():
        interrupts.end(code)
    sys.exit(code)


def _run() -> int:
    try:
        from advisor.cli import main

        main(prog_name="advisor")
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except OSError as error:
        return _no_output(error)
    return 0


def _mend_streams() -> None:
    """Make the streams fit to be used: closed ones, and those that cannot write every letter."""
    if sys.stdin is None:
        sys.stdin = _nowhere("r")
    if sys.stdout is None:
        sys.stdout = _nowhere("w")
        if sys.stderr is not None:
            print("Error: standard output is closed: nothing can be shown", file=sys.stderr)
        sys.exit(1)
    if sys.stderr is None:
        sys.stderr = _nowhere("w")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _nowhere(mode: str) -> TextIO:
    """Return a stream to or from nowhere; it also keeps files from getting the closed number."""
    return cast(TextIO, open(os.devnull, mode, encoding="utf-8"))


def _flushed(code: int) -> int:
    try:
        sys.stdout.flush()
    except OSError as error:
        return _no_output(error)
    return code


def _no_output(error: OSError) -> int:
    """Say in a line why there is no output, and keep the end of the program from trying again."""
    if not isinstance(error, BrokenPipeError):
        print(f"Error: output: {error.strerror or error}", file=sys.stderr)
    sys.stdout = _nowhere("w")
    return 1


if __name__ == "__main__":
    run()
