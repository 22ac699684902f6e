"""The front door: every question about the game, in texts or parsed, with its checks and defaults.

The command line asks through these functions, and `import advisor` hands them on. Cards are
written by any of their names, `"farmer,guard"` or `["farmer", "guard"]`; dice as digits, `"5555"`,
or as the six counts; positions as `16/225:Fa,Hu,Me-La` (docs/commands.md). What cannot be read or
cannot be is an AdvisorError that says what and how to mend it.

Every number says its unit; `told` hears of the progress. The functions may be called from several
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, overload

from advisor.court.asking import Asking
from advisor.court.final import questions as final_questions
from advisor.court.race import questions as race
from advisor.court.race.questions import BUDGET, Races
from advisor.court.rules import answers
from advisor.court.rules.cards import CARDS, LANGUAGES
from advisor.court.rules.names import parse_card, parse_hand
from advisor.court.rules.notation import (
    Position,
    before_first_roll,
    check_position,
    parse_position,
)
from advisor.court.rules.options import RULE_SETS, RuleSet, check_hand
from advisor.court.rules.seats import Claim, check_claim, check_mover, read_seats, warnings
from advisor.court.rules.supply import Supply, check_gone, supply_for
from advisor.court.turn import questions as turn
from advisor.court.turn.goals import parse_goal
from advisor.court.turn.payoffs import Payoff
from advisor.dice import NONE, Counts, Rank, format_rank, parse_dice
from advisor.errors import InvalidDice, InvalidGoal, InvalidOption
from advisor.storage import places
from advisor.storage.answers import AnswerCache
from advisor.text import quoted
from advisor.units import parse_bytes

if TYPE_CHECKING:
    from advisor.court.coach.answers import AnalyzeAnswer
    from advisor.court.final.answers import ClaimAnswer, FinalAnswer
    from advisor.court.play.record import Record
    from advisor.court.race.answers import BuyAnswer, TurnsAnswer, TurnsKeepAnswer
    from advisor.court.rules.answers import CardsAnswer
    from advisor.court.turn.answers import KeepAnswer, KeepEachAnswer, OddsAnswer

Cards = str | Sequence[str]
Dice = str | Counts
Heard = Callable[[str], None]

TURNS = "turns"


def _silent(text: str) -> None:
    """Hear nothing."""


class Settings(TypedDict, total=False):
    """How a question is answered; each may be left out.

    `rules`: `"rulebook"` (default), `"brettspielwelt"` or a RuleSet. `language`: of the names of
    cards in texts, `"en"` (default), `"de"`, `"ja"` or `"es"`. `memory`: the most to use, in bytes
    or as `"8G"`; default half of the machine's. `cache`: whether answers kept on disk are used,
    True by default. `tables`: the folder of precomputed tables; default the user's. `warn` hears
    of what does not keep a question from being answered. `shared`: what earlier questions found
    (see `shared`); the other settings are then its own.
    """

    rules: str | RuleSet
    language: str
    memory: int | str | None
    cache: bool
    tables: str | Path | None
    warn: Heard
    shared: Races


class KeepOptions(Settings, total=False):
    """What `keep` takes besides."""

    every: bool
    supply: Cards | None
    gone: Cards | None
    players: int | None
    width: float | None
    budget: float
    told: Heard


def shared(**settings: Unpack[Settings]) -> Races:
    """Return what lets questions go on from what earlier ones found, asked from one thread.

    >>> import advisor
    >>> same = advisor.shared(rules="brettspielwelt")
    >>> [advisor.keep(position, "guard", shared=same).value for position in ("/566:-", "/666:-")]
    [0.16666666666666666, 1.0]
    """
    return Races(_asking(settings))


# ---------------------------------------------------------------- in a turn


@overload
def keep(
    position: str | Position, goal: Literal["turns"], **options: Unpack[KeepOptions]
) -> TurnsKeepAnswer: ...
@overload
def keep(
    position: str | Position, goal: str | Payoff, **options: Unpack[KeepOptions]
) -> KeepAnswer: ...
@overload
def keep(
    position: str | Position, goal: None = None, **options: Unpack[KeepOptions]
) -> TurnsKeepAnswer | KeepEachAnswer: ...
def keep(
    position: str | Position,
    goal: str | Payoff | None = None,
    *,
    every: bool = False,
    supply: Cards | None = None,
    gone: Cards | None = None,
    players: int | None = None,
    width: float | None = None,
    budget: float = BUDGET,
    told: Heard = _silent,
    **settings: Unpack[Settings],
) -> KeepAnswer | KeepEachAnswer:
    """Return what to do in a position: options ranked, plan, purchase odds.

    `goal` as of the command line: `"hunter"`, `"hunter,knight"`, `"values:farmer=3,guard=2.5"`,
    `"rank:8x3"` (values are probabilities, or points), `"turns"` (expected turns to the King in
    certified intervals); without one turns where a table tells, else each card by itself.
    `every`: all uses of a card, not the best one only. For turns: `supply`, the cards that can be
    bought, without those that are `gone` with so many `players`; `width` in turns and `budget` in
    seconds say how narrow the intervals become.

    Raises InvalidPosition, InvalidCards, InvalidDice, InvalidGoal, InvalidOption, TooLarge.

    >>> import advisor
    >>> answer = advisor.keep("/6552:Fa-", goal="guard")
    >>> answer.options[0].text, round(answer.value, 3)
    ('set aside 5 5, roll 2', 0.421)
    """
    check_precision(width, budget)
    only = {"supply": supply, "gone": gone, "players": players, "width": width}
    given = [name for name, value in only.items() if value is not None]
    if goal is not None and not is_turns(goal):
        if given:
            raise InvalidOption(
                f"--{given[0]} belongs to the goal turns: leave it out or choose --goal turns"
            )
        return turn.keep(_asking(settings), _position(position), _goal(goal), every)
    races = _races(settings)
    rules, where = races.asking.rules, _position(position)
    check_position(where, rules)
    if goal is None and not given:
        return race.keep_or_odds(races, where, budget, every, told)
    chosen = _supply(where.cards, rules, supply, gone, players)
    return race.keep(races, where, chosen, width, budget, every, told)


def check_precision(width: float | None, budget: float | None) -> None:
    """Raise InvalidOption unless intervals can be made so narrow, in so much time."""
    if width is not None:
        race.check_width(width)
    if budget is not None:
        race.check_budget(budget)


def is_turns(goal: str | Payoff) -> bool:
    """Return whether a goal is that of the fewest turns to the King."""
    return isinstance(goal, str) and goal.strip().casefold() == TURNS


def odds(
    position: str | Position | None = None,
    *,
    cards: Cards = (),
    exact: bool = False,
    **settings: Unpack[Settings],
) -> OddsAnswer:
    """Return each card's probability under best play for it alone, and the first move toward it.

    In a position, or before the first roll with some `cards`. `exact`: also as fractions, where
    they are small enough. Raises as `keep` does.

    >>> import advisor
    >>> guard = advisor.odds(cards="farmer", exact=True).goals[4]
    >>> guard.card, round(guard.probability, 6), guard.exact
    ('guard', 0.45175, '126461/279936')
    """
    asking = _asking(settings)
    if position is None:
        position = before_first_roll(parse_hand(_text(cards)), asking.rules)
    return turn.odds(asking, _position(position), exact)


# ---------------------------------------------------------------- the race for the King


def turns(
    cards: Cards = (),
    *,
    supply: Cards | None = None,
    width: float | None = None,
    budget: float | None = None,
    told: Heard = _silent,
    **settings: Unpack[Settings],
) -> TurnsAnswer:
    """Return in how many turns a player alone, buying a card a turn, can expect to buy the King.

    From a hand of `cards`, with a `supply` to buy (None: everything that is not owned), as a
    certified interval in turns: as narrow as `width`, or as `budget` seconds allow. Raises
    InvalidCards, InvalidOption, TooLarge.

    >>> import advisor
    >>> answer = advisor.turns("farmer,general", supply="hunter")
    >>> round(answer.lower, 2), round(answer.upper, 2), answer.limit
    (19.04, 19.04, 'width')
    """
    check_precision(width, budget)
    asking = _asking(settings)
    hand = _hand(cards, asking.rules)
    chosen = _supply(hand, asking.rules, supply)
    return race.turns(asking, hand, chosen, width, budget, told)


def buy(
    result: Dice,
    cards: Cards = (),
    *,
    supply: Cards | None = None,
    gone: Cards | None = None,
    players: int | None = None,
    width: float | None = None,
    budget: float = BUDGET,
    told: Heard = _silent,
    **settings: Unpack[Settings],
) -> BuyAnswer:
    """Return every purchase that a result pays for, by the turns to the King expected after it.

    `cards` are those owned; the others as in `keep`. Raises InvalidDice, InvalidCards,
    InvalidOption, TooLarge.

    >>> import advisor
    >>> advisor.buy("2244", "farmer").options[0].text
    'buy the Astronomer'
    """
    check_precision(width, budget)
    races = _races(settings)
    hand = _hand(cards, races.asking.rules)
    dice = _dice(result)
    if dice == NONE:
        raise InvalidDice(
            f"{quoted(str(result))} is empty: give the dice of the result, for example 2244"
        )
    chosen = _supply(hand, races.asking.rules, supply, gone, players)
    return race.buy(races, dice, hand, chosen, width, budget, told)


# ---------------------------------------------------------------- the final round


def final(
    best: str | Rank,
    players: Sequence[Cards],
    *,
    holder: int | str | None = None,
    position: str | Position | None = None,
    every: bool = False,
    odd: Heard | None = None,
    **settings: Unpack[Settings],
) -> FinalAnswer:
    """Return each player's chance to win the final round, all playing their best for it.

    `best`: the best result so far, `"7x5"`; `players`: the cards of those still to roll, in
    rolling order, the Queen's owner last; `holder`: who holds the King, counted from 1 (default:
    the last) or `"gone"`. With the `position` of the first player also the options, a
    FinalKeepAnswer; `every` as in `keep`. `odd` hears of what is odd about the round, by default
    `warn` does. Raises InvalidCards, InvalidOption, InvalidPosition, TooLarge.

    >>> import advisor
    >>> answer = advisor.final("7x5", ["farmer,guard,knight,general", "farmer,hunter"])
    >>> [round(row.win, 3) for row in answer.players]
    [0.098, 0.902]
    """
    asking = _asking(settings)
    rank = best if isinstance(best, str) else format_rank(best)
    holds = None if holder is None else str(holder)
    seats = read_seats(rank, [_text(hand) for hand in players], holds, asking.rules)
    where = None if position is None else _position(position)
    if where is not None:
        check_position(where, asking.rules)
        check_mover(seats, where)
    for text in warnings(seats, asking.rules):
        (odd or asking.warn)(text)
    return final_questions.final(asking, seats, where, every)


def claim(
    result: Dice,
    cards: Cards,
    players: Sequence[Cards],
    *,
    to_play: int = 0,
    supply: Cards | None = None,
    every: bool = False,
    told: Heard = _silent,
    **settings: Unpack[Settings],
) -> ClaimAnswer:
    """Return the chance to win by taking the King now, beside other purchases.

    `result`: the own final dice, seven alike or better; `cards`: the own ones; `players`: those of
    the others, clockwise from the left, the first `to_play` of whom still have their turn;
    `supply`: cards that can still be bought, None for all copies that nobody owns; `every`: the
    win by a later claim for every other purchase, not for three. The answer names what it takes
    for granted. Raises InvalidCards, InvalidDice, InvalidOption, InvalidPosition, TooLarge.

    >>> import advisor
    >>> others = ["farmer,guard,knight,general", "farmer,hunter,astronomer"]
    >>> answer = advisor.claim("5555555", "farmer,general,hunter", others)
    >>> round(answer.win, 3), answer.order
    (0.92, (1, 2))
    """
    asking = _asking(settings)
    claimed = Claim(
        parse_hand(_text(cards)),
        _dice(result),
        tuple(parse_hand(_text(hand)) for hand in players),
        to_play,
        None if supply is None else tuple(dict.fromkeys(parse_hand(_text(supply)))),
    )
    check_claim(claimed, asking.rules)
    return final_questions.claim(asking, claimed, every, told)


# ---------------------------------------------------------------- records and cards


def analyze(
    record: Record | Path | str, *, told: Heard = _silent, **settings: Unpack[Settings]
) -> AnalyzeAnswer:
    """Return the judgement of every step of a record: losses, luck, marks.

    `record`: parsed, a file, or the text of one (docs/records.md). Its rule set counts; raises
    InvalidOption if `rules` names another one, InvalidRecord, DataProblem.

    >>> import advisor
    >>> text = "court-record 1\\nturn /3d:-\\nroll 135\\naside 135\\nbuy maid\\n"
    >>> [round(turn.loss, 2) for turn in advisor.analyze(text).turns]
    [0.05]
    """
    from advisor.court.coach import analysis

    played = _record(record, settings.get("warn", _silent))
    rules, named = played.header.rules, settings.get("rules")
    if named is not None and rule_set(named) != rules:
        raise InvalidOption(
            f"--rules {rule_set(named).name}: the record was played by {rules.name}; leave it out, "
            "or correct the line 'rules' of the record"
        )
    asking = replace(_asking(settings), rules=rules)
    return analysis.analyze(asking, played, told)


def cards(*names: str, rules: str | RuleSet = "rulebook") -> CardsAnswer:
    """Return what characters cost and do, their rows, copies and names; without names all of them.

    Raises UnknownCard, InvalidOption.

    >>> import advisor
    >>> advisor.cards("Ch").cards[0].cost
    'any result and a Fool to turn over'
    """
    keys = [parse_card(name) for name in names] or [card.key for card in CARDS]
    return answers.cards(keys, rule_set(rules))


# ---------------------------------------------------------------- reading


def _races(settings: Settings) -> Races:
    return settings.get("shared") or Races(_asking(settings))


def _asking(settings: Settings) -> Asking:
    if "shared" in settings:
        return settings["shared"].asking
    language = settings.get("language", "en")
    if language not in LANGUAGES:
        raise InvalidOption(f"language {language!r}: choose {', '.join(LANGUAGES)}")
    memory, tables, warn = settings.get("memory"), settings.get("tables"), settings.get("warn")
    return Asking(
        rule_set(settings.get("rules", "rulebook")),
        language,
        parse_bytes(memory) if isinstance(memory, str) else memory,
        _cache(warn or _silent) if settings.get("cache", True) else None,
        places.tables() if tables is None else Path(tables),
        warn or _silent,
    )


def rule_set(named: str | RuleSet) -> RuleSet:
    """Return the rule set of a name; raises InvalidOption if there is none."""
    if isinstance(named, RuleSet):
        return named
    if named not in RULE_SETS:
        raise InvalidOption(f"rules {named!r}: choose {', '.join(RULE_SETS)}")
    return RULE_SETS[named]


def _cache(warn: Heard) -> AnswerCache | None:
    """Return the answer cache; where its folder cannot be, None, and `warn` hears of it."""
    try:
        return AnswerCache(warn=warn)
    except InvalidOption as problem:
        warn(f"{problem}; answered without the answer cache")
        return None


def _position(given: str | Position) -> Position:
    return parse_position(given) if isinstance(given, str) else given


def _goal(given: str | Payoff) -> Payoff:
    if not isinstance(given, str):
        return given
    if given.strip().casefold() == "final":
        raise InvalidGoal(
            "goal 'final' depends on the other players: ask with "
            "'advisor final --best 7x5 --player CARDS --player CARDS --position POSITION'"
        )
    return parse_goal(given)


def _text(given: Cards) -> str:
    return given if isinstance(given, str) else ",".join(given)


def _dice(given: Dice) -> Counts:
    return parse_dice(given) if isinstance(given, str) else given


def _hand(given: Cards, rules: RuleSet) -> tuple[str, ...]:
    hand = parse_hand(_text(given))
    check_hand(hand, rules)
    return hand


def _supply(
    hand: tuple[str, ...],
    rules: RuleSet,
    supply: Cards | None,
    gone: Cards | None = None,
    players: int | None = None,
) -> Supply:
    """Return what can be bought, checked; None: everything that is not owned."""
    off = parse_hand(_text(gone or ()))
    check_gone(off, hand, players, rules)
    named = None if supply is None else parse_hand(_text(supply))
    return supply_for(hand, rules, off, players, named)


def _record(given: Record | Path | str, warn: Heard) -> Record:
    from advisor.court.play.record import parse_record
    from advisor.court.play.record_file import read_record

    if isinstance(given, Path):
        return read_record(given, warn)
    return parse_record(given, warn) if isinstance(given, str) else given
