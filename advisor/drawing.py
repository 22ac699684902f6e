"""What drawings of every game need, with matplotlib (extra `plot`).

Drawn with settings of our own: neither the backend nor the style that a user has set for other
work (a notebook, LaTeX) changes a drawing or keeps it from being made.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from advisor.errors import MissingExtra
from advisor.storage import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

JAPANESE: Final = ("Noto Sans CJK JP", "IPAexGothic", "IPAGothic", "Hiragino Sans", "Yu Gothic",
                   "MS Gothic", "TakaoGothic", "VL Gothic")  # fmt: skip
"""Fonts that have Japanese letters, where one of them is installed."""


def check(file: str) -> None:
    """Raise unless a drawing can be written under this name: extension and library."""
    whole.check(file, "--plot", (".png", ".svg"))
    try:
        _library()
    except ImportError as error:
        raise MissingExtra(
            "--plot needs matplotlib: install it with 'pip install matplotlib'"
        ) from error


def _library() -> None:
    """Import matplotlib; a backend named for other work may not even exist here."""
    backend = os.environ.pop("MPLBACKEND", None)
    try:
        import matplotlib  # noqa: F401
    finally:
        if backend is not None:
            os.environ["MPLBACKEND"] = backend


@contextmanager
def drawn(file: str, width: float, height: float) -> Iterator[Figure]:
    """Give an empty figure, sizes in inches; at the end it is written, whole or not at all."""
    _library()
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    vector = Path(file).suffix.lower() == ".svg"
    with mpl.rc_context(mpl.rcParamsDefault), warnings.catch_warnings():
        # Letters of an SVG stay text, which whoever looks at it has fonts for.
        warnings.filterwarnings("ignore", "Glyph .* missing")
        fonts = ["DejaVu Sans", *filter(None, [japanese_font()])]
        mpl.rcParams.update({"svg.fonttype": "none", "font.family": fonts})
        figure = Figure((width, height), layout="constrained")
        canvas = FigureCanvasSVG(figure) if vector else FigureCanvasAgg(figure)
        yield figure
        whole.save(
            file, "--plot",
            lambda draft: canvas.print_figure(draft, dpi=150, format="svg" if vector else "png"),
        )  # fmt: skip


def has_letters_of(file: str, language: str) -> bool:
    """Return whether names in a language can be written into a drawing under this name."""
    return language != "ja" or Path(file).suffix.lower() == ".svg" or japanese_font() is not None


def japanese_font() -> str | None:
    """Return a font of this machine with Japanese letters, None if there is none."""
    from matplotlib import font_manager

    there = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in JAPANESE if name in there), None)
