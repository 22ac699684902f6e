"""A game that is played: what a player types becomes steps of a record, bots answer.

Nothing is read or written here but the record: a session hears lines of text and gives events,
which somebody shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final, Protocol

from advisor.court.asking import Asking
from advisor.court.play.aims import can_take
from advisor.court.play.answers import Advised
from advisor.court.play.bots import BOTS, Bot, make_bot
from advisor.court.play.moves import SeveralUses, Step, accepted, read_move
from advisor.court.play.record import Entry, Record, Seat, titles
from advisor.court.play.record_file import RecordFile
from advisor.court.rules.cards import BY_KEY
from advisor.court.rules.game import MOST_PLAYERS, Buy, Fall, Game, Move, Pass
from advisor.court.rules.turn import Roll, SetAside, Use
from advisor.court.turn.answers import Ranking
from advisor.court.turn.playing import Kept
from advisor.dice import Counts, plus
from advisor.errors import AdvisorError, InvalidOption, InvalidRecord
from advisor.text import printable

HUMAN: Final = "human"
RANDOM: Final = "random"

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

BOT_STREAM: Final = 1
"""Sets the dice of a random bot apart from those of the game (see `record.dice_of`)."""


Told = Callable[[str], None]


@dataclass(frozen=True)
class Loss:
    """What a move loses against the best one, >= 0 in `unit`; `better`: the best one in words."""

    lost: float
    unit: str
    better: str


class Coach(Protocol):
    """Who advises a player, and shares solved turns with the bots."""

    asking: Asking
    kept: Kept

    def answer(self, game: Game, every: bool = False, told: Told = lambda message: None) -> Advised:
        """Return the ranked options of the seat on turn, every one of them if `every`."""

    def loss(self, game: Game, steps: Sequence[Step]) -> Loss | None:
        """Return what the next steps lose against the best ones, None where that is not known."""


# ---------------------------------------------------------------- events


@dataclass(frozen=True)
class Stands:
    """A human's decision is due; `new`: the first one that is shown of the turn."""

    game: Game
    new: bool


@dataclass(frozen=True)
class Finished:
    """A turn has ended: its seat, its steps, the game after it."""

    seat: int
    entries: tuple[Entry, ...]
    after: Game

    @property
    def uses(self) -> list[Use]:
        """The cards used, in order."""
        moves = [move for entry in self.entries for move in entry.moves]
        return [move for move in moves if isinstance(move, Use)]

    @property
    def last(self) -> Move:
        """What ended the turn: a purchase, or in the final round the last die or a pass."""
        return self.entries[-1].moves[-1]

    @property
    def result(self) -> Counts:
        """The final dice, none if the roll was given up."""
        state = self.entries[-1].before.turn
        assert state
        # In the final round the turn ends with the step that sets the last dice aside.
        return plus(state.aside, state.active)


@dataclass(frozen=True)
class Advice:
    """Ranked options of where the game stands, every one of them if `every`."""

    game: Game
    answer: Advised
    every: bool


@dataclass(frozen=True)
class Why:
    """The reason of the best option."""

    answer: Ranking


@dataclass(frozen=True)
class Choices:
    """A card can be used in several ways: one has to be chosen."""

    several: SeveralUses


@dataclass(frozen=True)
class Warned:
    """The move loses more than the threshold: it has to be confirmed."""

    loss: Loss


@dataclass(frozen=True)
class TakenBack:
    """These steps were taken back, the last one first."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Problem:
    """What was typed cannot be done, and why."""

    text: str


@dataclass(frozen=True)
class Table:
    """Everybody's cards and the display were asked for."""

    game: Game


@dataclass(frozen=True)
class Help:
    """Help was asked for."""


@dataclass(frozen=True)
class Left:
    """The player has left."""


@dataclass(frozen=True)
class Over:
    """The game, or the single turn, is over."""

    record: Record


Event = (
    Stands | Finished | Advice | Why | Choices | Warned | TakenBack | Problem | Table | Help | Left
    | Over
)  # fmt: skip


# ---------------------------------------------------------------- seats


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
            f"--seats: {text!r} is no player: choose from {HUMAN}, {', '.join(BOTS)}, a name "
            "behind a colon: human:Anna,best"
        )
    return Seat(kind, printable(name))


class Players:
    """The bots of a record. Each decision depends on the record only, so that it can be resumed."""

    def __init__(self, record: Record, coach: Coach) -> None:
        self.record = record
        self.seats = record.header.seats or (Seat(HUMAN),)
        self.coach = coach
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
            where = self.coach.asking.tables
            self._bots[kind] = make_bot(kind, rules, 0, where, self.coach.kept)
        return self._bots[kind]


# ---------------------------------------------------------------- the session


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
        self.players = Players(self.record, coach)
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
        return read_move(f"{several.card} {text}" if several else text, self.record.game)

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
                yield self._why(self.coach.answer(game, False, told))
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

    def _why(self, answer: Advised) -> Event:
        if isinstance(answer, Ranking) and answer.why:
            return Why(answer)
        return Problem("there is nothing to explain here beyond what ? shows")

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


def steps_of(moves: Sequence[Move]) -> Iterator[Step]:
    """Yield moves as steps of a record: dice set aside one after another are one step."""
    dice: list[Move] = []
    for move in moves:
        if isinstance(move, SetAside):
            dice.append(move)
            continue
        if dice:
            yield tuple(dice)
            dice = []
        yield (move,)
    if dice:
        yield tuple(dice)
