"""The worked examples of docs/knights.md print what they show."""

import re
from pathlib import Path

import pytest

DOCS = (Path(__file__).parents[2] / "docs" / "knights.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```console\nadvisor ([^\n]*)\n```\n\n```text\n(.*?)```", DOCS, re.DOTALL)
(POSITION,) = re.findall(r"```toml\n(\[\[players\]\].*?)```", DOCS, re.DOTALL)


def test_there_are_examples():
    assert len(EXAMPLES) >= 6


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [(arguments, shown) for arguments, shown in EXAMPLES if "--rollouts" not in arguments],
)
def test_example(run, tmp_path, monkeypatch, arguments, shown):
    (tmp_path / "position.toml").write_text(POSITION, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    assert run(*arguments.split()).stdout == shown
