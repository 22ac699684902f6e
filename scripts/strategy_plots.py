"""The drawings of docs/strategy.md: small SVG files that are the same on every run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from strategy_numbers import Numbers, gives_dice

from advisor.court.rules.cards import KING
from advisor.court.rules.names import name_of
from advisor.court.rules.supply import singles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BLUE, PALE, WARM, GREY = "#3a6ea5", "#9bb8d3", "#c2703d", "#9a9a9a"


def draw(numbers: Numbers, folder: Path) -> None:
    """Write the drawings into a folder; without matplotlib nothing."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("no matplotlib: the drawings stay as they are")
        return
    # Text as text keeps the files small; salt and no date keep them the same.
    with mpl.rc_context({"svg.hashsalt": "strategy", "svg.fonttype": "none", "font.size": 10}):
        for name, figure in (
            ("cards", cards(numbers)),
            ("turns", turns(numbers)),
            ("purchases", purchases(numbers)),
        ):
            figure.savefig(
                folder / f"strategy-{name}.svg", metadata={"Date": None, "Creator": None}
            )


def cards(numbers: Numbers) -> Figure:
    """Draw what each card saves when owned, and costs when it is missing."""
    keys = sorted(singles(), key=lambda key: -numbers.middle((key,)))
    none = numbers.middle(())
    saved = [none - numbers.middle((key,)) for key in keys]
    costs = [numbers.without[key].middle - none for key in keys]
    figure, axes = blank(8, 6)
    places = range(len(keys))
    bars = axes.barh([y + 0.2 for y in places], saved, 0.38, color=BLUE, label="owned: turns saved")
    axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=8)
    bars = axes.barh(
        [y - 0.2 for y in places], costs, 0.38, color=WARM, label="missing: turns more"
    )
    axes.bar_label(bars, fmt="%.2f", padding=3, fontsize=8)
    axes.set_yticks(list(places), [name_of(key) for key in keys])
    axes.set(xlabel="turns, from no cards", xlim=(0, 1.1 * max(saved)))
    axes.legend(frameon=False, loc="lower right")
    return figure


def turns(numbers: Numbers) -> Figure:
    """Draw how many turns best play takes from no cards."""
    shares = [100 * share for share in numbers.turns[:10]]
    figure, axes = blank(6.5, 3.2)
    bars = axes.bar(range(1, 1 + len(shares)), shares, color=BLUE)
    axes.bar_label(bars, fmt=lambda x: f"{x:.1f}" if x >= 0.05 else "", padding=2, fontsize=9)
    axes.set(xlabel="turns to the King", ylabel="% of races", ylim=(0, 1.12 * max(shares)))
    axes.set_xticks(range(1, 1 + len(shares)))
    return figure


def purchases(numbers: Numbers) -> Figure:
    """Draw what kinds of cards best play buys in each turn."""
    kinds = (
        ("gives dice", BLUE, gives_dice),
        ("control", PALE, lambda key: key not in ("fool", KING.key) and not gives_dice(key)),
        ("Fool", GREY, lambda key: key == "fool"),
        ("King", WARM, lambda key: key == KING.key),
    )
    shown = numbers.purchases[:9]
    figure, axes = blank(6.5, 3.4)
    base = [0.0] * len(shown)
    for label, color, chosen in kinds:
        share = [100 * sum(x for key, x in now.items() if chosen(key)) for now in shown]
        axes.bar(range(1, 1 + len(shown)), share, bottom=base, color=color, label=label)
        base = [a + b for a, b in zip(base, share, strict=True)]
    axes.set(xlabel="turn", ylabel="% of all races", ylim=(0, 100))
    axes.set_xticks(range(1, 1 + len(shown)))
    axes.legend(frameon=False, loc="upper right")
    return figure


def blank(width: float, height: float) -> tuple[Figure, Any]:
    """Return a figure of so many inches with one pair of axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes
