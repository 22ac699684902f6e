"""Answers for players: ranked options, losses, plan, purchase odds, and why the best is best.

Numbers are exact for the named rule set and goal, in float64.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from math import fsum

import numpy as np
from numpy.typing import NDArray

from advisor import dice, ties
from advisor.court.asking import SOLVED
from advisor.court.rules import turn
from advisor.court.rules.cards import BY_KEY, CopyAside, Groups, Straight, patterns
from advisor.court.rules.names import used
from advisor.court.rules.notation import Position, format_position, to_state
from advisor.court.rules.options import RuleSet
from advisor.court.rules.supply import purchasable
from advisor.court.rules.turn import Effect, TurnState
from advisor.court.turn.answers import CardOdds, KeepAnswer, OddsAnswer, RankedOption, Side, Why
from advisor.court.turn.exact import as_fraction
from advisor.court.turn.payoffs import Payoff, PurchasePayoff, pay
from advisor.court.turn.solver import Stored, TurnTable, Values
from advisor.dice import NONE, Counts
from advisor.ties import TIE

Distribution = NDArray[np.float64]


@dataclass(frozen=True)
class Option:
    """A move offered; `values` has one entry a goal."""

    kind: str
    values: Values = field(compare=False)
    dice: Counts = NONE
    card: str | None = None
    effect: Effect | None = None
    rolls: int = 0

    def text(self, language: str = "en") -> str:
        """Return the option in words."""
        return ", ".join(self.steps(language))

    def steps(self, language: str = "en") -> list[str]:
        """Return the steps of the option in words."""
        steps = []
        if self.dice != NONE:
            steps.append(f"set aside {dice.format_dice(self.dice, ' ')}")
        if self.card and self.effect:
            steps.append(used(self.card, self.effect.text, language))
        elif self.rolls:
            steps.append(f"roll {self.rolls}")
        else:
            steps.append("end the turn")
        return steps


class Adviser:
    """The options of a state and what follows from each, for one or several goals."""

    def __init__(
        self, state: TurnState, goals: Sequence[Payoff], memory: int, stored: Stored | None = None
    ) -> None:
        self.goals, self.memory, self.stored = goals, memory, stored
        self.root = state
        self.table = TurnTable(state, goals, memory, stored)

    def at(self, state: TurnState) -> Adviser:
        """Return the adviser of a later state of the same turn, nothing solved anew."""
        found = copy(self)
        found.root, found.table = state, self.table.at(state)
        found.__dict__.pop("results", None)
        return found

    def values(self) -> Values:
        """Return the value of the root for each goal."""
        if not self.root.falling:
            return self.table.node(self.root.active, self.root.unused)
        if self.root.opening:
            return self.table.opening(self.root.unused)
        return self.table.rolled(NONE, self.root.unused)

    # ------------------------------------------------------------ options

    def options(self, state: TurnState) -> list[Option]:
        """Return every option at the root, or after cards were used there, in the order of ties."""
        if state.opening:
            return list(self._opening_options(state))
        if state.falling:
            return []
        return [*self._set_asides(state), *self.others(state)]

    def others(self, state: TurnState) -> Iterator[Option]:
        """Yield the options of a decision node but setting dice aside, in the order of ties."""
        for key in state.unused:
            yield from self._uses(state, key)
        yield from self._copies_of_new_dice(state)
        yield from self._bare_roll(state)

    def _opening_options(self, state: TurnState) -> Iterator[Option]:
        yield Option("roll", self.table.rolled(NONE, state.unused), rolls=state.falling)
        for step in state.legal_steps():
            if isinstance(step, turn.Use):
                rest = state.apply(step).unused
                yield Option("use", self.table.opening(rest), card=step.card, effect=step.effect)

    def _set_asides(self, state: TurnState) -> Iterator[Option]:
        parts = sorted(dice.parts(state.active), key=lambda part: (-sum(part), dice.faces(part)))
        for part in parts:
            if part != NONE:
                values = self.table.rolled(part, state.unused)
                yield Option("set_aside", values, part, rolls=sum(state.active) - sum(part))

    def _uses(self, state: TurnState, key: str) -> Iterator[Option]:
        for effect in turn.effects(key, state):
            yield Option("use", self.use_value(state, key, effect), card=key, effect=effect)

    def use_value(self, state: TurnState, key: str, effect: Effect) -> Values:
        """Return the values of a use at the root, one that changes nothing included."""
        after = state.apply(turn.Use(key, effect))
        if effect.reroll:
            return self.table.rerolled(state.active, effect, after.unused)
        return self.table.node(after.active, after.unused)

    def _copies_of_new_dice(self, state: TurnState) -> Iterator[Option]:
        for key in state.unused:
            if not isinstance(BY_KEY[key].ability, CopyAside):
                continue
            for face in dice.distinct(state.active):
                moved = state.apply(turn.SetAside(face))
                if state.aside[face - 1] or moved.is_over:
                    continue
                die = dice.single(face)
                for effect in turn.effects(key, moved):
                    if effect.give == die:
                        after = moved.apply(turn.Use(key, effect))
                        values = self.table.node(after.active, after.unused, die)
                        yield Option("aside_then_use", values, die, key, effect)

    def _bare_roll(self, state: TurnState) -> Iterator[Option]:
        if state.may_roll:
            rolls = sum(state.active)
            yield Option("roll", self.table.rolled(NONE, state.unused), rolls=rolls)

    # ------------------------------------------------------------ what follows

    def after(self, state: TurnState, option: Option) -> TurnState:
        """Return the state after the option, dice falling where it ends with a roll."""
        for face in dice.faces(option.dice):
            state = state.apply(turn.SetAside(face))
        if option.card and option.effect:
            return state.apply(turn.Use(option.card, option.effect))
        return state if state.is_over else state.apply(turn.Roll())

    def plan(self, state: TurnState, option: Option, language: str = "en") -> list[str]:
        """Return the steps from the option up to the next chance event."""
        steps = option.steps(language)
        if option.kind == "set_aside" and not option.rolls:
            steps = steps[:1]
        after = self.after(state, option)
        if after.is_chance or after.is_over:
            return steps
        adviser = self
        if option.kind == "aside_then_use":
            adviser = Adviser(after, self.goals[:1], self.memory, self.stored)
        return steps + adviser.plan(after, best(adviser.options(after)), language)

    def follow(self, state: TurnState, option: Option, goal: int = 0) -> Distribution:
        """Return the probability of each result after the option, best play for one goal."""
        after = self.after(state, option)
        if after.opening:
            return self.follow(after, best(self.options(after), goal), goal)
        if option.kind == "aside_then_use":
            return self.table.follow_node(after.active, after.unused, option.dice, True, goal)
        if option.kind != "use" or state.opening:
            return self.table.follow_roll(option.dice, after.unused, goal)
        if option.effect and option.effect.reroll:
            return self.table.follow_reroll(
                state.active, option.effect, after.unused, state.may_roll, goal
            )
        return self.table.follow_node(after.active, after.unused, NONE, state.may_roll, goal)

    def outcome(self, goal: int = 0) -> Distribution:
        """Return the probability of each result from the root on, best play for one goal."""
        options = self.options(self.root)
        if options:
            return self.follow(self.root, best(options, goal), goal)
        return self.table.follow_roll(NONE, self.root.unused, goal)

    @cached_property
    def results(self) -> NDArray[np.int8]:
        """The counts of each result of a distribution."""
        return self.table.results


def best(options: Sequence[Option], goal: int = 0) -> Option:
    """Return the best option for a goal, the first of equally good ones."""
    top = max(option.values[goal] for option in options)
    return next(option for option in options if option.values[goal] >= top - TIE)


def ranked(options: Sequence[Option]) -> list[Option]:
    """Return the options by the value of the first goal; ties keep their order."""
    return ties.ranked(options, lambda option: float(option.values[0]))


def offered(options: Sequence[Option], every: bool) -> list[Option]:
    """Return the options worth showing: of each card the best use only, unless `every`."""
    if every:
        return list(options)
    kept = [option for option in options if option.card is None]
    for key in dict.fromkeys(option.card for option in options if option.card):
        mine = [option for option in options if option.card == key]
        plain = [option for option in mine if option.kind == "use"]
        kept += [best(plain)] if plain else []
        early = [option for option in mine if option.kind == "aside_then_use"]
        if early and (not plain or best(early).values[0] > best(plain).values[0] + TIE):
            kept.append(best(early))
    order = {id(option): place for place, option in enumerate(options)}
    return sorted(kept, key=lambda option: order[id(option)])


# ---------------------------------------------------------------- keep


def keep(
    position: Position,
    rules: RuleSet,
    goal: Payoff,
    memory: int,
    every: bool = False,
    language: str = "en",
    stored: Stored | None = None,
) -> KeepAnswer:
    """Return the answer of `advisor keep` for a goal, from stored values if there are any."""
    state = to_state(position, rules)
    adviser = Adviser(state, [goal], memory, stored)
    value = float(adviser.values()[0])
    options = ranked(offered(adviser.options(state), every))
    outcome = adviser.outcome()
    return KeepAnswer(
        rules=rules.name,
        position=format_position(position),
        goal=goal.format(),
        unit=goal.unit,
        value=value,
        options=tuple(
            RankedOption(
                rank=rank,
                value=float(option.values[0]),
                loss=max(0.0, value - float(option.values[0])),
                **described(option, language),
            )
            for rank, option in enumerate(options, 1)
        ),
        plan=tuple(adviser.plan(state, options[0], language)) if options else (),
        purchases=purchases(adviser, outcome, position, rules),
        why=why(adviser, state, goal, options[:2], language) if len(options) > 1 else None,
        source=SOLVED,
    )


def described(option: Option, language: str) -> dict[str, str]:
    """Return what an answer shows of an option besides its value, by the names of the fields."""
    shown = {"kind": option.kind, "text": option.text(language)}
    if option.dice != NONE:
        shown["dice"] = dice.format_dice(option.dice)
    if option.card and option.effect:
        shown |= {"card": option.card, "effect": option.effect.text}
    return shown


def purchases(
    adviser: Adviser, outcome: Distribution, position: Position, rules: RuleSet
) -> dict[str, float]:
    """Return for each card that could be bought the probability that the result pays for it."""
    return {
        key: _share(outcome, pay(BY_KEY[key].cost, adviser.results))
        for key in purchasable(position.cards, rules)
    }


def _share(outcome: Distribution, chosen: NDArray[np.bool_]) -> float:
    # Exact sums: what is certain shows as exactly 1. All together is 1 but for rounding.
    whole = fsum(outcome)
    assert abs(whole - 1) < 1e-9, whole
    return fsum(outcome[chosen]) / whole


# ---------------------------------------------------------------- why


def why(
    adviser: Adviser, state: TurnState, goal: Payoff, options: Sequence[Option], language: str
) -> Why:
    """Return, for the best option and the next best, the odds of the goal's parts after it."""
    first, second = options
    parts = goal_parts(goal)
    both = []
    for option in (first, second):
        outcome = adviser.follow(state, option)
        odds = {name: _share(outcome, test(adviser.results)) for name, test in parts}
        after = adviser.after(state, option)
        both.append(side(option, float(option.values[0]), odds, after, language))
    return Why(best=both[0], next=both[1])


