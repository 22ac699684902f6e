"""A recorded game or turn judged: the loss of every decision, the luck of every fall of dice.

For every turn, value before it + luck - loss = value after it: the values are those of one fixed
aim (see `aims`) under best play from each state on, so a decision can only lose and the luck
of a fall is 0 on average.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import fsum
from typing import Final

from advisor import dice
from advisor.court.asking import SOLVED, Asking
from advisor.court.coach.answers import (
    AnalyzeAnswer,
    FinalResult,
    PlayerAnswer,
    RaceResult,
    StepAnswer,
    Sums,
    TurnAnswer,
)
from advisor.court.play.aims import FINAL, LAST, RACE, Aims, kind_of, unit_of
from advisor.court.play.header import titles
from advisor.court.play.moves import words
from advisor.court.play.record import Entry, Record, format_record
from advisor.court.race.estimates import load
from advisor.court.rules import turn
from advisor.court.rules.game import Buy, Fall, Game, Move, Pass
from advisor.court.rules.names import purchase
from advisor.court.rules.notation import format_position
from advisor.court.rules.turn import Roll, SetAside, Step, TurnState, Use
from advisor.court.turn.advice import Adviser, best
from advisor.court.turn.payoffs import PROBABILITY, TURNS, Payoff
from advisor.court.turn.playing import SolvedTurn
from advisor.court.turn.solver import Stored
from advisor.dice import NONE
from advisor.errors import AdvisorError, InvalidRecord

Tell = Callable[[str], None]

MARKS: Final = ("??", "?", "?!")
LEAST: Final = {PROBABILITY: (0.08, 0.04, 0.02), TURNS: (0.32, 0.16, 0.08)}
"""The loss from which on a decision gets each mark, by the unit of its turn."""
NEGLIGIBLE: Final = 1e-9
"""Losses below this are rounding."""


@dataclass
class Judged:
    """One step of a record: what was done, the value afterwards, what was lost and gained by it.

    `options` counts what could have been done; 0 where only dice fell. `better` is the best
    option in words where something was lost.
    """

    line: int
    text: str
    value: float
    loss: float = 0.0
    luck: float | None = None
    options: int = 0
    better: str | None = None

    def mark(self, unit: str) -> str:
        """Return the mark for what was lost, nothing for little."""
        for mark, least in zip(MARKS, LEAST[unit], strict=True):
            if self.loss >= least:
                return mark
        return ""


@dataclass
class Judge:
    """Follows a turn step by step; `value` is that of the state reached, under best play."""

    aims: Aims
    payoff: Payoff
    state: TurnState
    language: str
    stored: Stored
    value: float = field(init=False)
    _last: Adviser | None = field(init=False, default=None)

    @classmethod
    def of(cls, game: Game, aims: Aims, language: str) -> Judge:
        """Return the judge of a turn that begins where a game stands."""
        assert game.turn
        payoff, first = aims.payoff(game), turn.start(game.hand, game.rules)
        # Players often have the same cards, and the same ones on display, for many turns.
        solved = aims.kept.get((first, payoff), lambda: SolvedTurn(first, payoff, aims.memory))
        judge = cls(aims, payoff, game.turn, language, solved.stored)
        judge.value = judge._worth(game.turn)
        return judge

    def step(self, entry: Entry) -> Judged:
        """Return the judgement of the next step of the record."""
        before, *_, last = self.value, *entry.moves
        found = Judged(entry.line, words(entry.moves, self.language), self.value)
        decided = [move for move in entry.moves if not isinstance(move, Fall)]
        if decided:
            better = self._decide(found, decided, entry.before)
            lost = before - self.value
            assert lost > -NEGLIGIBLE, (entry, found)
            if lost < NEGLIGIBLE:
                self.value = before
            else:
                found.loss, found.better = lost, better()
        if isinstance(last, Fall):
            between = self.value
            active = dice.plus(self.state.active, last.dice)
            self._move_to(replace(self.state, active=active, falling=0))
            found.luck = self.value - between
        found.value = self.value
        return found

    # ------------------------------------------------------------ decisions

    def _decide(self, found: Judged, moves: Sequence[Move], game: Game) -> Callable[[], str]:
        """Move on to what a decision leads to; return what says the best option in words."""
        match moves[0]:
            case Buy(key):
                every = self.aims.worths(game)
                worths = {key: every[key] for key in (None, *game.purchases())}
                found.options, self.value = len(worths), worths[key]
                chosen = max(worths, key=lambda key: worths[key])
                return lambda: purchase(chosen, self.language)
            case Pass():
                found.options, self.value = 2, float(self.payoff.literal_worth(NONE))
                return lambda: f"roll {self.state.falling}"
            case _:
                adviser, state = self._adviser(self.state), self.state
                for step in moves:
                    assert isinstance(step, SetAside | Roll | Use)
                    # Forced as long as nothing else could have been done.
                    found.options = max(found.options, len(self.state.legal_steps()))
                    self._take(step)
                # All options are many to work out, and most decisions lose nothing.
                return lambda: best(adviser.options(state)).text(self.language)

    def _take(self, step: Step) -> None:
        after = self.state.apply(step)
        if isinstance(step, Use) and step.effect.reroll:
            # Some dice are active and others fall: only the state before it has that value.
            value = self._used(step)
            self.state, self.value = after, value
        else:
            self._move_to(after)

    def _used(self, step: Use) -> float:
        options = self._adviser(self.state).options(self.state)
        return next(
            float(option.values[0])
            for option in options
            if (option.kind, option.card, option.effect) == ("use", step.card, step.effect)
        )

    # ------------------------------------------------------------ values

    def _move_to(self, state: TurnState) -> None:
        self.state, self.value = state, self._worth(state)

    def _worth(self, state: TurnState) -> float:
        if state.is_over:
            return float(self.payoff.literal_worth(state.aside))
        return float(self._adviser(state).values()[0])

    def _adviser(self, state: TurnState) -> Adviser:
        if self._last is None or self._last.root != state:
            self._last = Adviser(state, [self.payoff], self.aims.memory, self.stored)
        return self._last


# ---------------------------------------------------------------- whole records


def analyze(asking: Asking, record: Record, tell: Tell = lambda text: None) -> AnalyzeAnswer:
    """Return the judgement of every step of a record, under the rule set of `asking`."""
    known = load(asking.rules, asking.tables)

    def solve(memory: int) -> AnalyzeAnswer:
        aims = Aims(asking.rules, memory, known)
        return analyzed(record, aims, asking.language, tell)

    question = {
        "command": "analyze", "record": format_record(record), "table": known.table.checksum,
    }  # fmt: skip
    return asking.answer(AnalyzeAnswer, question, solve)


def analyzed(
    record: Record, aims: Aims, language: str = "en", tell: Tell = lambda text: None
) -> AnalyzeAnswer:
    """Return the analysis of a record: its turns with all their steps, and what each player did.

    Values are in the unit of their turn: minus the turns to the King, or chances to win. Raises
    InvalidRecord if there is nothing to judge.
    """
    turns = []
    for number, entries in enumerate(turns_of(record), 1):
        tell(f"turn {number}")
        turns.append(judged(entries, number, record, aims, language))
    if not turns:
        raise InvalidRecord("the record has no step: there is nothing to analyse")
    position = record.header.position
    return AnalyzeAnswer(
        rules=record.header.rules.name,
        seats=tuple(titles(record.header.seats)) or ("player",),
        position=None if position is None else format_position(position),
        winner=None if record.game.winner is None else record.game.winner + 1,
        marks={unit: dict(zip(MARKS, least, strict=True)) for unit, least in LEAST.items()},
        assumptions=tuple(assumptions(turns, aims)),
        players=tuple(player(seat + 1, turns) for seat in range(len(record.game.hands))),
        turns=tuple(turns),
        source=SOLVED,
    )


def assumptions(turns: Sequence[TurnAnswer], aims: Aims) -> list[str]:
    """Return in words what the values take for granted."""
    kinds = {turn.kind for turn in turns}
    found = []
    if RACE in kinds:
        found.append(
            "until the King is taken a turn is played for the fewest expected turns to the King "
            "after it: what can be bought in it is what is on display, what is bought later is "
            "bought by a player alone with everything for sale; turns from the table of the race "
            f"for rule set {aims.estimates.rules.name}, where that does not know a set of "
            "cards well from a fit to the others"
        )
    if LAST in kinds:
        found.append(
            "after the King was taken a turn is played for the chance to win the final round, the "
            "others keeping their present cards"
        )
    if FINAL in kinds:
        found.append("in the final round every player maximises the own chance to win: exact")
    return found


def turns_of(record: Record) -> Iterator[list[Entry]]:
    """Yield the steps of each turn."""
    for _, entries in groupby(record.entries, key=lambda entry: entry.before.place):
        yield list(entries)


def judged(
    entries: Sequence[Entry], number: int, record: Record, aims: Aims, language: str
) -> TurnAnswer:
    """Return one turn: its steps, and the identity of its values."""
    first, last = entries[0].before, entries[-1]
    try:
        judge = Judge.of(first, aims, language)
        start, unit = judge.value, unit_of(first)
        steps = [judge.step(entry) for entry in entries]
    except AdvisorError as error:
        raise type(error)(f"turn {number}, line {entries[0].line}: {error}") from error
    end = last.moves[-1]
    return TurnAnswer(
        number=number,
        round=first.round,
        seat=first.seat + 1,
        kind=kind_of(first),
        unit=unit,
        cards=first.hand,
        value=start,
        luck=fsum(step.luck or 0.0 for step in steps),
        loss=fsum(step.loss for step in steps),
        end=judge.value,
        complete=isinstance(end, Buy | Pass) or _turn_over(last),
        bought=end.card if isinstance(end, Buy) else None,
        steps=tuple(shown(step, unit) for step in steps),
    )


def _turn_over(entry: Entry) -> bool:
    after = entry.after
    return after.is_over or after.place != entry.before.place


def shown(step: Judged, unit: str) -> StepAnswer:
    """Return one step of the answer."""
    return StepAnswer(
        line=step.line,
        step=step.text,
        value=step.value,
        luck=step.luck,
        decision=step.options > 0,
        forced=step.options == 1,
        loss=step.loss,
        mark=step.mark(unit),
        best=step.better if step.loss else None,
    )


# ---------------------------------------------------------------- players


def player(seat: int, turns: Sequence[TurnAnswer]) -> PlayerAnswer:
    """Return what a player lost and gained, by unit, and the result without the luck."""
    own = [turn for turn in turns if turn.seat == seat]
    return PlayerAnswer(
        seat=seat,
        turns=_sums([turn for turn in own if turn.unit == TURNS]),
        probability=_sums([turn for turn in own if turn.unit == PROBABILITY]),
        race=_raced([turn for turn in own if turn.kind == RACE]),
        final=_rolled([turn for turn in own if turn.kind == FINAL]),
    )


def _sums(own: Sequence[TurnAnswer]) -> Sums | None:
    """Return the sums over turns of one unit, None where there is none."""
    if not own:
        return None
    steps = [step for turn in own for step in turn.steps]
    unforced = sum(step.decision and not step.forced for step in steps)
    loss = fsum(turn.loss for turn in own)
    return Sums(
        decisions=unforced,
        loss=loss,
        loss_per_decision=loss / unforced if unforced else 0.0,
        luck=fsum(turn.luck for turn in own),
        marks={mark: sum(step.mark == mark for step in steps) for mark in MARKS},
    )


def _raced(own: Sequence[TurnAnswer]) -> RaceResult | None:
    """Return in how many turns a race was run: those played, those still expected, the luck off."""
    if not own:
        return None
    played, left = len(own), abs(own[-1].end)
    luck = fsum(turn.luck for turn in own)
    result = played + left
    return RaceResult(played=played, left=left, result=result, luck_adjusted=result + luck)


def _rolled(own: Sequence[TurnAnswer]) -> FinalResult | None:
    """Return the chance to win after the own roll of the final round, and without its luck."""
    if not own:
        return None
    (rolled,) = own
    return FinalResult(result=rolled.end, luck_adjusted=rolled.end - rolled.luck)
