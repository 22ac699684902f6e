"""Uses of cards as text, read by what they do: `4>2`, `turn a 4 into a 2`, dice in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from advisor.court.rules import game as games
from advisor.court.rules.names import name_of, used
from advisor.court.rules.turn import CHANGE_NOTHING, Effect, TurnState, Use
from advisor.dice import NONE, Counts, contains, format_dice, parse_dice, plus
from advisor.errors import ImpossibleStep, InvalidInput
from advisor.text import brief, quoted

BRING_IN: Final = "bring in"
REROLL: Final = "re-roll"
TURN: Final = "turn"
NOTHING: Final = "0"
"""The effect of a card that is spent for nothing, in short."""
SHOWN: Final = 6
"""Effects listed in a message."""

_DICE: Final = r"[0-9][0-9 ,]*"
_EFFECT: Final = re.compile(
    rf"(?P<verb>bring in|re-?roll|turn)?\s*(?:an? )?(?P<dice>{_DICE}|die)?\s*"
    rf"(?P<into>(?:>|into)\s*(?:an? )?(?P<give>{_DICE})?)?"
)


class SeveralUses(InvalidInput):
    """A card without the effect that is meant, where several are possible.

    A single one changes nothing, which has to be said. `aside`: dice set aside just before.
    """

    def __init__(self, card: str, uses: Sequence[Use], aside: Counts = NONE) -> None:
        self.card, self.uses, self.aside = card, tuple(uses), aside
        shown = [short(use.effect) for use in uses[:SHOWN]] + ["..."] * (len(uses) > SHOWN)
        super().__init__(f"{name_of(card)}: say which effect, for example {', '.join(shown)}")


@dataclass(frozen=True)
class Wanted:
    """An effect as it was written: a verb, the dice before and those after `>`, None for none."""

    verb: str | None
    dice: Counts | None
    changes: bool
    give: Counts | None

    def means(self, effect: Effect, active: Counts) -> bool:
        """Return whether that can be an effect on these active dice; a part of it will do."""
        kind = _kind(effect)
        if self.verb not in (None, kind):
            return False
        if not self.changes:
            there = effect.give if kind == BRING_IN else effect.take
            return self.dice == there or (self.dice is None and self.verb is not None)
        if kind != TURN or (self.dice is None and self.give is None):
            return False
        if self.dice is None or self.give is None:
            return self.dice in (None, effect.take) and self.give in (None, effect.give)
        # Dice that are named on both sides may stay as they are.
        return contains(active, self.dice) and (
            plus(self.dice, effect.give) == plus(self.give, effect.take)
            and contains(self.dice, effect.take)
        )


def _kind(effect: Effect) -> str:
    if effect.reroll:
        return REROLL
    return TURN if effect.take != NONE or effect == CHANGE_NOTHING else BRING_IN


def short(effect: Effect) -> str:
    """Return a use in digits: `4>2` turn a 4 into a 2, `2` bring in or re-roll a 2."""
    if effect == CHANGE_NOTHING:
        return NOTHING
    take, give = format_dice(effect.take), format_dice(effect.give)
    return f"{take}>{give}" if take and give else take + give


def read_use(card: str, text: str, state: TurnState) -> Use:
    """Return the use of a card with an effect in digits or in words, or the only one without.

    Dice may stand in any order and include some that keep their value; a part of an effect
    (`4`, `>2`) is enough where it says which. Raises SeveralUses where it does not, ImpossibleStep
    for what the card cannot do there, InvalidInput for what is no effect.
    """
    written = " ".join(text.split()).casefold()
    possible = games.uses(card, state) if card in state.unused else []
    if not possible:
        games.check_step(Use(card, Effect(brief(text) or "no effect named")), state)
    if written in (NOTHING, CHANGE_NOTHING.text) and possible[-1].effect == CHANGE_NOTHING:
        return possible[-1]
    real = [use for use in possible if use.effect != CHANGE_NOTHING]
    if not written:
        return _only(card, real or possible, len(real))
    wanted = _wanted(written, card, real)
    meant = [use for use in possible if wanted.means(use.effect, state.active)]
    if not meant:
        raise ImpossibleStep(
            f"{used(card, brief(text))}: it cannot do that here; it can: "
            f"{_listed(real, wanted.verb)}"
        )
    return _only(card, meant, len(meant))


def _only(card: str, uses: Sequence[Use], number: int) -> Use:
    if number == 1:
        return uses[0]
    raise SeveralUses(card, uses)


def _wanted(written: str, card: str, real: Sequence[Use]) -> Wanted:
    found = _EFFECT.fullmatch(written)
    if found is None:
        raise InvalidInput(
            f"{quoted(written)} is no effect; the {name_of(card)} can: {_listed(real, None)}"
        )
    verb = REROLL if found["verb"] == "reroll" else found["verb"]
    dice = found["dice"] if found["dice"] != "die" else None
    return Wanted(
        verb,
        parse_dice(dice) if dice else None,
        found["into"] is not None,
        parse_dice(found["give"]) if found["give"] else None,
    )


def _listed(uses: Sequence[Use], verb: str | None) -> str:
    """Return what a card can do, in words where words were used."""
    shown = [use.effect.text if verb else short(use.effect) or use.effect.text for use in uses]
    return "; ".join(shown[:SHOWN]) or CHANGE_NOTHING.text