def side(
    option: Option, value: float, odds: dict[str, float], after: TurnState, language: str
) -> Side:
    """Return what follows an option, to be held against another one; `after`: the state then."""
    return Side(
        text=option.text(language),
        value=value,
        odds=odds,
        dice_left=after.falling + sum(after.active),
        unused=after.unused,
    )


Test = Callable[[NDArray[np.int8]], NDArray[np.bool_]]


def goal_parts(goal: Payoff) -> list[tuple[str, Test]]:
    """Return the ways to reach a goal: its cards, or the values or straights that pay for one."""
    if not isinstance(goal, PurchasePayoff):
        alike, value = goal.least
        return [
            (f"{number} x {face}", _contains(_alike(number, face)))
            for face in dice.FACES
            for number in [alike + (face < value)]
        ]
    if len(goal.values) > 1:
        return [(key, _paid(key)) for key, _ in goal.values]
    ((key, _),) = goal.values
    cost = BY_KEY[key].cost
    if isinstance(cost, Straight):
        return [(_run(pattern), _contains(pattern)) for pattern in patterns(cost)]
    if isinstance(cost, Groups) and len(cost.sizes) == 1:
        number = cost.sizes[0]
        return [(f"{number} x {face}", _contains(_alike(number, face))) for face in dice.FACES]
    return [(key, _paid(key))]


