"""A game that is played: what a player types becomes steps of a record, bots answer.

Nothing is read or written here but the record: a session hears lines of text and gives events,
which somebody shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Final, Protocol

from advisor.court.asking import Asking
from advisor.court.play.answers import Advised
from advisor.court.play.effects import SeveralUses
from advisor.court.play.events import (
    Advice,
    Choices,
    Event,
    Finished,
    Help,
    Left,
    Loss,
    Over,
    Problem,
    Stands,
    Table,
    TakenBack,
    Warned,
    Why,
)
from advisor.court.play.header import titles
from advisor.court.play.moves import Step, accepted, read_move, steps_of
from advisor.court.play.players import Players
from advisor.court.play.record import Entry
from advisor.court.play.record_file import RecordFile
from advisor.court.race.answers import BuyAnswer
from advisor.court.rules.cards import BY_KEY
from advisor.court.rules.game import Buy, Fall, Game, Pass
from advisor.court.rules.turn import Roll
from advisor.court.turn.answers import Ranking
from advisor.court.turn.answers import Why as Reason
from advisor.court.turn.playing import Kept
from advisor.dice import format_dice
from advisor.errors import AdvisorError, InvalidRecord

ADVICE: Final = ("?", "??")
WHY: Final = ("why",)
UNDO: Final = ("u", "undo")
TABLE: Final = ("c", "cards")
HELP: Final = ("h", "help")
QUIT: Final = ("q", "quit")
COMMANDS: Final = (*ADVICE, *WHY, *UNDO, *TABLE, *HELP, *QUIT)
YES: Final = ("y", "yes")
NO: Final = ("", "n", "no")
BUY_NOTHING: Final = ((Buy(None),),)
NO_PURCHASE: Final = ("", "no")
"""The same where `n` is the move that was warned of."""

THINKING: Final = "thinking"

Told = Callable[[str], None]


class Coach(Protocol):
    """Who advises a player, and shares solved turns with the bots."""

    asking: Asking
    kept: Kept

    def answer(self, game: Game, every: bool = False, told: Told = lambda message: None) -> Advised:
        """Return the ranked options of the seat on turn, every one of them if `every`."""

    def reason(self, game: Game, told: Told = lambda message: None) -> Reason | None:
        """Return what follows the best option and what the next one, None if ranks say it all."""

    def loss(self, game: Game, steps: Sequence[Step]) -> Loss | None:
        """Return what the next steps lose against the best ones, None where that is not known."""


class Session:
    """A game being played into a file.

    `threshold`: from which loss on a move has to be confirmed, in turns or as a probability to
    win; None: never.
    """

    def __init__(self, file: RecordFile, coach: Coach, threshold: float | None = None) -> None:
        self.file, self.record = file, file.record
        if self.record.header.seed is None and not self.record.is_over:
            raise InvalidRecord(
                f"record {str(file.where)!r} has no seed, so no dice can be rolled: add a line "
                "'seed NUMBER' to its header"
            )
        self.coach, self.threshold = coach, threshold
        self.players = Players(self.record, coach.asking.tables, coach.kept)
        self.titles = titles(self.players.seats)
        self._several: SeveralUses | None = None
        self._doubtful: tuple[Step, ...] | None = None
        self._shown: tuple[int, int, bool] | None = None

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play."""
        return self.record.is_over

    @property
    def can_be_judged(self) -> bool:
        """Whether what was played can be analysed: no single turn of the Queen's owner."""
        position = self.record.header.position
        return position is None or not any(BY_KEY[key].comes_with for key in position.cards)

    # ------------------------------------------------------------ going on

    def advance(self) -> Iterator[Event]:
        """Play until a human has to decide or all is over: dice fall, bots move."""
        while not self.record.is_over:
            game = self.record.game
            if game.is_chance and Pass() not in game.legal_moves():
                yield from self._play(((Roll(),),))
            elif self.players.is_human(game):
                yield self._stands(game)
                return
            else:
                yield from self._play(steps_of(self.players.moves()))
        yield Over(self.record)

    def _stands(self, game: Game) -> Stands:
        shown, self._shown = self._shown, game.place
        return Stands(game, shown != self._shown)

    def _play(self, steps: Iterable[Step]) -> Iterator[Event]:
        """Put steps into the record, rolls with the dice that fall; tell of a turn that ends."""
        for step in steps:
            before = self.record.game
            if step == (Roll(),):
                fall = Fall(self.record.seeded())
                step = (fall,) if before.is_chance else (Roll(), fall)
            self.file.add(step)
            after = self.record.game
            if after.is_over or after.place != before.place:
                yield Finished(before.seat, tuple(self._turn(before)), after)

    def _turn(self, game: Game) -> list[Entry]:
        """Return the steps in force of the turn to which a game belongs."""
        place = game.place
        same = takewhile(lambda entry: entry.before.place == place, reversed(self.record.entries))
        return list(same)[::-1]

    # ------------------------------------------------------------ what is typed

    def prompt(self) -> str:
        """Return in a line what can be typed now."""
        if self._doubtful == BUY_NOTHING:
            return "y or n again to go on, Enter to think again, or another move"
        if self._doubtful:
            return "y or the same again to go on, n or Enter to think again, or another move"
        if self._several:
            return "effect, as shown in front, or Enter to go back"
        return f"{accepted(self.record.game)}; ? advice, h help"

    def hear(self, text: str, told: Told = lambda message: None) -> Iterator[Event]:
        """Do what a player typed where a decision is due; `told` hears of long thinking."""
        word = " ".join(text.split()).casefold()
        if word in COMMANDS:
            yield from self._command(word, told)
            return
        doubtful, self._doubtful = self._doubtful, None
        several, self._several = self._several, None
        no = NO_PURCHASE if doubtful == BUY_NOTHING else NO
        if (doubtful or several) and word in no:
            yield self._stands(self.record.game)
            return
        if doubtful and word in YES:
            yield from self._go(doubtful)
            return
        try:
            steps = self._steps(text, several)
            told(THINKING)
            loss = None if steps == doubtful else self._loss(steps)
        except SeveralUses as found:
            self._several = found
            yield Choices(found)
        except AdvisorError as problem:
            self._several = several
            yield Problem(str(problem))
        else:
            if loss:
                self._doubtful = steps
                yield Warned(loss)
            else:
                yield from self._go(steps)

    def _steps(self, text: str, several: SeveralUses | None) -> tuple[Step, ...]:
        if several:
            text = f"{format_dice(several.aside)} {several.card} {text}"
        return read_move(text, self.record.game)

    def _loss(self, steps: Sequence[Step]) -> Loss | None:
        """Return what the steps lose if that has to be confirmed."""
        if self.threshold is None:
            return None
        loss = self.coach.loss(self.record.game, steps)
        return loss if loss and loss.lost > self.threshold else None

    def _go(self, steps: Sequence[Step]) -> Iterator[Event]:
        yield from self._play(steps)
        yield from self.advance()

    # ------------------------------------------------------------ commands

    def _command(self, word: str, told: Told) -> Iterator[Event]:
        self._doubtful = self._several = None
        game = self.record.game
        told(THINKING)
        try:
            if word in ADVICE:
                every = word == ADVICE[-1]
                yield Advice(game, self.coach.answer(game, every, told), every)
            elif word in WHY:
                yield self._why(game, told)
        except AdvisorError as problem:
            yield Problem(str(problem))
        if word in UNDO:
            yield from self._undo()
        elif word in TABLE:
            yield Table(game)
        elif word in HELP:
            yield Help()
        elif word in QUIT:
            yield Left()

    def _why(self, game: Game, told: Told) -> Event:
        answer, reason = self.coach.answer(game, False, told), self.coach.reason(game, told)
        if reason is None or not isinstance(answer, Ranking | BuyAnswer):
            return Problem("there is nothing to explain here beyond what ? shows")
        return Why(answer, reason)

    def _undo(self) -> Iterator[Event]:
        number = self._last_decision()
        if not number:
            yield Problem("nothing to take back: your turn has just begun")
            return
        texts = tuple(entry.text for entry in self.record.entries[: -number - 1 : -1])
        for _ in texts:
            self.file.add("undo")
        yield TakenBack(texts)
        yield self._stands(self.record.game)

    def _last_decision(self) -> int:
        """Return how many steps of this turn go back to before the last decision, 0 for none."""
        entries = self._turn(self.record.game)
        for number, entry in enumerate(reversed(entries), 1):
            # Dice that fell by themselves go back with the decision before them.
            if not isinstance(entry.moves[0], Fall):
                return number
        return 0
