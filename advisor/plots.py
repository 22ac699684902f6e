"""What drawings of every game need, with matplotlib (extra `plot`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from advisor.errors import InvalidOption, MissingExtra

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def check(file: str) -> None:
    """Raise unless a drawing can be written under this name: extension and library."""
    if Path(file).suffix.lower() not in (".png", ".svg"):
        raise InvalidOption(f"--plot {file!r}: the name must end in .png or .svg")
    if not Path(file).resolve().parent.is_dir():
        raise InvalidOption(f"--plot {file!r}: the folder does not exist; create it first")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            "--plot needs matplotlib: install it with 'pip install matplotlib'"
        ) from error


def save(figure: Figure, file: str) -> None:
    """Write the drawing, whole or not at all."""
    path = Path(file)
    draft = path.with_name(f".{path.name}.draft")
    try:
        figure.savefig(draft, dpi=150, format=path.suffix[1:].lower())
        draft.replace(path)
    except OSError as error:
        raise InvalidOption(
            f"--plot {file!r} cannot be written: {error.strerror or error}"
        ) from error
    finally:
        draft.unlink(missing_ok=True)
