"""What drawings of every game need, with matplotlib (extra `plot`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from advisor.errors import MissingExtra
from advisor.storage import whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check(file: str) -> None:
    """Raise unless a drawing can be written under this name: extension and library."""
    whole.check(file, "--plot", (".png", ".svg"))
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            "--plot needs matplotlib: install it with 'pip install matplotlib'"
        ) from error


def save(figure: Figure, file: str) -> None:
    """Write the drawing, whole or not at all."""
    kind = Path(file).suffix[1:].lower()
    whole.save(file, "--plot", lambda draft: figure.savefig(draft, dpi=150, format=kind))
