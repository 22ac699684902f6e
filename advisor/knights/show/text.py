"""Answers about Knights as text: tables or JSON."""

from __future__ import annotations

from typing import Final

from advisor.knights.answers import KeepAnswer, OddsAnswer, Rollouts, TargetAnswer, TournamentAnswer
from advisor.terminal import Writer, percent
from advisor.ties import EQUAL

SHOWN: Final = 10
"""Options in a table unless all are asked for."""


class Output(Writer):
    """Writes answers about Knights to standard output."""

    numbers = frozenset(
        {"probability", "loss", "win", "success", "win now", "gain", "risk", "wins"}
        | {f"{number} throw{'s' * (number > 1)}" for number in range(1, 5)}
    )

    def keep(self, answer: KeepAnswer, every: bool = False) -> None:
        """Write the answer of `advisor knights keep`."""
        aim = "the throne" if answer.throne else answer.card
        left = answer.throws_left
        self._line(
            f"{answer.dice}   against {aim}   {left} throw{'' if left == 1 else 's'} left   "
            f"{percent(answer.value)}",
            bold=True,
        )
        options = answer.options
        shown = options if every else options[:SHOWN]
        self._table(
            [
                [
                    option.rank,
                    option.text,
                    percent(option.value),
                    percent(option.loss) if option.loss > EQUAL else "",
                ]
                for option in shown
            ],
            ["", "option", "probability", "loss"],
            best_first=True,
        )
        if len(options) > len(shown):
            self._line(f"{len(options) - len(shown)} more options: --all shows them", dim=True)
        self._wrapped(answer.model, dim=True)

    def odds(self, answer: OddsAnswer) -> None:
        """Write the answer of `advisor knights odds`."""
        throws = sorted({row.throws for row in answer.rows})
        cards = dict.fromkeys(row.card for row in answer.rows)
        chance = {(row.card, row.throws): row.p for row in answer.rows}
        dice = ",".join(map(str, answer.rows[0].die_cards))
        self._line(f"Die cards {dice or '-'}", bold=True)
        self._table(
            [[card, *(percent(chance[card, number]) for number in throws)] for card in cards],
            ["card", *(f"{number} throw{'s' * (number > 1)}" for number in throws)],
        )
        self._wrapped(answer.model, dim=True)

    def tournament(self, answer: TournamentAnswer) -> None:
        """Write the answer of `advisor knights tournament`."""
        self._table(
            [
                [
                    player.seat,
                    ",".join(map(str, player.die_cards)) or "-",
                    player.throws,
                    percent(player.win),
                ]
                for player in answer.players
            ],
            ["seat", "Die cards", "throws", "win"],
        )
        self._wrapped(answer.model, dim=True)

    def target(self, answer: TargetAnswer) -> None:
        """Write the answer of `advisor knights target`."""
        self._line(f"{answer.player} to choose a target", bold=True)
        simulated = answer.simulation is not None
        self._table(
            [
                [
                    option.rank,
                    option.text,
                    "" if option.success is None else percent(option.success),
                    _range(option.win, option.win_at_most),
                    _range(option.gain, option.gain_at_most),
                    percent(option.risk) if option.risk else "",
                    *_simulated(option.rollouts),
                ]
                for option in answer.options
            ],
            ["", "choice", "success", "win now", "gain", "risk"]
            + ["wins", "95 % interval"] * simulated,
            wrap=(1,),
            best_first=True,
        )
        for reason in answer.why:
            self._wrapped(f"- {reason}")
        self._wrapped(answer.model, dim=True)
        if simulated:
            self._wrapped(f"simulated: {answer.simulation}", dim=True)


def _range(low: float, high: float) -> str:
    """Return a chance, as a range where what is not looked ahead could show."""
    first, last = percent(low), percent(high)
    return first if first == last else f"{first.removesuffix(' %')}-{last}"


def _simulated(found: Rollouts | None) -> tuple[str, ...]:
    if found is None:
        return ()
    return percent(found.win), f"{100 * found.low:.1f}-{100 * found.high:.1f} %"
