"""Moves as text, both ways: as short as they are typed, as records have them, in words.

| typed | in a record | in words |
|---|---|---|
| `66r` | `aside 66`, then `roll` with the dice that fall | set aside 6 6; roll |
| `Hu`, `As 4>2` | `use astronomer turn a 4 into a 2` | use the Astronomer (turn a 4 into a 2) |
| `Fa`, its number, `n` | `buy farmer`, `buy nothing` | buy the Farmer; buy nothing |
| `p` | `pass` | pass |

A step is what a record has in one line: dice set aside together, or one other move.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Final

from advisor.court.play.effects import SeveralUses, read_use, short
from advisor.court.rules import game as games
from advisor.court.rules.cards import BY_KEY
from advisor.court.rules.game import Buy, Fall, Game, Move, Pass
from advisor.court.rules.names import parse_card, purchase, used
from advisor.court.rules.turn import Roll, SetAside, Use
from advisor.dice import NONE, Counts, distinct, faces, format_dice, of_faces, parse_dice
from advisor.errors import ImpossibleStep, InvalidInput, InvalidRecord, UnknownCard
from advisor.text import quoted

Step = tuple[Move, ...]

ROLL: Final = ("r", "roll")
ALL: Final = ("a", "all")
PASS: Final = ("p", "pass")
NOTHING: Final = "nothing"
NO_CARD: Final = ("", "n", "0", NOTHING)
STEPS: Final = ("roll", "aside", "use", "buy", "pass", "undo")
"""Words that begin a line of a record."""
WRITTEN_OUT: Final = ("aside", "use", "buy", "pass")
"""Those of them that a player can type as well."""
LONGEST: Final = 200
"""Letters of a line: no move has so many."""

_DICE: Final = re.compile(r"(?P<dice>[0-9][0-9 ,]*?)[ ,]*(?P<rest>[^0-9 ,>].*)?")
_EFFECT: Final = re.compile(r"[0-9>]|\b(?:bring|re-?roll|turn|change)\b", re.IGNORECASE)


# ---------------------------------------------------------------- steps


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


def aside_of(moves: Sequence[Move]) -> Counts:
    """Return the dice that moves set aside."""
    return of_faces([move.face for move in moves if isinstance(move, SetAside)])


def words(moves: Sequence[Move], language: str = "en") -> str:
    """Return one step in words."""
    aside = aside_of(moves)
    if aside != NONE:
        return f"set aside {format_dice(aside, ' ')}"
    match moves[-1]:
        case Fall(fallen):
            return f"roll {format_dice(fallen, ' ')}"
        case Use(card, effect):
            return used(card, effect.text, language)
        case Buy(key):
            return purchase(key, language)
        case Roll():
            return "roll"
    return "pass"


# ---------------------------------------------------------------- what is typed


def read_move(text: str, game: Game) -> tuple[Step, ...]:
    """Return the steps that a player means where a decision is due, each as a record takes it.

    All of them are allowed one after another. A roll is `(Roll(),)`: how the dice fall is not in
    the text. Raises InvalidInput (SeveralUses among them), InvalidDice or UnknownCard for what
    cannot be read, ImpossibleStep for what the rules do not allow; `accepted` says what is.
    """
    check_length(text)
    steps = _read(" ".join(text.split()), game)
    for step in steps:
        for move in step:
            if not (isinstance(move, Roll) and game.is_chance):
                game = game.apply(move)
    return steps


def format_move(moves: Sequence[Move]) -> str:
    """Return moves up to a roll, a use or a purchase as short as they can be typed."""
    dice = format_dice(aside_of(moves))
    match moves[-1]:
        case Roll():
            return f"{dice}r"
        case Use(card, effect):
            return f"{dice} {BY_KEY[card].code} {short(effect)}".strip()
        case Buy(key):
            return BY_KEY[key].code if key else "n"
        case Pass():
            return "p"
    return dice


def check_length(text: str) -> None:
    """Raise InvalidInput for a line that is too long to be a move."""
    if len(text) > LONGEST:
        raise InvalidInput(f"{quoted(text)} has {len(text)} letters: no move is so long")


def _read(text: str, game: Game) -> tuple[Step, ...]:
    if game.is_over:
        raise ImpossibleStep("the game is over: no move can follow")
    if game.result is not None:
        return (_purchase(text, game),)
    word = text.casefold()
    if word in ROLL or (game.is_chance and not text):
        return ((Roll(),),)
    if word in PASS:
        return ((Pass(),),)
    if game.is_chance:
        raise ImpossibleStep(f"{quoted(text)} cannot be done before the dice are rolled")
    if not text:
        raise InvalidInput("Enter alone does nothing here: type one of what is listed")
    if word.partition(" ")[0] in WRITTEN_OUT:
        return (parse_step(text, game),)
    if word in ALL and game.turn and not game.turn.opening:
        return (tuple(SetAside(face) for face in faces(game.turn.active)),)
    dice = _DICE.fullmatch(text)
    if dice:
        return _set_aside_first(text, parse_dice(dice["dice"]), dice["rest"] or "", game)
    return ((_use(text, game),),)


def _purchase(text: str, game: Game) -> Step:
    word, offered = text.casefold(), game.purchases()
    if word in NO_CARD:
        return (Buy(None),)
    if word.startswith("buy "):
        return parse_step(text, game)
    if re.fullmatch(r"[0-9]+", text):
        if len(text) > 2 or int(text) > len(offered):
            raise InvalidInput(f"{quoted(text)} is no number of the list")
        return (Buy(offered[int(text) - 1]),)
    return (Buy(parse_card(text)),)


def _set_aside_first(text: str, dice: Counts, rest: str, game: Game) -> tuple[Step, ...]:
    """Return the steps of dice set aside, the others then rolled or a card used if wanted."""
    step = _set_aside(dice, game)
    if not rest:
        return (step,)
    rolls = rest.casefold() in ROLL
    if game.turn and dice == game.turn.active:
        raise ImpossibleStep(
            f"{quoted(text)} sets every active die aside, "
            + (
                f"and none is left to roll: {format_dice(dice)} alone ends the turn"
                if rolls
                else "which ends the turn: use the card first"
            )
        )
    if rolls:
        return (step, (Roll(),))
    for move in step:
        game = game.apply(move)
    try:
        return (step, (_use(rest, game),))
    except SeveralUses as several:
        raise SeveralUses(several.card, several.uses, dice) from several


def accepted(game: Game) -> str:
    """Return in a line what `read_move` takes where the game stands, without commands."""
    state = game.turn
    if state is None:
        return "nothing: the game is over"
    if game.result is not None:
        number = len(game.purchases())
        cards = f"1{'' if number == 1 else f' to {number}'} or a card to buy it, " if number else ""
        return f"{cards}n or Enter for nothing"
    if game.is_chance or state.opening:
        found = ["r to roll" + " (or Enter)" * game.is_chance]
    else:
        example = format_dice(state.active)[-1:]
        several = f", with r to roll the others: {example}r" if sum(state.active) > 1 else ""
        found = [f"dice to set aside ({example}{several}; a: all)"]
        found += ["r to roll"] * state.may_roll
    if any(games.uses(card, state) for card in state.unused):
        found.append("a card to use")
    if Pass() in game.legal_moves() or (game.final and game.is_chance and not sum(state.aside)):
        found.append("p to give up the roll")
    return ", ".join(found)


# ---------------------------------------------------------------- lines of records


def parse_step(text: str, game: Game) -> Step:
    """Return the moves that a line stands for where the game stands, not yet checked by it."""
    check_length(text)
    kind, _, rest = " ".join(text.split()).partition(" ")
    match kind.casefold():
        case "roll":
            fallen = Fall(_dice("roll", rest))
            return (fallen,) if game.is_chance else (Roll(), fallen)
        case "aside":
            return _set_aside(_dice("aside", rest), game)
        case "use":
            return (_recorded_use(rest, game),)
        case "buy":
            if not rest:
                raise InvalidRecord(f"'buy' names no card: write buy CARD or buy {NOTHING}")
            return (Buy(None if rest.casefold() == NOTHING else parse_card(rest)),)
        case "pass" if not rest:
            return (Pass(),)
    raise InvalidRecord(f"{quoted(text)} is no step: {_meant(kind)}")


def format_step(moves: Step) -> str:
    """Return the line of the moves of one step, `parse_step` the other way round."""
    aside = aside_of(moves)
    if moves and sum(aside) == len(moves):
        return f"aside {format_dice(aside)}"
    match moves:
        case (Fall(fallen),) | (Roll(), Fall(fallen)):
            return f"roll {format_dice(fallen)}"
        case (Use(card, effect),):
            return f"use {card} {effect.text}"
        case (Buy(key),):
            return f"buy {key or NOTHING}"
        case (Pass(),):
            return "pass"
    raise InvalidRecord(
        f"{moves} are not one step: a step is a roll with the dice that fell, dice set aside, one "
        "use of a card, a purchase or a pass"
    )


def _meant(word: str) -> str:
    close = get_close_matches(word.casefold(), STEPS, n=1)
    return f"did you mean {close[0]!r}?" if close else f"a line begins with {', '.join(STEPS)}"


def _dice(kind: str, text: str) -> Counts:
    dice = parse_dice(text)
    if not sum(dice):
        raise InvalidRecord(f"{kind!r} names no dice: write for example {kind} 552")
    return dice


def _recorded_use(text: str, game: Game) -> Use:
    try:
        return _use(text, game)
    except SeveralUses as several:
        # Where nothing else is possible a record need not say that nothing changes.
        if len(several.uses) > 1:
            raise
        return several.uses[0]


# ---------------------------------------------------------------- both


def _set_aside(dice: Counts, game: Game) -> Step:
    """Return dice set aside as one step; raises ImpossibleStep if there are some, but too few."""
    state = game.turn
    for face in distinct(dice) if state and not state.is_chance else ():
        assert state
        there = state.active[face - 1]
        if 0 < there < dice[face - 1]:
            few = f"is only one {face}" if there == 1 else f"are only {there} dice showing {face}"
            raise ImpossibleStep(
                f"set aside {format_dice(dice, ' ')}: there {few}; active are "
                f"{format_dice(state.active, ' ')}"
            )
    return tuple(SetAside(face) for face in faces(dice))


def _use(text: str, game: Game) -> Use:
    """Return the use of a card; the name may have several words, the effect follows it."""
    if game.turn is None:
        raise ImpossibleStep("the game is over: no move can follow")
    card, effect = _named(text)
    return read_use(card, effect, game.turn)


def _named(text: str) -> tuple[str, str]:
    """Return the card that a text begins with, and the rest."""
    begin = _EFFECT.search(text)
    place = begin.start() if begin else len(text)
    name, effect = text[:place], text[place:]
    try:
        return parse_card(name or text), effect
    except UnknownCard as problem:
        parts = name.split()
        for number in range(len(parts) - 1, 0, -1):
            try:
                card = parse_card(" ".join(parts[:number]))
            except UnknownCard:
                continue
            return card, f"{' '.join(parts[number:])} {effect}".strip()
        raise problem
