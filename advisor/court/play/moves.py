"""What a player types, as short as possible, as steps of a game: `66r`, `Hu`, `As 4>2`, `n`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from advisor.court.play.record import NOTHING, parse_step, short
from advisor.court.rules import game as games
from advisor.court.rules.game import Buy, Game, Move, Pass
from advisor.court.rules.names import name_of, parse_card
from advisor.court.rules.turn import CHANGE_NOTHING, Roll, SetAside, Use
from advisor.dice import faces, format_dice, parse_dice
from advisor.errors import ImpossibleStep, InvalidInput, UnknownCard

Step = tuple[Move, ...]

ROLL: Final = ("r", "roll")
ALL: Final = ("a", "all")
PASS: Final = ("p", "pass")
NO_CARD: Final = ("", "n", "0", NOTHING)
LONGEST: Final = 200
"""Letters of a line: no move has so many."""
NOTHING_CHANGED: Final = "0"
"""The effect of a card that is spent for nothing."""
WRITTEN_OUT: Final = ("aside", "use", "buy", "pass")
"""Words that begin a step as records have it, which is read as well."""

_USE: Final = re.compile(r"(?P<card>[^0-9>]*[^0-9>\s])\s*(?P<effect>[0-9>].*)?")
_DICE: Final = re.compile(r"(?P<dice>[0-9][0-9 ,]*?)\s*(?P<roll>r|roll)?")


class SeveralUses(InvalidInput):
    """A card without the effect that is meant, where several are possible."""

    def __init__(self, card: str, uses: Sequence[Use]) -> None:
        self.card, self.uses = card, tuple(uses)
        shown = ", ".join(short(use.effect) for use in uses[:6]) + ", ..." * (len(uses) > 6)
        super().__init__(f"{name_of(card)}: say which effect, for example {shown}")


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


def check_length(text: str) -> None:
    """Raise InvalidInput for a line that is too long to be a move."""
    if len(text) > LONGEST:
        raise InvalidInput(f"{text[:20]!r}... has {len(text)} letters: no move is so long")


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
        raise ImpossibleStep(f"{text!r} cannot be done before the dice are rolled")
    if not text:
        raise InvalidInput("Enter alone does nothing here: type one of what is listed")
    if word.partition(" ")[0] in WRITTEN_OUT:
        return (parse_step(text, game),)
    if word in ALL and game.turn and not game.turn.opening:
        return (tuple(SetAside(face) for face in faces(game.turn.active)),)
    dice = _DICE.fullmatch(word)
    if dice:
        return _set_aside(text, dice["dice"], bool(dice["roll"]), game)
    return ((_use(text, game),),)


def _purchase(text: str, game: Game) -> Step:
    word, offered = text.casefold(), game.purchases()
    if word in NO_CARD:
        return (Buy(None),)
    if word.startswith("buy "):
        return parse_step(text, game)
    if re.fullmatch(r"[0-9]+", text):
        if len(text) > 2 or int(text) > len(offered):
            raise InvalidInput(f"{text!r} is no number of the list")
        return (Buy(offered[int(text) - 1]),)
    return (Buy(parse_card(text)),)


def _set_aside(text: str, dice: str, roll: bool, game: Game) -> tuple[Step, ...]:
    chosen = parse_dice(dice)
    step = tuple(SetAside(face) for face in faces(chosen))
    if not roll:
        return (step,)
    if game.turn and chosen == game.turn.active:
        raise ImpossibleStep(
            f"{text!r} sets every active die aside, and none is left to roll: "
            f"{format_dice(chosen)} alone ends the turn"
        )
    return (step, (Roll(),))


def _use(text: str, game: Game) -> Use:
    """Return the use of a card, chosen by its effect in digits (`4>2`) or in words."""
    parts = _USE.fullmatch(text)
    try:
        card = parse_card(parts["card"] if parts else text)
    except UnknownCard as unknown:
        # An effect in words stands behind the name.
        try:
            (move,) = parse_step(f"use {text}", game)
        except UnknownCard:
            raise InvalidInput(str(unknown)) from unknown
        assert isinstance(move, Use)
        return move
    return chosen_use(card, (parts["effect"] or "" if parts else ""), game)


def chosen_use(card: str, effect: str, game: Game) -> Use:
    """Return the use of a card with this effect; without one, or with a part, the only one so.

    `effect` is written as `As 4>2` has it behind the card, `4` or `>2` being parts of that.
    """
    assert game.turn
    possible = games.uses(card, game.turn)
    if not possible or card not in game.turn.unused:
        games.check_step(Use(card, CHANGE_NOTHING), game.turn)
    real = [use for use in possible if use.effect != CHANGE_NOTHING]
    wanted = effect.replace(" ", "").replace(",", "")
    if wanted == NOTHING_CHANGED and real != possible:
        return possible[-1]
    exact = [use for use in real if _sorted(wanted) == short(use.effect)]
    if wanted and exact:
        return exact[0]
    partly = [use for use in real if not wanted or _is_part(wanted, short(use.effect))]
    if len(partly) == 1:
        return partly[0]
    if wanted and not partly:
        raise ImpossibleStep(
            f"use the {name_of(card)} ({effect}): it cannot do that here; it can: "
            + ("; ".join(short(use.effect) for use in real[:6]) or "change nothing")
        )
    raise SeveralUses(card, partly or possible)


def _sorted(effect: str) -> str:
    """Return an effect in digits with the dice of each side in ascending order."""
    return ">".join("".join(sorted(side)) for side in effect.split(">"))


def _is_part(wanted: str, whole: str) -> bool:
    before, change, after = whole.partition(">")
    return bool(change) and _sorted(wanted) in (before, before + change, change + after)


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
