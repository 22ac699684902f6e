"""Drawings of answers about Knights, with matplotlib (extra `plot`)."""

from __future__ import annotations

from advisor.drawing import drawn
from advisor.knights.answers import OddsAnswer


def draw(answer: OddsAnswer, file: str) -> None:
    """Draw the chance to beat each card, one line a number of throws."""
    cards = list(dict.fromkeys(row.card for row in answer.rows))
    with drawn(file, 9, 4.5) as figure:
        axes = figure.subplots()
        for throws in sorted({row.throws for row in answer.rows}):
            chances = [100 * row.p for row in answer.rows if row.throws == throws]
            axes.plot(cards, chances, marker="o", label=f"{throws} throw{'s' * (throws > 1)}")
        dice = ",".join(map(str, answer.rows[0].die_cards)) or "-"
        what = "take the castle" if answer.attack else "beat the card"
        axes.set(ylim=(0, 100), ylabel=f"chance to {what}, %", title=f"Knights, Die cards {dice}")
        axes.tick_params(axis="x", rotation=60)
        axes.grid(axis="y", alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
