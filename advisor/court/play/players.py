"""Who plays: seats as they are asked for, and the bots among them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from advisor.court.play.aims import can_take
from advisor.court.play.bots import BOTS, Bot, make_bot
from advisor.court.play.header import Seat
from advisor.court.play.moves import steps_of
from advisor.court.play.record import Record
from advisor.court.rules.game import MOST_PLAYERS, Game, Move, Pass
from advisor.court.rules.turn import Roll, SetAside
from advisor.court.turn.playing import Kept
from advisor.errors import InvalidOption
from advisor.text import printable, quoted

HUMAN: Final = "human"
RANDOM: Final = "random"
BOT_STREAM: Final = 1
"""Sets the dice of a random bot apart from those of the game (see `record.dice_of`)."""


def read_seats(text: str) -> tuple[Seat, ...]:
    """Return the seats of a list such as `human:Anna,best`."""
    parts = text.split(",")
    if len(parts) > MOST_PLAYERS:
        raise InvalidOption(f"--seats: {len(parts)} players; the game is for 1 to {MOST_PLAYERS}")
    return tuple(_seat(part.strip()) for part in parts)


def _seat(text: str) -> Seat:
    kind, _, name = text.partition(":")
    kind = kind.strip().casefold()
    if kind not in (HUMAN, *BOTS):
        raise InvalidOption(
            f"--seats: {quoted(text)} is no player: choose from {HUMAN}, {', '.join(BOTS)}, a name "
            "behind a colon: human:Anna,best"
        )
    return Seat(kind, printable(name))


class Players:
    """The bots of a record. Each decision depends on the record only, so that it can be resumed.

    `tables`: the folder of the user's tables; `kept`: solved turns, shared with who else has them.
    """

    def __init__(self, record: Record, tables: Path | None, kept: Kept) -> None:
        self.record, self.tables, self.kept = record, tables, kept
        self.seats = record.header.seats or (Seat(HUMAN),)
        self._bots: dict[str, Bot] = {}
        for seat in self.seats:
            if seat.kind != HUMAN:
                self._bot(seat.kind)

    def is_human(self, game: Game) -> bool:
        """Return whether the decision that is due is a human's."""
        return self.seats[game.seat].kind == HUMAN

    def moves(self) -> tuple[Move, ...]:
        """Return the next moves of the bot on turn."""
        game = self.record.game
        if game.is_chance:
            assert game.target
            roll: Move = Roll() if can_take(game.hand, game.target, game.rules) else Pass()
            return (roll,)
        kind = self.seats[game.seat].kind
        return self._rest(kind) or self._bot(kind).moves(game)

    def _rest(self, kind: str) -> tuple[Move, ...]:
        """Return what was to follow the last step where a game was cut off between two."""
        game, last = self.record.game, self.record.entries[-1:]
        if kind == RANDOM or game.result is not None or not last:
            return ()
        (entry,) = last
        if entry.before.place != game.place or not isinstance(entry.moves[0], SetAside):
            return ()
        # Asked anew, a bot may do something else that is as good.
        first, *others = steps_of(self._bot(kind).moves(entry.before))
        return tuple(move for step in others for move in step) if first == entry.moves else ()

    def _bot(self, kind: str) -> Bot:
        rules, seed = self.record.header.rules, self.record.header.seed or 0
        if kind == RANDOM:
            place = (seed, len(self.record.entries), BOT_STREAM)
            return make_bot(kind, rules, place)
        if kind not in self._bots:
            self._bots[kind] = make_bot(kind, rules, 0, self.tables, self.kept)
        return self._bots[kind]
