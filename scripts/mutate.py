"""Small changes of the program, each of which some test has to notice; prints those that none does.

    python scripts/mutate.py                    all of scripts/mutants.toml
    python scripts/mutate.py --only race        those whose name has this in it

Each change is made in a copy of the checkout, the tests named with it are run there, and at least
one of them has to fail. A change that cannot be noticed is `equivalent`, with the proof beside it;
its tests have to pass. The kernel is built anew for its own changes, which takes Cython in this
environment: pip install cython setuptools.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
LIST: Final = Path(__file__).with_name("mutants.toml")
COPIED: Final = ("advisor", "ext", "tables", "tests", "scripts", "docs", "pyproject.toml",
                 "setup.py", "LICENSE", "README.md", "MANIFEST.in", "CHANGELOG.md")  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """`before` stands once in `file` and becomes `after`; `tests` are what has to fail then."""

    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]
    equivalent: str = ""
    """Why no test can tell the difference, if that is so."""

    def applied(self, text: str) -> str:
        """Return the text of the file with the change; raises ValueError if it does not fit."""
        if text.count(self.before) != 1:
            raise ValueError(f"{self.name}: {self.before!r} stands {text.count(self.before)} times")
        return text.replace(self.before, self.after)


def load() -> list[Mutant]:
    """Return the changes of the list."""
    entries = tomllib.loads(LIST.read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**entry | {"tests": tuple(entry["tests"])}) for entry in entries]


def copied(where: Path) -> None:
    """Copy what the tests need, the built kernel included."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, where / name,
                            ignore=shutil.ignore_patterns("__pycache__"))  # fmt: skip
        else:
            shutil.copy(ROOT / name, where / name)


def is_noticed(mutant: Mutant, where: Path) -> bool:
    """Return whether one of the mutant's tests fails in the copy once it is changed."""
    file = where / mutant.file
    original = file.read_text(encoding="utf-8")
    compiled = file.suffix in (".pyx", ".pxi", ".h")
    file.write_text(mutant.applied(original), encoding="utf-8")
    try:
        if compiled:
            _build(where)
        tests = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n", "0"]
        done = subprocess.run([*tests, *mutant.tests], cwd=where, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=_environment(where))  # fmt: skip
        if done.returncode not in (0, 1, 2) and done.returncode > 0:
            raise SystemExit(f"{mutant.name}: pytest ended with {done.returncode}")
        return done.returncode != 0
    finally:
        file.write_text(original, encoding="utf-8")
        if compiled:
            _build(where)


def _build(where: Path) -> None:
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace", "--force"]
    subprocess.run(build, cwd=where, check=True, capture_output=True)


def _environment(where: Path) -> dict[str, str]:
    # The copy, not the checkout that may be installed.
    return {**os.environ, "PYTHONPATH": str(where), "PYTHONDONTWRITEBYTECODE": "1"}


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--only", default="", help="changes with this in their name")
    chosen = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        copied(Path(folder))
        for mutant in load():
            if chosen.only not in mutant.name:
                continue
            begin = time.monotonic()
            noticed = is_noticed(mutant, Path(folder))
            as_it_should = noticed != bool(mutant.equivalent)
            wrong += [] if as_it_should else [mutant.name]
            word = "noticed" if noticed else "equivalent" if mutant.equivalent else "SURVIVED"
            print(f"{word:<10} {time.monotonic() - begin:5.0f} s  {mutant.name}", flush=True)
    print(f"{len(wrong)} of the changes not as they should be" + "".join(f"\n  {n}" for n in wrong))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