def _alike(number: int, face: int) -> Counts:
    return tuple(number * count for count in dice.single(face))


def _run(pattern: Counts) -> str:
    return "-".join(str(face) for face in dice.faces(pattern))


def _contains(pattern: Counts) -> Test:
    need = np.array(pattern, dtype=np.int8)
    return lambda results: np.asarray((results >= need).all(axis=-1))


def _paid(key: str) -> Test:
    return lambda results: pay(BY_KEY[key].cost, results)


# ---------------------------------------------------------------- odds


def odds(
    position: Position,
    rules: RuleSet,
    goals: Sequence[Payoff],
    memory: int,
    exact: bool = False,
    language: str = "en",
    stored: Stored | None = None,
) -> OddsAnswer:
    """Return the answer of `advisor odds`.

    For each goal, a card by itself, its probability under best play for it alone and the first
    move toward it.
    """
    state = to_state(position, rules)
    adviser = Adviser(state, goals, memory, stored)
    values, options = adviser.values(), adviser.options(state)
    rows = [
        CardOdds(
            card=goal.format(),
            probability=float(values[place]),
            first=best(options, place).text(language) if options else None,
            exact=as_fraction(float(values[place]), state) if exact else "",
        )
        for place, goal in enumerate(goals)
    ]
    return OddsAnswer(
        rules=rules.name, position=format_position(position), goals=tuple(rows), source=SOLVED
    )
