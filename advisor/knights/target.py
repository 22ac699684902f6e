"""Which target to choose: every legal one rated exactly, and how the ranking comes about."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from advisor.errors import InvalidPosition, TooLarge
from advisor.knights.play import rollouts
from advisor.knights.play.rollouts import Estimate
from advisor.knights.rules.cards import castles, is_protected, parse_card, tournaments
from advisor.knights.rules.options import LOOK_AHEAD, RULEBOOK, THRONE, RuleSet
from advisor.knights.turn.lookahead import Lookahead, fits
from advisor.knights.turn.outlook import (
    GAIN,
    WIN,
    Aim,
    Outlook,
    Values,
    may_try_throne,
)
from advisor.knights.turn.position import Position
from advisor.knights.turn.targets import (
    Table,
    Target,
    deck_target,
    goes_on,
    refusal,
    success,
    targets,
)
from advisor.terminal import counted, percent
from advisor.text import quoted
from advisor.ties import TIE, ranked


@dataclass(frozen=True)
class Chances:
    """Chance of an aim in this turn: `low` counts the attempts looked ahead, `high` bounds all."""

    low: float
    high: float


@dataclass(frozen=True)
class Choice:
    """A target, or a deck whose top is put under it first (`success` is then None).

    `win` and `gain`: in this turn, with further attempts; each under best play for it alone.
    `risk`: the chance to lose a castle to the king.
    """

    target: Target | None
    deck: int | None
    text: str
    success: float | None
    win: Chances
    gain: Chances
    risk: float = 0.0
    rollouts: Estimate | None = None
    rank: int = 0

    @property
    def kind(self) -> str:
        """What is chosen: deck, tournament, castle, special, throne or change."""
        return self.target.kind if self.target else "change"


@dataclass(frozen=True)
class Ranking:
    """All choices, best first, the reasons in words, how many attempts were looked ahead."""

    choices: tuple[Choice, ...]
    change_first: Choice | None
    reasons: tuple[str, ...]
    attempts: int


def rank(position: Position, rules: RuleSet = RULEBOOK, attempts: int | None = None) -> Ranking:
    """Return every legal target and every change of a top, ranked by exact chances in this turn.

    Without `attempts` three are looked ahead, fewer where that takes too long.
    """
    if attempts is None:
        for fewer in range(LOOK_AHEAD, 1, -1):
            with suppress(TooLarge):
                return rank(position, rules, fewer)
        return rank(position, rules, 1)
    choices = _ordered(_choices(position, rules, attempts))
    reasons = _reasons(position, choices, attempts)
    return Ranking(choices, _change_first(choices), reasons, attempts)


def simulate(
    ranking: Ranking,
    position: Position,
    games: int,
    seed: int,
    processes: int,
    rules: RuleSet = RULEBOOK,
    progress: Callable[[int], None] = lambda games: None,
) -> Ranking:
    """Return the ranking by simulated chances to win the game."""
    firsts = [_first(choice) for choice in ranking.choices]
    found = rollouts.estimate(position, firsts, games, seed, processes, rules, progress)
    rated = [
        replace(choice, rollouts=one) for choice, one in zip(ranking.choices, found, strict=True)
    ]
    choices = _ordered(rated)
    return Ranking(choices, _change_first(choices), _simulated_reasons(choices), ranking.attempts)


def only(ranking: Ranking, target: Target) -> Ranking:
    """Return the ranking cut down to one target, which keeps its rank."""
    chosen = tuple(choice for choice in ranking.choices if choice.target == target)
    return replace(ranking, choices=chosen)


def _first(choice: Choice) -> Target | int:
    if choice.target is not None:
        return choice.target
    assert choice.deck is not None
    return choice.deck


# ---------------------------------------------------------------- the choices


def _choices(position: Position, rules: RuleSet, attempts: int) -> list[Choice]:
    table = position.table
    views = [_View(position, aim, rules, attempts) for aim in (WIN, GAIN)]
    found = [_target(table, each, views, rules) for each in targets(table, may_try_throne(table))]
    for deck in range(2):
        if views[0].may_change(deck):
            win, gain = (_pair(view.change(deck)) for view in views)
            found.append(Choice(None, deck, _change_text(table, deck), None, win, gain))
    if not found:
        raise InvalidPosition(
            f"{table.own.name} has nothing to choose: both decks are empty and no card of the "
            "others may be taken"
        )
    return found


class _View:
    """The rest of the turn for one aim: as arrays where the decks allow it, else node by node."""

    def __init__(self, position: Position, aim: Aim, rules: RuleSet, attempts: int) -> None:
        self.aim = aim
        self.nodes = Outlook(position, aim, rules, attempts)
        self.arrays = Lookahead(self.nodes) if fits(self.nodes) else None

    def may_change(self, deck: int) -> bool:
        return self.nodes.may_change(self.nodes.root, deck)

    def change(self, deck: int) -> Values:
        free = self.nodes.root.changed < self.nodes.sight(()).changes
        if self.arrays and free:
            return self.arrays.change(deck)
        return self.nodes.change(self.nodes.root, deck)

    def attempt(self, deck: int) -> Values:
        if self.arrays:
            return self.arrays.attempt(deck)
        return self.nodes.attempt(self.nodes.root, deck)


def _target(table: Table, target: Target, views: list[_View], rules: RuleSet) -> Choice:
    chance = success(table, target, rules)
    win, gain = (_in_turn(table, target, view, chance) for view in views)
    risk = 1 - chance if target.kind == "throne" and not is_protected(table.own.cards) else 0.0
    return Choice(target, None, target_text(table, target), chance, win, gain, risk)


def _in_turn(table: Table, target: Target, view: _View, chance: float) -> Chances:
    if goes_on(target):
        return _pair(view.attempt(target.place))
    reached = chance if view.aim.reached(table, target) else 0.0
    return Chances(reached, reached)


def _pair(values: Values) -> Chances:
    return Chances(float(values[0]), float(values[1]))


def target_text(table: Table, target: Target) -> str:
    """Return a target in words."""
    if target.kind == "throne":
        return f"the throne ({THRONE})"
    if target.kind in ("deck", "tournament"):
        return f"{target.card} on deck {target.place + 1}"
    return f"{target.card} of {table.players[target.place].name}"


def _change_text(table: Table, deck: int) -> str:
    return f"put {table.tops[deck]} under deck {deck + 1}, then choose"


def _ordered(choices: list[Choice]) -> tuple[Choice, ...]:
    # The list has targets before changes and the sort is stable, so ties go to the target.
    best_first = ranked(choices, _simulated, _win, _gain, _success)
    return tuple(replace(each, rank=place) for place, each in enumerate(best_first, 1))


def _simulated(choice: Choice) -> float:
    return choice.rollouts.win if choice.rollouts else 0.0


def _win(choice: Choice) -> float:
    return choice.win.low


def _gain(choice: Choice) -> float:
    return choice.gain.low


def _success(choice: Choice) -> float:
    return choice.success or 0.0


def _change_first(choices: tuple[Choice, ...]) -> Choice | None:
    return choices[0] if choices[0].target is None else None


# ---------------------------------------------------------------- one target asked for


def find(position: Position, text: str) -> Target:
    """Return the target that a text names, or raise InvalidPosition with the reason against it.

    `deck 1`, `throne`, or a player and a card, `Boris: red 3332`.
    """
    table = position.table
    target = _named(position, text)
    reason = refusal(table, target, may_try_throne(table))
    if reason is not None:
        raise InvalidPosition(
            f"{quoted(text)} cannot be chosen: {reason}; without --target all legal targets are "
            "listed"
        )
    return target


def _named(position: Position, text: str) -> Target:
    table = position.table
    wanted = " ".join(text.split()).casefold()
    if wanted == "throne":
        return Target("throne")
    for deck, top in enumerate(table.tops):
        if wanted == f"deck {deck + 1}":
            if top is None:
                raise InvalidPosition(f"{quoted(text)} cannot be chosen: the deck is empty")
            return deck_target(top, deck)
    owner, colon, named = wanted.partition(":")
    for seat, player in enumerate(table.players):
        if colon and player.name.casefold() == owner.strip():
            card = parse_card(named.strip(), player.cards)
            if seat == table.seat:
                raise InvalidPosition(
                    f"{quoted(text)} cannot be chosen: it is {player.name}'s own card; name an "
                    "opponent"
                )
            if card.is_tournament:
                raise InvalidPosition(
                    f"{quoted(text)} cannot be chosen: a tournament once won is safe"
                )
            return Target("castle" if card.is_castle else "special", card, seat)
    raise InvalidPosition(
        f"{quoted(text)} is no target: write deck 1, deck 2, throne or a player and a card, "
        f"for example {table.players[1].name}: {table.players[1].cards[0]}"
    )


# ---------------------------------------------------------------- reasons


def _reasons(position: Position, choices: tuple[Choice, ...], attempts: int) -> tuple[str, ...]:
    own = position.table.own
    number, won = len(castles(own.cards)), tournaments(own.cards)
    found = [
        f"{own.name} has {counted(number, 'castle')} and {counted(won, 'tournament')}; "
        "four castles, two castles and three tournaments, or the throne win",
    ]
    if choices[0].win.high <= 0:
        found.append(
            "no choice can win in this turn, so the chance to gain a castle or a "
            "tournament decides, then the chance of success"
        )
    else:
        found.append(
            "the chance to win in this turn decides, then the chance to gain a castle or "
            "a tournament, then the chance of success"
        )
    if len(choices) > 1:
        found.append(_comparison(*choices[:2]))
    found.append(_advice_on_change(choices))
    if any(choice.risk for choice in choices):
        risk = next(choice.risk for choice in choices if choice.risk)
        found.append(f"failing at the throne ({percent(risk)}) costs a castle of one's choice")
    if any(choice.target and goes_on(choice.target) for choice in choices):
        found.append(
            "a special from a deck allows another attempt; up to "
            f"{attempts} attempts in the turn are looked ahead"
        )
    return tuple(found)


def _comparison(best: Choice, other: Choice) -> str:
    for what, a, b in (
        ("to win in this turn", best.win.low, other.win.low),
        ("to gain a castle or a tournament", best.gain.low, other.gain.low),
        ("of success", best.success or 0.0, other.success or 0.0),
    ):
        if a - b > TIE:
            return (
                f'"{best.text}" comes before "{other.text}": chance {what} '
                f"{percent(a)} against {percent(b)}"
            )
    return f'"{best.text}" and "{other.text}" are equally good'


def _advice_on_change(choices: tuple[Choice, ...]) -> str:
    change = next((each for each in choices if each.target is None), None)
    stay = next((each for each in choices if each.target is not None), None)
    if change is None:
        return "no top card may be changed any more"
    if stay is None:
        return "no target is open, so a top card has to be changed"
    if change.rank < stay.rank:
        return f"a top should be changed first: {_comparison(change, stay)}"
    return f"no top should be changed first: {_comparison(stay, change)}"


def _simulated_reasons(choices: tuple[Choice, ...]) -> tuple[str, ...]:
    best = choices[0].rollouts
    assert best is not None
    close = [
        each.text
        for each in choices[1:]
        if each.rollouts and each.rollouts.interval[1] >= best.interval[0]
    ]
    found = [f"the share of {best.games} simulated games won after each choice decides"]
    if close:
        found.append(f"not told apart from the first by their 95 % intervals: {'; '.join(close)}")
    if best.undecided:
        found.append("games given up without a winner count as not won")
    return tuple(found)
