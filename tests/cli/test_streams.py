"""Output that cannot be written, or not in every letter; input that is closed; interrupts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

ADVISOR = [sys.executable, "-m", "advisor"]
posix = pytest.mark.skipif(os.name == "nt", reason="signals and devices are POSIX")
KEEP = ["keep", "/6552:Fa-", "--goal", "guard"]
LONG = ["final", "--best", "7x1", "--no-cache",
        *["--player", "Fa,La,Gu,Hu,As,Me,Nw,Pb,Kn,Mg,Al,Bi,Nm,Ge"] * 3]  # fmt: skip


def shell(command, **environment):
    """Run `advisor` with redirections, as a shell sets them up."""
    line = f'"{sys.executable}" -m advisor {command}'
    return subprocess.run(
        ["sh", "-c", line], capture_output=True, env=os.environ | environment, timeout=60
    )


def check_one_line(errors):
    assert b"Traceback" not in errors
    assert b"Exception ignored" not in errors
    assert len(errors.strip().splitlines()) <= 2, errors


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "cp850", "koi8-r", "cp932", "ascii"])
def test_an_encoding_without_some_letters_is_no_failure(encoding):
    for arguments in (
        ["cards", "hunter"],
        ["cards", "hunter", "--json"],
        ["cards", "--lang", "ja"],
    ):
        done = subprocess.run(
            [*ADVISOR, *arguments], capture_output=True,
            env=os.environ | {"PYTHONIOENCODING": encoding},
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        if "--json" in arguments:
            assert json.loads(done.stdout.decode(encoding))["cards"][0]["names"]["ja"] == "狩人"


@posix
@pytest.mark.parametrize("command", ["cards", "keep -", "play", "quiz", "knights keep -", "cache"])
def test_a_closed_input_is_an_empty_one(command):
    check_one_line(shell(f"{command} <&-").stderr)


@posix
@pytest.mark.parametrize("command", ["cards", "--help", "--version", "keep /6552:Fa- --goal guard"])
def test_a_closed_output_is_said_in_a_line(command):
    done = shell(f"{command} >&-")
    assert done.returncode == 1
    assert b"output is closed" in done.stderr
    check_one_line(done.stderr)
    check_one_line(shell(f"{command} >&- 2>&-").stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize(
    ("command", "environment"),
    [
        ("--help", {}),
        ("--version", {}),
        ("cards --json", {}),
        ("keep /6552:Fa- --goal guard", {}),
        ("", {"_ADVISOR_COMPLETE": "bash_source"}),
    ],
)
def test_a_full_disk_is_said_in_a_line(command, environment):
    done = shell(f"{command} >/dev/full", **environment)
    assert done.returncode == 1
    assert b"No space left" in done.stderr
    check_one_line(done.stderr)


@posix
@pytest.mark.parametrize("pause", [0.01, 0.04, 0.08, 0.15, 0.3, 1.0, 4.0])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_long_solve_at_any_moment(number, pause):
    running = subprocess.Popen([*ADVISOR, *LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # From our own first line on: before, the interpreter starts.
    time.sleep(0.15 + pause)
    running.send_signal(number)
    output, errors = running.communicate(timeout=30)
    assert output == b""
    if number == signal.SIGINT:
        assert (running.returncode, errors.decode().strip()) == (1, "interrupted")
    else:
        assert (running.returncode in (143, -signal.SIGTERM), errors) == (True, b"")
