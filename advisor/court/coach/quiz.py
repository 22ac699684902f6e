"""Positions for the player to decide, drawn from games that a bot plays, with the true answer.

A question is about the fewest turns to the King where the table of the race is there, and knows
the position so well that the best option is certain; otherwise about the chance of one card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Final

import numpy as np

from advisor.court.asking import Asking
from advisor.court.play.bots import make_bot
from advisor.court.play.effects import SeveralUses
from advisor.court.play.moves import accepted, aside_of, read_move
from advisor.court.race.in_turn import Pursuit
from advisor.court.race.questions import Races
from advisor.court.rules.game import Fall, Game, new_game
from advisor.court.rules.notation import Position, from_state, to_state
from advisor.court.rules.options import RuleSet
from advisor.court.rules.supply import full_supply, purchasable
from advisor.court.rules.turn import CHANGE_NOTHING, Use
from advisor.court.turn import advice
from advisor.court.turn.advice import Adviser
from advisor.court.turn.answers import KeepAnswer, RankedOption, Why
from advisor.court.turn.goals import card_goal
from advisor.court.turn.payoffs import Payoff
from advisor.court.turn.playing import MEMORY, Kept
from advisor.dice import format_dice, thrown
from advisor.errors import ImpossibleStep, InvalidInput
from advisor.text import quoted
from advisor.ties import TIE

GAPS: Final = {
    "turns": {1: (0.1, inf), 2: (0.03, 0.1), 3: (0.005, 0.03)},
    "probability": {1: (0.08, inf), 2: (0.025, 0.08), 3: (0.004, 0.025)},
}
"""By unit and level: from how much to how much less than the best the next best is worth."""

RIGHT: Final = 2 * TIE
"""Options that lose no more than this are as good as the best."""
OPTIONS: Final = 3
"""Options that a question has at least; at most half of them are as good as the best."""
ROUNDS: Final = 12
"""Rounds of a game that questions are taken from."""
ASTRAY: Final = 0.12
"""How often the game goes on with a random move, so that not only good hands are met."""
LIKELY: Final = (0.05, 0.95)
"""The chances of a card that is asked for."""


@dataclass(frozen=True)
class Question:
    """A position to be decided; `answer` is that of `advisor keep --all`, `gap` in its unit."""

    game: Game
    answer: KeepAnswer
    gap: float
    why: Callable[[int], Why] = field(compare=False)
    """What follows the best option beside what follows the one in this place, counted from 0."""

    def option(self, text: str) -> RankedOption:
        """Return the option that a player means; raises an AdvisorError saying why there is none.

        Dice are set aside and the others rolled; a card without its effect means its best use.
        """
        try:
            moves = [move for step in read_move(text, self.game) for move in step]
        except SeveralUses as several:
            return self._best_use(several)
        used = next((move for move in moves if isinstance(move, Use)), None)
        return self._found(text, format_dice(aside_of(moves)), used)

    def _found(self, text: str, dice: str, used: Use | None) -> RankedOption:
        card, effect = (used.card, used.effect.text) if used else (None, None)
        for option in self.answer.options:
            if (option.dice or "", option.card, option.effect) == (dice, card, effect):
                return option
        if used and used.effect == CHANGE_NOTHING:
            raise InvalidInput(
                f"{quoted(text)} spends the card for nothing, which is never better than keeping it"
            )
        raise InvalidInput(
            f"{quoted(text)} is more than one move: use the card first, or set dice aside and roll"
        )

    def _best_use(self, several: SeveralUses) -> RankedOption:
        dice = format_dice(several.aside)
        mine = [
            option
            for option in self.answer.options
            if option.card == several.card and (option.dice or "") == dice
        ]
        good = [option for option in mine if option.loss <= mine[0].loss + RIGHT]
        if len(good) == 1:
            return good[0]
        raise several

    @property
    def position(self) -> Position:
        """Where the player stands."""
        return position_of(self.game)

    def compared(self, option: RankedOption) -> KeepAnswer:
        """Return the answer, the best option held against this one, or against the next worse."""
        worse = (o for o in self.answer.options if o.loss > RIGHT)
        other = option if option.loss > RIGHT else next(worse)
        return replace(self.answer, why=self.why(other.rank - 1))

    def accepted(self) -> str:
        """Return in a line what can be typed."""
        return accepted(self.game)


def position_of(game: Game) -> Position:
    """Return the position of the seat on turn."""
    state = game.turn
    if state is None:
        raise ImpossibleStep("the game is over: nobody is on turn")
    return from_state(state, game.hand)


class Quiz:
    """Draws questions of a level; the same seed gives the same ones."""

    def __init__(self, asking: Asking, level: int, seed: int) -> None:
        self.asking, self.level, self.seed = asking, level, seed
        self.bot = make_bot("best", asking.rules, where=asking.tables, kept=Kept())
        self.race, _ = Races(asking).start((), full_supply((), asking.rules), MEMORY)
        self.unit = "turns" if self.race.known else "probability"

    def question(self, number: int) -> Question:
        """Return the question with this number, counted from 1."""
        game = 0
        while True:
            rng = np.random.default_rng((self.seed, self.level, number, game))
            places = list(self._decisions(rng))
            for place in rng.permutation(len(places)):
                found = self._asked(places[int(place)], rng)
                if found:
                    return found
            game += 1

    def _decisions(self, rng: np.random.Generator) -> Iterator[Game]:
        """Yield where a player alone has to decide something in a turn of a game."""
        astray = make_bot("random", self.asking.rules, int(rng.integers(1 << 30)))
        game = new_game(1, self.asking.rules)
        while not game.claimed and game.round <= ROUNDS:
            if game.is_chance:
                assert game.turn
                game = game.apply(Fall(thrown(game.turn.falling, rng)))
                continue
            if game.result is None:
                yield game
            bot = astray if rng.random() < ASTRAY else self.bot
            for move in bot.moves(game):
                game = game.apply(move)

    def _asked(self, game: Game, rng: np.random.Generator) -> Question | None:
        """Return the question of a position, None if it is not of the level."""
        return self._turns(game) if self.race.known else self._card(game, rng)

    def _turns(self, game: Game) -> Question | None:
        known = self.race.known(game.hand) if self.race.known else None
        if known is None or known.turns.upper == inf:
            return None
        pursuit = Pursuit(position_of(game), self.race, MEMORY, every=True)
        spans = pursuit.spans()
        losses = [span.middle - spans[0].middle for span in spans]
        if not self._fits(losses) or not pursuit.certain():
            return None
        language = self.asking.language
        why = partial(pursuit.why, language=language)
        return Question(game, pursuit.answer(language), _gap(losses), why)

    def _card(self, game: Game, rng: np.random.Generator) -> Question | None:
        position, rules = position_of(game), self.asking.rules
        keys = purchasable(position.cards, rules)
        goal = card_goal(keys[int(rng.integers(len(keys)))])
        answer = advice.keep(position, rules, goal, MEMORY, True, self.asking.language)
        losses = [option.loss for option in answer.options]
        if not LIKELY[0] <= answer.value <= LIKELY[1] or not self._fits(losses):
            return None
        why = partial(_why, position, rules, goal, self.asking.language)
        return Question(game, answer, _gap(losses), why)

    def _fits(self, losses: Sequence[float]) -> bool:
        """Return whether a position is a question of the level, and no gift."""
        least, most = GAPS[self.unit][self.level]
        good = sum(loss <= RIGHT for loss in losses)
        enough = len(losses) >= OPTIONS and 2 * good <= len(losses)
        return enough and least <= _gap(losses) < most


def _why(position: Position, rules: RuleSet, goal: Payoff, language: str, place: int) -> Why:
    state = to_state(position, rules)
    adviser = Adviser(state, [goal], MEMORY)
    options = advice.ranked(adviser.options(state))
    return advice.why(adviser, state, goal, [options[0], options[place]], language)


def _gap(losses: Sequence[float]) -> float:
    """Return how much worse than the best the next best option is, 0 if there is none."""
    return next((loss for loss in losses if loss > RIGHT), 0.0)
