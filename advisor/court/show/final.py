"""Answers about the final round to text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from advisor.court.final.answers import ClaimAnswer, FinalAnswer, FinalKeepAnswer, FinalPlayer
from advisor.court.rules.cards import KING, QUEEN
from advisor.court.rules.names import name_of
from advisor.court.rules.seats import GONE
from advisor.court.show.turn import Output
from advisor.court.turn.answers import PurchaseShare
from advisor.terminal import percent

ABLE, LATER = "able to take the King next turn", "take it then and win"


class FinalOutput(Output):
    """Writes the answers of `advisor final` and `advisor claim`."""

    numbers: ClassVar[frozenset[str]] = Output.numbers | {"win", ABLE, LATER}

    def final(self, answer: FinalAnswer, every: bool = False) -> None:
        """Write the chances of all players, and the options of the one to move if asked for."""
        if isinstance(answer, FinalKeepAnswer):
            self._options(answer, every)
            self._line("")
        self._line(f"best result {answer.best}", bold=True)
        self._table(
            [
                [
                    self._player(row, answer.holder),
                    self._names(row.cards),
                    percent(row.win),
                ]
                for row in answer.players
            ],
            ["player", "cards", "win"],
            wrap=(1,),
        )
        self._footer(answer, "every player by best play for the own win")

    def claim(self, answer: ClaimAnswer) -> None:
        """Write the chance of taking the King now and of the other purchases."""
        self._line(
            f"{answer.best} with {answer.result}: taking the King now wins {percent(answer.win)}",
            bold=True,
        )
        self._line(f"against the others' present cards {percent(answer.win_present)}")
        self._table(
            [
                [
                    row.player,
                    self._names(row.cards),
                    self._purchases(row.buys),
                    percent(row.win),
                ]
                for row in answer.players
            ],
            ["player", "cards", "buys before it", "win"],
            wrap=(1, 2),
        )
        order = ", ".join(map(str, answer.order))
        self._wrapped(f"Rolling order: {order}, then you")
        self._line("")
        self._line("Buying something else instead", bold=True)
        self._table(
            [
                [
                    name_of(row.card, self.language) if row.card else "nothing",
                    percent(row.claim_next),
                    "not worked out" if row.win_next is None else percent(row.win_next),
                ]
                for row in answer.instead
            ],
            ["card", ABLE, LATER],
        )
        for text in answer.assumptions:
            self._wrapped(f"- {text}")
        self._footer(answer, "under the assumptions above")

    def _names(self, keys: Sequence[str]) -> str:
        return ", ".join(name_of(key, self.language) for key in keys) or "none"

    def _purchases(self, buys: Sequence[PurchaseShare] | None) -> str:
        return ", ".join(
            f"{name_of(row.card, self.language) if row.card else 'nothing'} "
            f"{percent(row.probability)}"
            for row in buys or []
            if row.probability >= 5e-5
        )

    def _player(self, row: FinalPlayer, holder: int | str) -> str:
        text = "already rolled" if row.player == GONE else str(row.player)
        royal = [QUEEN.key] * row.queen + [KING.key] * (row.player == holder)
        marks = " and ".join(name_of(key, self.language) for key in royal)
        return f"{text} ({marks})" if marks else text
