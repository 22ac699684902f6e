"""Greedy play by exact odds: what the players of a simulated game choose.

A target is rated by the chance that it wins the game at once, then by its chance of success times
a worth. A top card is put under its deck first where the mean over the unseen cards promises more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from advisor.knights.play.throwing import competing_chance
from advisor.knights.rules.cards import Card, Cards, Guard, castles, fixed_dice, specials, throws
from advisor.knights.rules.options import MORE_THROWS, RULEBOOK, RuleSet
from advisor.knights.turn.targets import (
    Player,
    Table,
    Target,
    deck_target,
    goes_on,
    refusal,
    success,
    targets,
    wins,
)

Rating = tuple[float, float]
"""Chance to win at once, then chance of success times worth."""

NONE: Final[Rating] = (0.0, 0.0)
STEP: Final = 1.0
"""Worth of a castle or tournament, a step to victory."""

SPECIAL: Final = 0.7
"""Worth of a special from a deck, which allows another attempt."""

TAKEN_SPECIAL: Final = 0.5
"""Worth of an opponent's special, which does not."""


def rate(table: Table, target: Target, rules: RuleSet = RULEBOOK) -> Rating:
    """Return how a legal target is rated."""
    chance = _chance(table, target, rules)
    won = chance if wins(table, target) else 0.0
    if target.card is None or not target.card.is_special:
        return won, chance * STEP
    return won, chance * (SPECIAL if goes_on(target) else TAKEN_SPECIAL)


def _chance(table: Table, target: Target, rules: RuleSet) -> float:
    if target.kind != "tournament":
        return success(table, target, rules)
    return competing_chance(
        fixed_dice(table.own.cards),
        MORE_THROWS,
        later_throwers(table, len(table.players) - 1),
        rules,
    )


def later_throwers(table: Table, number: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Return (Die cards, throws) of the last `number` throwers, clockwise before the organiser."""
    count = len(table.players)
    seats = [(table.seat - step) % count for step in range(number, 0, -1)]
    cards = [table.players[seat].cards for seat in seats]
    return tuple((fixed_dice(each), throws(each, "tournament")) for each in cards)


def choose(
    table: Table,
    unseen: Sequence[Card],
    throne: bool,
    may_change: bool,
    rules: RuleSet = RULEBOOK,
) -> Target | int | None:
    """Return a target, or the deck whose top is put under it first; None if nothing is possible."""
    rated = [(rate(table, each, rules), each) for each in targets(table, throne)]
    best, target = max(rated, key=lambda pair: pair[0], default=(NONE, None))
    if not may_change and target is not None:
        return target
    deck, promised = _best_change(table, unseen, rated, rules)
    if target is None or (deck is not None and promised > best):
        return deck
    return target


def _best_change(
    table: Table, unseen: Sequence[Card], rated: list[tuple[Rating, Target]], rules: RuleSet
) -> tuple[int | None, Rating]:
    found: tuple[int | None, Rating] = (None, NONE)
    coming = _ratings(table, unseen, rules)
    for deck, top in enumerate(table.tops):
        if top is None:
            continue
        rest = [
            rating
            for rating, each in rated
            if each.kind not in ("deck", "tournament") or each.place != deck
        ]
        promised = _mean(coming, max(rest, default=NONE), len(unseen))
        if found[0] is None or promised > found[1]:
            found = deck, promised
    return found


def _ratings(table: Table, unseen: Sequence[Card], rules: RuleSet) -> list[tuple[Rating, int]]:
    found = []
    for card, count in Counter(unseen).items():
        target = deck_target(card, 0)
        legal = refusal(table, target, throne=False) is None
        found.append((rate(table, target, rules) if legal else NONE, count))
    return found


def _mean(coming: list[tuple[Rating, int]], rest: Rating, number: int) -> Rating:
    if not number:
        return rest
    best = [(max(rating, rest), count) for rating, count in coming]
    return (
        sum(rating[0] * count for rating, count in best) / number,
        sum(rating[1] * count for rating, count in best) / number,
    )


# ---------------------------------------------------------------- guards and the king's revenge


def place_guards(player: Player) -> Player:
    """Return the player with guards on the cards that are easiest to take."""
    covered: list[Card] = []
    for guard in specials(player.cards):
        if isinstance(guard.ability, Guard):
            covered += _easiest(player.cards, guard, guard.ability)
    return Player(player.name, player.cards, tuple(covered))


def _easiest(cards: Cards, guard: Card, ability: Guard) -> list[Card]:
    wanted = castles(cards) if ability.covers == "castle" else specials(cards)
    others = [card for card in wanted if card != guard]
    return sorted(others, key=lambda card: card.shown)[: ability.number]


def give_up(cards: Cards) -> Card:
    """Return the castle that a player gives up to the king: the one easiest to take again."""
    return min(castles(cards), key=lambda card: card.shown)
