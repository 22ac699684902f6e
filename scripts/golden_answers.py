"""Make or refresh tests/golden/answers.jsonl: recorded answers of the command line.

    python scripts/golden_answers.py

The file holds its own questions, one a line, and this script asks them all again and writes what
is answered now; a new question is a line `{"ask": "keep /6552:Fa- --goal guard --json"}`. Fields:

- `ask`: the arguments; the folder is tests/golden, so that files there can be named.
- `before`: questions asked first in the same folders, for what depends on the cache or on tables.
- `input`: standard input.
- `wrong`: a note that this answer is known to be wrong and is to change.
- `idle_use`: added here where the answer shows the use of a card that changes nothing.
- `exit`, `json` (one object a line of standard output) or `text` (its lines), `error` (the lines of
  standard error): the answer.

Refreshing is legitimate only if answers are meant to change: keys or options were added or dropped,
words were changed, a fault was mended (take its `wrong` away). Then read every line of the diff. To
make a test pass after work that was not to change answers is not: there the work is at fault.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any, Final

from click.testing import CliRunner

from advisor.cli import main

Question = dict[str, Any]

FILE: Final = Path(__file__).parents[1] / "tests/golden/answers.jsonl"
ANSWER: Final = ("idle_use", "exit", "json", "text", "error")
IDLE: Final = "change nothing"
PASSING: Final = (
    (r"\btable [0-9a-f]{12}\b", "table CHECKSUM"),
    (r'("seconds": )[\d.e-]+', r"\g<1>0"),
)
"""What tells of the kernel's revision or the machine, and what stands in its place."""
CUT: Final = (("limit", "budget"), ("unfinished", True))
"""What says that an answer was cut by the clock."""


def read() -> list[Question]:
    """Return the questions of the file, with their answers."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def answered(question: Question, folder: Path) -> Question:
    """Return the question with the answer of now; `folder` keeps its cache, tables and scores."""
    for before in question.get("before", []):
        _run(before, None, folder)
    result = _run(question["ask"], question.get("input"), folder)
    shown, told = (_lasting(text, folder) for text in (result.stdout, result.stderr))
    answer: Question = {key: question[key] for key in question if key not in ANSWER}
    if IDLE in shown:
        answer["idle_use"] = True
    answer["exit"] = result.exit_code
    lines = shown.splitlines()
    if "--json" in shlex.split(question["ask"]):
        answer["json"] = [json.loads(line) for line in lines]
        _check_uncut(answer)
    else:
        answer["text"] = lines
    return answer | ({"error": told.splitlines()} if told else {})


def _run(arguments: str, typed: str | None, folder: Path) -> Any:
    with chdir(FILE.parent):
        return CliRunner().invoke(
            main, shlex.split(arguments), typed, _environment(folder),
            catch_exceptions=False, prog_name="advisor",
        )  # fmt: skip


def _environment(folder: Path) -> dict[str, str | None]:
    """Return the variables that keep the user's settings and the machine out of an answer."""
    outside = dict.fromkeys(name for name in os.environ if name.startswith("ADVISOR_"))
    places = {f"ADVISOR_{name}": str(folder / name) for name in ("CACHE", "TABLES", "DATA")}
    places["XDG_CONFIG_HOME"] = str(folder / "CONFIG")
    return {**outside, **places, "ADVISOR_MEMORY": "1G", "COLUMNS": "100", "NO_COLOR": None}


def _lasting(text: str, folder: Path) -> str:
    """Return a text without what differs between folders, machines and kernels."""
    text = text.replace(str(folder), "FOLDER")
    for pattern, instead in PASSING:
        text = re.sub(pattern, instead, text)
    return text


def _check_uncut(answer: Question) -> None:
    """Raise ValueError if the clock had a say in the answer."""
    for found in answer["json"]:
        for key, value in CUT:
            if found.get(key) == value:
                raise ValueError(f"{answer['ask']}: cut by its budget; ask for less or a wider one")


def write(questions: list[Question]) -> None:
    """Write the file, one question a line."""
    lines = [json.dumps(question, ensure_ascii=False) + "\n" for question in questions]
    FILE.write_text("".join(lines), encoding="utf-8")


def refreshed(question: Question) -> Question:
    """Return the question with the answer of now, asked in new folders."""
    with tempfile.TemporaryDirectory() as folder:
        return answered(question, Path(folder))


if __name__ == "__main__":
    write([refreshed(question) for question in read()])
