"""Advice to the seat on turn of a game: options ranked, and what a move loses.

Options are ranked as `advisor keep`, `buy` and `final` rank them, for what is on display. What a
move loses is counted as `advisor analyze` counts, which takes no time to narrow intervals and is
the same on every machine.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any, Final

from advisor.court.asking import Asking
from advisor.court.play.aims import Aims, can_take, kind_of, unit_of
from advisor.court.play.answers import Advised, EstimatedAnswer
from advisor.court.play.events import Loss
from advisor.court.play.moves import Step, aside_of
from advisor.court.race import questions as race
from advisor.court.race.answers import BoundedPurchase, BuyAnswer
from advisor.court.race.estimates import KNOWN, load
from advisor.court.race.in_turn import NOTHING
from advisor.court.race.questions import Told
from advisor.court.rules.cards import BY_KEY, KING, has_use
from advisor.court.rules.game import Buy, Game, Move, Pass
from advisor.court.rules.names import format_codes, purchase
from advisor.court.rules.notation import Position, before_first_roll, from_state
from advisor.court.rules.options import bought
from advisor.court.rules.supply import Supply, supply_for
from advisor.court.rules.turn import SetAside, Use, start
from advisor.court.turn import advice
from advisor.court.turn.advice import Adviser, Option, best, offered, ranked
from advisor.court.turn.answers import KeepAnswer, RankedOption, Ranking, Side, Why
from advisor.court.turn.playing import MEMORY, Kept, SolvedTurn
from advisor.court.turn.questions import keep_each
from advisor.dice import NONE, format_dice
from advisor.errors import InvalidCards, InvalidInput, MissingTable, TooLarge

BUDGET: Final = 3.0
"""Seconds that the intervals of one turn may take."""
INSTANT: Final = 1e-3
"""Seconds for intervals once the budget is used up: what is known by then."""
PURCHASE: Final = 1.0
"""Seconds that a purchase has even then."""


class Coach:
    """Advice in a game; what one question found serves the next one of the same turn.

    `budget`: seconds a turn for intervals of expected turns.
    """

    def __init__(self, asking: Asking, budget: float = BUDGET) -> None:
        self.asking, self.budget = asking, budget
        self.races = race.Races(asking)
        self.kept = Kept()
        self._answers: dict[bool, Advised] = {}
        self._asked: Game | None = None
        self._turn: tuple[Any, ...] = ()
        self._left = budget

    @cached_property
    def aims(self) -> Aims:
        """What turns are played for where there are no intervals."""
        rules = self.asking.rules
        return Aims(rules, MEMORY, load(rules, self.asking.tables), ranked=True)

    # ------------------------------------------------------------ what is best

    def answer(self, game: Game, every: bool = False, told: Told = lambda message: None) -> Advised:
        """Return the ranked options of the seat on turn, those of a purchase included.

        `every`: all uses of a card, not only the best one; `told` hears of the progress.
        """
        if game != self._asked:
            # Only the prompt at hand is asked about again.
            self._asked, self._answers = game, {}
        if every not in self._answers:
            self._answers[every] = self._answered(game, every, told)
        return self._answers[every]

    def _answered(self, game: Game, every: bool, told: Told) -> Advised:
        if game.final:
            return self._final(game, every)
        if game.claimed is None:
            try:
                return self._race(game, every, told)
            except InvalidCards as problem:
                if game.result is not None:
                    raise InvalidInput(
                        "with these cards there is no race for the King to give advice on"
                    ) from problem
                return keep_each(self.asking, position_of(game))
            except MissingTable:
                pass
        if game.result is not None:
            return self._purchases(game)
        return self._estimated(game, every)

    def _race(self, game: Game, every: bool, told: Told) -> Advised:
        supply = supply_of(game)
        with self._within((game.hand, supply)) as budget:
            if game.result is not None:
                enough = max(budget, min(PURCHASE, self.budget))
                answer = race.buy(
                    self.races, game.result, game.hand, supply, budget=enough, told=told
                )
                return replace(answer, options=self._likely(game, answer.options))
            return race.keep(
                self.races, position_of(game), supply, None, budget, every, told,
                needs_table=True, ranked=len(game.hands) > 1,
            )  # fmt: skip

    def _likely(
        self, game: Game, options: tuple[BoundedPurchase, ...]
    ) -> tuple[BoundedPurchase, ...]:
        """Return purchases in the order of what a move loses where intervals leave it open."""
        if not any(map(_wide, options)):
            return options
        turns = {key: -worth for key, worth in self.aims.worths(game).items()}
        likely = {row.card: _likely(row, turns[row.card]) for row in options}
        ordered = sorted(options, key=lambda row: likely[row.card])
        best = ordered[0]
        return tuple(
            replace(
                row,
                rank=rank,
                loss=None if _open(best, row) else likely[row.card] - likely[best.card],
            )
            for rank, row in enumerate(ordered, 1)
        )

    def reason(self, game: Game, told: Told = lambda message: None) -> Why | None:
        """Return what follows the best option and what the next one, None if ranks say it all.

        Of a purchase: what the next turn buys, by the play that keeps the upper bounds.
        """
        answer = self.answer(game, False, told)
        if isinstance(answer, Ranking):
            return answer.why
        if not isinstance(answer, BuyAnswer) or len(answer.options) < 2:
            return None
        if answer.options[0].card == KING.key:
            return None
        pair = [self._next_turn(game, row, told) for row in answer.options[:2]]
        parts = [key for key in (NOTHING, *BY_KEY) if any(key in side.odds for side in pair)]
        first, second = (
            replace(side, odds={key: side.odds.get(key, 0.0) for key in parts}) for side in pair
        )
        return Why(best=first, next=second)

    def _next_turn(self, game: Game, row: BoundedPurchase, told: Told) -> Side:
        """Return what the turn after a purchase begins with and how likely it buys what."""
        cards = bought(game.hand, row.card)
        hands = (*game.hands[: game.seat], cards, *game.hands[game.seat + 1 :])
        position = before_first_roll(cards, game.rules)
        supply = supply_of(replace(game, hands=hands))
        answer = race.keep(self.races, position, supply, None, INSTANT, told=told)
        return Side(
            text=row.text,
            value=answer.value,
            odds={each.card or NOTHING: each.probability for each in answer.buys},
            dice_left=position.to_roll,
            unused=tuple(key for key in cards if has_use(key)),
        )

    @contextmanager
    def _within(self, turn: tuple[Any, ...]) -> Iterator[float]:
        """Give what is left of the budget of a turn, and take off what was used."""
        if turn != self._turn:
            self._turn, self._left = turn, self.budget
        begun = time.monotonic()
        try:
            yield max(self._left, INSTANT)
        finally:
            self._left -= time.monotonic() - begun

    def _final(self, game: Game, every: bool) -> KeepAnswer:
        assert game.target
        assert game.turn
        goal = self.aims.payoff(game)
        stored = self._solved(game).stored
        position, rules = position_of(game), self.asking.rules
        return advice.keep(position, rules, goal, MEMORY, every, self.asking.language, stored)

    def _estimated(self, game: Game, every: bool) -> EstimatedAnswer:
        """Return the options for what the turn is played for."""
        adviser, state = self._adviser(game), game.turn
        assert state
        options = ranked(offered(adviser.options(state), every))
        value = self._shown(game, float(adviser.values()[0]))
        language = self.asking.language
        return EstimatedAnswer(
            goal=kind_of(game),
            unit=unit_of(game),
            value=value,
            options=tuple(
                self._described(game, rank, option, value) for rank, option in enumerate(options, 1)
            ),
            plan=tuple(adviser.plan(state, options[0], language)) if options else (),
            purchase=False,
        )

    def _described(self, game: Game, rank: int, option: Option, best_value: float) -> RankedOption:
        value = self._shown(game, float(option.values[0]))
        shown = advice.described(option, self.asking.language)
        return RankedOption(rank=rank, value=value, loss=abs(best_value - value), **shown)

    def _purchases(self, game: Game) -> EstimatedAnswer:
        """Return the purchases for what the turn is played for."""
        assert game.result is not None
        worths, language = self.aims.worths(game), self.asking.language
        after = {key: worths[key] for key in (None, *game.purchases())}
        keys = sorted(after, key=lambda key: -after[key])
        return EstimatedAnswer(
            goal=kind_of(game),
            unit=unit_of(game),
            value=abs(after[keys[0]]),
            options=tuple(
                RankedOption(
                    rank=rank,
                    kind="buy",
                    card=key,
                    value=abs(after[key]),
                    loss=after[keys[0]] - after[key],
                    text=purchase(key, language),
                )
                for rank, key in enumerate(keys, 1)
            ),
            plan=(),
            purchase=True,
        )

    def _shown(self, game: Game, value: float) -> float:
        """Return a value of the solver in the unit that is shown, this turn included."""
        return value if game.claimed else 1 - value

    # ------------------------------------------------------------ what a move loses

    def loss(self, game: Game, steps: Sequence[Step]) -> Loss | None:
        """Return what the next steps lose against the best ones, None where that is not known.

        `steps` are allowed one after another and lead up to a roll at most.
        """
        if game.claimed is None and any(BY_KEY[key].comes_with for key in game.hand):
            return None
        try:
            if game.result is not None:
                return self._loss_of_purchase(game, steps)
            if game.target and not can_take(game.hand, game.target, self.asking.rules):
                return None
            return self._loss_in_turn(game, steps)
        except (MissingTable, TooLarge):
            # A coach that cannot count does not stop anybody from moving.
            return None

    def _loss_of_purchase(self, game: Game, steps: Sequence[Step]) -> Loss:
        ((move,),) = steps
        assert isinstance(move, Buy)
        worths = self.aims.worths(game)
        chosen = max((None, *game.purchases()), key=lambda key: worths[key])
        better = purchase(chosen, self.asking.language)
        return Loss(worths[chosen] - worths[move.card], unit_of(game), better)

    def _loss_in_turn(self, game: Game, steps: Sequence[Step]) -> Loss:
        adviser, state = self._adviser(game), game.turn
        assert state
        whole = float(adviser.values()[0])
        if state.is_chance:
            lost = whole if (Pass(),) in steps else 0.0
            return Loss(lost, unit_of(game), f"roll {state.falling}")
        options = adviser.options(state)
        value = self._value(adviser, options, [move for step in steps for move in step], game)
        better = best(options).text(self.asking.language)
        return Loss(max(0.0, whole - value), unit_of(game), better)

    def _value(
        self, adviser: Adviser, options: Sequence[Option], moves: Sequence[Move], game: Game
    ) -> float:
        """Return what the moves leave, best play after them."""
        state = game.turn
        assert state
        part = aside_of(moves)
        match moves[-1]:
            case Use() if part != NONE:
                for move in moves[:-1]:
                    game = game.apply(move)
                assert game.turn
                adviser = self._adviser(game)
                return self._value(adviser, adviser.options(game.turn), moves[-1:], game)
            case Use(card, effect) if state.opening:
                used = ("use", card, effect)
                found = (o for o in options if (o.kind, o.card, o.effect) == used)
                return float(next(found).values[0])
            case Use(card, effect):
                # One that changes nothing is no option, but may be played all the same.
                return float(adviser.use_value(state, card, effect)[0])
            case SetAside() if part != state.active:
                for move in moves:
                    game = game.apply(move)
                return float(self._adviser(game).values()[0])
        return float(adviser.table.rolled(part, state.unused)[0])

    def _adviser(self, game: Game) -> Adviser:
        """Return the adviser of a state, its turn solved once."""
        assert game.turn
        return Adviser(game.turn, [self.aims.payoff(game)], MEMORY, self._solved(game).stored)

    def _solved(self, game: Game) -> SolvedTurn:
        root, payoff = start(game.hand, game.rules), self.aims.payoff(game)
        return self.kept.get((root, payoff), lambda: SolvedTurn(root, payoff))


def _wide(row: BoundedPurchase) -> bool:
    return row.turns.width > KNOWN


def _likely(row: BoundedPurchase, estimate: float) -> float:
    """Return the turns after a purchase: the middle of its interval, in a wide one an estimate."""
    return row.turns.nearest(estimate) if _wide(row) else row.turns.middle


def _open(best: BoundedPurchase, row: BoundedPurchase) -> bool:
    """Return whether wide intervals leave open by how much a purchase is behind the best one."""
    if row is best or not (_wide(row) or _wide(best)):
        return False
    return inf in (row.turns.upper, best.turns.upper) or row.turns.lower < best.turns.upper


def claim_command(game: Game) -> str:
    """Return the command that tells whether the King should be taken with this result."""
    assert game.result is not None
    seats = len(game.hands)
    others = [game.hands[(game.seat + place) % seats] for place in range(1, seats)]
    hands = [part for hand in others for part in ("--player", format_codes(hand))]
    words = ["advisor", "claim", "--result", format_dice(game.result)]
    words += ["--cards", format_codes(game.hand), *hands]
    words += ["--to-play", str(seats - game.done - 1), "--rules", game.rules.name]
    return shlex.join(words)


def position_of(game: Game) -> Position:
    """Return where the seat on turn stands, as `advisor keep` takes it."""
    assert game.turn
    return from_state(game.turn, game.hand)


def supply_of(game: Game) -> Supply:
    """Return what the seat on turn can buy in the race for the King, now and later."""
    gone = [key for seat, hand in enumerate(game.hands) if seat != game.seat for key in hand]
    return supply_for(game.hand, game.rules, gone, len(game.hands))
