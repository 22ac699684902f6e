"""Answers about King Me! as text."""

from __future__ import annotations

from typing import ClassVar, Final

from advisor.kingme.answers import (
    AdviseAnswer,
    AdvisedOption,
    AnalyzeAnswer,
    InferAnswer,
    MoveAnswer,
    Round,
    SimulateAnswer,
)
from advisor.kingme.rules.data import INITIALS
from advisor.terminal import NO_BREAK, Writer, counted, percent

SHOWN: Final = 10
"""Options in a table unless all are asked for."""
EQUAL: Final = 5e-12
"""Losses up to this are none."""


class Output(Writer):
    """Writes answers about King Me! to standard output."""

    numbers: ClassVar[frozenset[str]] = frozenset(
        {"points", "loss", "chance to win", "mean points", "wins", "standard error", *INITIALS}
        | {f"seat {seat}" for seat in range(1, 7)}
    )

    def move(self, answer: MoveAnswer, every: bool = False) -> None:
        """Write the answer of `advisor kingme move`."""
        unit = answer.unit
        own = answer.values[answer.turn - 1]
        self._line(
            f"{answer.castle}   seat {answer.turn} to move   {value_text(own, unit)}",
            bold=True,
        )
        options = answer.options
        shown = options if every else options[:SHOWN]
        others = [seat for seat in range(1, answer.players + 1) if seat != answer.turn]
        self._table(
            [
                [
                    option.rank,
                    option.text,
                    number(option.value, unit),
                    number(option.loss, unit) if option.loss > EQUAL else "",
                    *(number(option.values[seat - 1], unit) for seat in others),
                ]
                for option in shown
            ],
            ["", "move", header(unit), "loss", *(f"seat {seat}" for seat in others)],
            wrap=(1,),
            best_first=True,
        )
        self._more(len(options) - len(shown))
        self._wrapped(answer.model, dim=True)

    def infer(self, answer: InferAnswer) -> None:
        """Write the answer of `advisor kingme infer`."""
        own = f", own goal {answer.goal}" if answer.goal else ""
        self._line(f"round {answer.round}, as seat {answer.me} sees it{own}", bold=True)
        players = answer.players
        self._table(
            [
                [
                    f"{player.seat} {player.name}",
                    *(f"{100 * chance:.0f}" for chance in player.characters.values()),
                    "  ".join(
                        f"{card.goal} {percent(card.probability)}".replace(" ", NO_BREAK)
                        for card in player.cards
                    ),
                ]
                for player in players
            ],
            ["seat", *players[0].characters, "likeliest cards"],
            wrap=(len(players[0].characters) + 1,),
        )
        self._line("chances of each character to be a favourite, in percent", dim=True)
        self._wrapped(f"{answer.deals:,} deals; {answer.model}", dim=True)

    def advise(self, answer: AdviseAnswer, every: bool = False) -> None:
        """Write the answer of `advisor kingme advise`."""
        unit, exact = answer.unit, answer.method == "exact"
        vote = f"   {answer.candidate} on the throne" if answer.candidate else ""
        castle = (f"   {answer.castle}" if answer.castle else "") + vote
        self._line(f"round {answer.round}, seat {answer.me}{castle}", bold=True)
        options = answer.options
        shown = options if every else options[:SHOWN]
        self._table(
            [
                [
                    option.rank,
                    option.text,
                    number(option.value, unit),
                    *([] if exact else [_interval(option, unit)]),
                    number(option.loss, unit) if option.loss > EQUAL else "",
                ]
                for option in shown
            ],
            ["", "option", header(unit), *([] if exact else ["95 % interval"]), "loss"],
            wrap=(1,),
            best_first=True,
        )
        self._more(len(options) - len(shown))
        if answer.another_no is not None:
            self._wrapped(f"somebody else says No: {percent(answer.another_no)}")
        self._wrapped(answer.model, dim=True)

    def analysis(self, answer: AnalyzeAnswer, every: bool = False) -> None:
        """Write the answer of `advisor kingme analyze`, every judged step if `every`."""
        names = [player.name for player in answer.players]
        for played in answer.rounds:
            self._round(played, names, every)
        if answer.result is not None:
            parts = zip(names, answer.totals, answer.result, strict=True)
            shown = (f"{name} {total}{' (wins)' * (share == 1)}" for name, total, share in parts)
            self._wrapped(f"In all: {', '.join(shown)}", bold=True)
        self._wrapped(answer.model, dim=True)

    def _round(self, played: Round, names: list[str], every: bool) -> None:
        self._line(f"Round {played.round}   {played.castle}", bold=True)
        parts = zip(names, played.goals, played.points, strict=True)
        self._wrapped(", ".join(f"{name} {goal} {points}" for name, goal, points in parts))
        unit = played.unit
        decisions = played.decisions
        shown = decisions if every else [one for one in decisions if one.loss > EQUAL]
        if shown:
            self._table(
                [
                    [
                        one.line,
                        names[one.seat - 1],
                        one.text,
                        number(one.value, unit),
                        number(one.loss, unit) if one.loss > EQUAL else "",
                        one.best_text if one.loss > EQUAL else "",
                    ]
                    for one in shown
                ],
                ["line", "seat", "move", header(unit), "loss", "better"],
                wrap=(2, 5),
            )
        self._wrapped(
            f"{counted(len(decisions), 'step')} of {len(decisions) + played.not_judged} judged, "
            f"{sum(one.loss > EQUAL for one in decisions)} of them lost something"
        )
        self._line("")

    def simulate(self, answer: SimulateAnswer) -> None:
        """Write the answer of `advisor kingme simulate`."""
        wanted = "" if answer.games == answer.wanted else f" of {answer.wanted}"
        self._line(f"{counted(answer.games, 'game')}{wanted}, seed {answer.seed}", bold=True)
        self._table(
            [
                [
                    row.player,
                    row.bot,
                    percent(row.win),
                    f"{percent(row.lower)} to {percent(row.upper)}",
                    f"{row.points:.2f}",
                    "" if row.error is None else f"{row.error:.2f}",
                ]
                for row in answer.players
            ],
            ["player", "bot", "wins", "95 % interval", "mean points", "standard error"],
        )
        self._wrapped(answer.model, dim=True)

    def _more(self, hidden: int) -> None:
        if hidden:
            more = "option" if hidden == 1 else "options"
            self._line(f"{hidden} more {more}: --all shows them", dim=True)


def _interval(option: AdvisedOption, unit: str) -> str:
    assert option.low is not None
    assert option.high is not None
    low, high = number(option.low, unit), number(option.high, unit)
    return f"{low.removesuffix(' %')} to {high}"


def header(unit: str) -> str:
    """Return what stands above a column of values."""
    return "points" if unit == "points" else "chance to win"


def number(value: float, unit: str) -> str:
    """Return a value for a table."""
    return f"{value:.3f}" if unit == "points" else percent(value)


def value_text(value: float, unit: str) -> str:
    """Return a value with its unit."""
    return f"{value:.3f} points" if unit == "points" else f"{percent(value)} to win"
