"""Answers about simulated games to text."""

from __future__ import annotations

from typing import ClassVar

from advisor.court.play.answers import SimulateAnswer
from advisor.court.rules.cards import ORDER
from advisor.court.rules.names import name_of
from advisor.court.show.turn import Output
from advisor.terminal import counted, percent

INTERVAL = "95 % interval"


class SimulateOutput(Output):
    """Writes the answer of `advisor simulate`."""

    numbers: ClassVar[frozenset[str]] = Output.numbers | {
        "wins", "took the King", "turns", "best", "greedy", "random",
    }  # fmt: skip

    def simulate(self, answer: SimulateAnswer) -> None:
        """Write win rates, turns to the King and purchases."""
        played = counted(answer.games, "game")
        wanted = "" if answer.games == answer.wanted else f" of {answer.wanted}"
        self._line(f"{played}{wanted}, seed {answer.seed}", bold=True)
        self._table(
            [
                [
                    row.player,
                    row.bot,
                    percent(row.win),
                    f"{percent(row.lower)} to {percent(row.upper)}",
                    percent(row.took_king),
                ]
                for row in answer.players
            ],
            ["player", "bot", "wins", INTERVAL, "took the King"],
        )
        self._turns(answer)
        self._purchases(answer)
        if answer.undecided:
            self._wrapped(f"{counted(answer.undecided, 'game')} given up without a King")
        self._wrapped(
            f"simulated under rule set {answer.rules}; the seats rotate, so everybody starts "
            "equally often"
        )

    def _turns(self, answer: SimulateAnswer) -> None:
        turns = answer.turns
        if turns.mean is None:
            return
        error = "" if turns.error is None else f", standard error {turns.error:.3f}"
        self._line("")
        self._line(f"{turns.mean:.3f} turns until the King is taken{error}", bold=True)
        shares = (f"{row.turns}: {percent(row.probability)}" for row in turns.distribution)
        self._wrapped(", ".join(shares))

    def _purchases(self, answer: SimulateAnswer) -> None:
        kinds = [row.bot for row in answer.purchases]
        shares = [{card.card: card.share for card in row.cards} for row in answer.purchases]
        every = {key for row in shares for key in row}
        keys = sorted(every, key=lambda key: (-shares[0].get(key, 0.0), ORDER[key]))
        self._line("")
        self._line("Share of its games in which a bot buys", bold=True)
        self._table(
            [
                [name_of(key, self.language), *(percent(row.get(key, 0.0)) for row in shares)]
                for key in keys
            ],
            ["card", *kinds],
        )
