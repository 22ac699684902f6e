"""Drawings: the settings that a user has for other work neither change nor prevent one."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

matplotlib = pytest.importorskip("matplotlib")

SCRIPT = (
    "from advisor.drawing import check, drawn\n"
    "check({file!r})\n"
    "with drawn({file!r}, 3, 2) as figure:\n"
    "    figure.subplots().set(title='Königin 王妃')\n"
)


def draw(file, **environment):
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", SCRIPT.format(file=str(file))],
        env=os.environ | environment, capture_output=True, encoding="utf-8",
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_a_foreign_backend_or_style_changes_nothing(tmp_path, kind):
    (tmp_path / "matplotlibrc").write_text("text.usetex: True\nsavefig.dpi: 3\naxes.facecolor: red")
    plain = draw(tmp_path / f"plain.{kind}", SOURCE_DATE_EPOCH="0")
    styled = draw(
        tmp_path / f"styled.{kind}", SOURCE_DATE_EPOCH="0",
        MPLBACKEND="module://no_such_backend", MPLCONFIGDIR=str(tmp_path),
    )  # fmt: skip
    assert (plain.returncode, styled.returncode) == (0, 0), plain.stderr + styled.stderr
    sizes = [(tmp_path / f"{name}.{kind}").stat().st_size for name in ("plain", "styled")]
    assert sizes[0] == sizes[1]


def test_names_are_text_in_an_svg(tmp_path):
    assert draw(tmp_path / "a.svg").returncode == 0
    assert "王妃" in (tmp_path / "a.svg").read_text(encoding="utf-8")
