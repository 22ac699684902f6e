"""Kill `advisor precompute` at random moments, over and over, and count what was lost.

    python scripts/kill_precompute.py --kills 200

After every kill each table in the folder must be sound and none that was there may be missing or
changed; at the end one undisturbed run must find them all and make the rest.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from advisor.storage import tables

PLAN = ["--upto", "6", "--from", "maid,laborer,hunter,astronomer,merchant,guard,fool,magician",
        "--goal", "knight"]  # fmt: skip


def sound(folder: Path) -> dict[str, bytes]:
    """Return the checksum of every table, each checked whole."""
    found = {}
    for path in tables.all_tables(folder):
        tables.read_header(path).check()
        found[path.name] = path.read_bytes()[-32:]
    return found


def killed(folder: Path, pause: float) -> None:
    """Start a run and kill it and its workers' parent after a pause."""
    command = [sys.executable, "-m", "advisor", "precompute", *PLAN, "--tables", str(folder)]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(pause)
    running.send_signal(signal.SIGKILL)
    running.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    rng = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        folder, lost = Path(name), 0
        before: dict[str, bytes] = {}
        os.environ["ADVISOR_CACHE"] = name
        for number in range(chosen.kills):
            killed(folder, rng.uniform(0.3, 2.0))
            now = sound(folder)
            lost += sum(now.get(file) != checksum for file, checksum in before.items())
            before = now
            if number % 20 == 19:
                print(f"{number + 1} kills, {len(now)} tables sound, {lost} lost", flush=True)
        subprocess.run([sys.executable, "-m", "advisor", "precompute", *PLAN, "--tables", name],
                       check=True)  # fmt: skip
        after = sound(folder)
        lost += sum(after.get(file) != checksum for file, checksum in before.items())
        drafts = list(folder.glob(".*.draft"))
    print(
        f"{chosen.kills} kills: {lost} tables lost, {len(after)} sound, {len(drafts)} drafts left"
    )
    sys.exit(bool(lost or drafts))


if __name__ == "__main__":
    main()
