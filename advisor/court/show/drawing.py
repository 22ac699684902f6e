"""Drawings of answers about To Court the King, with matplotlib (extra `plot`)."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.drawing import drawn, has_letters_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from advisor.court.final.answers import FinalAnswer, FinalPlayer
    from advisor.court.play.answers import SimulateAnswer
    from advisor.court.race.answers import TurnsAnswer
    from advisor.court.turn.answers import OddsAnswer


def odds(answer: OddsAnswer, file: str, language: str = "en") -> None:
    """Draw each card's probability as a bar, in the order of the rules' table."""
    from advisor.court.rules.cards import BY_KEY

    named = _names(file, language)
    rows = answer.goals[::-1]
    _bars(
        file,
        [f"{named(row.card)}  ({BY_KEY[row.card].cost_text})" for row in rows],
        [row.probability for row in rows],
        height=0.6 + 0.34 * len(rows),
        xlabel="probability to pay for the card, %",
        title=f"Best play for each card alone   {answer.position}   {answer.rules}",
    )


def final(answer: FinalAnswer, file: str, language: str = "en") -> None:
    """Draw each player's chance to win the final round as a bar, in rolling order."""
    named = _names(file, language)
    rows = answer.players[::-1]
    _bars(
        file,
        [_seat(row, named) for row in rows],
        [row.win for row in rows],
        height=0.9 + 0.45 * len(rows),
        xlabel="probability to win the final round, %",
        title=f"Final round, best result {answer.best}   {answer.rules}",
    )


def _bars(file: str, names: list[str], chances: list[float], height: float, **labels: str) -> None:
    """Draw one bar in percent a name, the first at the bottom."""
    with drawn(file, 8, height) as figure:
        axes = figure.subplots()
        bars = axes.barh(names, [100 * chance for chance in chances], color="#3a6ea5")
        axes.bar_label(bars, fmt="%.1f", padding=3)
        axes.set(xlim=(0, 108), **labels)
        axes.spines[["top", "right"]].set_visible(False)


def _seat(row: FinalPlayer, named: Callable[[str], str]) -> str:
    from advisor.court.rules.cards import QUEEN
    from advisor.court.rules.seats import GONE

    if row.player == GONE:
        return "already rolled"
    cards = [*row.cards, *[QUEEN.key] * row.queen]
    names = textwrap.fill(", ".join(map(named, cards)) or "no cards", 36)
    return f"{row.player}: {names}"


_WITHIN = {
    "each": "within so many turns, at best",
    "one": "within so many turns, fewest expected",
}


def turns(answer: TurnsAnswer, file: str, language: str = "en") -> None:
    """Draw the turns needed under best play as bars, the chances within so many turns as a line."""
    rows = [row for row in answer.within if row.upper]
    numbers = [row.turns for row in rows]
    played = {row.turns: row.probability for row in answer.distribution}
    lower = [100 * row.probability for row in rows]
    names = ", ".join(map(_names(file, language), answer.cards)) or "no cards"
    with drawn(file, 8, 4.5) as figure:
        axes = figure.subplots()
        axes.bar(
            numbers, [100 * played.get(number, 0.0) for number in numbers], color="#9bb8d3",
            label="in exactly so many turns, fewest expected",
        )  # fmt: skip
        axes.plot(numbers, lower, color="#3a6ea5", marker="o", label=_WITHIN[answer.aims])
        if answer.aims == "each":
            axes.fill_between(
                numbers, lower, [100 * row.upper for row in rows], color="#3a6ea5", alpha=0.2,
                label="not certified",
            )  # fmt: skip
        axes.set(
            xticks=numbers, ylim=(0, 102), xlabel="turns", ylabel="chance of the King, %",
            title=names,
        )  # fmt: skip
        axes.legend(frameon=False, loc="center right")
        axes.spines[["top", "right"]].set_visible(False)


def simulate(answer: SimulateAnswer, file: str) -> None:
    """Draw win rates with their intervals beside the turns in which the King was taken."""
    with drawn(file, 9, 3.6) as figure:
        wins, turns = figure.subplots(1, 2)
        _win_rates(wins, answer)
        taken = answer.turns.distribution
        turns.bar(
            [row.turns for row in taken], [100 * row.probability for row in taken],
            color="#9bb8d3",
        )  # fmt: skip
        turns.set(xlabel="turns until the King is taken", ylabel="games, %")
        for axes in (wins, turns):
            axes.spines[["top", "right"]].set_visible(False)


def _win_rates(axes: Axes, answer: SimulateAnswer) -> None:
    rows = answer.players
    errors = [
        [100 * (row.win - row.lower) for row in rows],
        [100 * (row.upper - row.win) for row in rows],
    ]
    places = range(len(rows))
    rates = [100 * row.win for row in rows]
    axes.bar(places, rates, yerr=errors, capsize=4, color="#3a6ea5")
    axes.axhline(100 / len(rows), color="grey", linewidth=0.8)
    axes.set_xticks(places, [f"{row.player}: {row.bot}" for row in rows])
    axes.set(ylim=(0, 104), ylabel="games won, %", title=f"{answer.games} games")


def _names(file: str, language: str) -> Callable[[str], str]:
    """Return what gives cards their names, in English where a drawing has no letters for others."""
    from advisor.court.rules.names import name_of

    shown = language if has_letters_of(file, language) else "en"
    return lambda key: name_of(key, shown)
