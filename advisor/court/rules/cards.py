"""The rule card: every character with cost and ability as data, to be held against the rulebook.

Sources: the English rulebook of Rio Grande Games and the online guide of BrettspielWelt.
Costs and abilities are small closed sets of dataclasses; `pays` reads the costs here, `turn.py`
reads the abilities one literal step at a time, `layout.py` reads both as arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from math import ceil
from typing import Final

from advisor.dice import FACES, NONE, Counts, contains, faces

# ---------------------------------------------------------------- costs (on the whole final result)


@dataclass(frozen=True)
class AnyResult:
    """Every result pays."""


@dataclass(frozen=True)
class AllOdd:
    """Every die is odd."""


@dataclass(frozen=True)
class AllEven:
    """Every die is even."""


@dataclass(frozen=True)
class SumAtLeast:
    """The pips of all dice sum to at least `pips`."""

    pips: int


@dataclass(frozen=True)
class Groups:
    """Disjoint groups of equal dice, one of each size; two groups may share a value."""

    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Straight:
    """`length` successive values."""

    length: int


Cost = AnyResult | AllOdd | AllEven | SumAtLeast | Groups | Straight


def alike(number: int) -> Groups:
    """Return the cost of at least `number` dice of one value."""
    return Groups((number,))


@lru_cache(maxsize=32)
def patterns(cost: Groups | Straight) -> tuple[Counts, ...]:
    """Return the smallest multisets of dice that pay `cost`: a result pays if it contains one."""
    if isinstance(cost, Straight):
        starts = range(1, 8 - cost.length)
        return tuple(tuple(int(s <= f < s + cost.length) for f in FACES) for s in starts)
    found = set()
    for values in product(FACES, repeat=len(cost.sizes)):
        dice = list(NONE)
        for value, size in zip(values, cost.sizes, strict=True):
            dice[value - 1] += size
        found.add(tuple(dice))
    return tuple(sorted(found, reverse=True))


def fewest_dice(cost: Cost) -> int:
    """Return the fewest dice of a result that pays the cost; more dice can always pay it too."""
    match cost:
        case AnyResult() | AllOdd() | AllEven():
            return 0
        case SumAtLeast(pips):
            return ceil(pips / max(FACES))
        case Groups() | Straight():
            return min(map(sum, patterns(cost)))


def pays(cost: Cost, result: Counts) -> bool:
    """Return whether the result pays the cost."""
    match cost:
        case AnyResult():
            return True
        case AllOdd():
            return all(face % 2 == 1 for face in faces(result))
        case AllEven():
            return all(face % 2 == 0 for face in faces(result))
        case SumAtLeast(pips):
            return sum(faces(result)) >= pips
        case Groups() | Straight():
            return any(contains(result, pattern) for pattern in patterns(cost))


# ---------------------------------------------------------------- abilities


@dataclass(frozen=True)
class StartDice:
    """Roll `number` more dice at the start of the turn; acts by itself."""

    number: int


@dataclass(frozen=True)
class BringIn:
    """Bring in one die showing one of `values`."""

    values: tuple[int, ...]


@dataclass(frozen=True)
class Reroll:
    """Re-roll at least one and at most `limit` active dice (None: any number)."""

    limit: int | None


@dataclass(frozen=True)
class AddPips:
    """Add one of `amounts` pips to each of at most `limit` active dice (None: any number)."""

    amounts: tuple[int, ...]
    limit: int | None


@dataclass(frozen=True)
class MovePips:
    """Redistribute the pips of at most `limit` active dice; their sum stays."""

    limit: int


@dataclass(frozen=True)
class SetValue:
    """Turn one active die into any value."""


@dataclass(frozen=True)
class CopyAside:
    """Turn one active die into the value of a die that is set aside."""


@dataclass(frozen=True)
class Crown:
    """No use in a turn: whoever holds it when the game ends has won."""


Ability = StartDice | BringIn | Reroll | AddPips | MovePips | SetValue | CopyAside | Crown

# ---------------------------------------------------------------- the characters


@dataclass(frozen=True)
class Card:
    """One character: `row` 0 to 5 as on its back, names as printed, texts in our own words."""

    key: str
    code: str
    row: int
    cost: Cost
    ability: Ability
    name: str
    cost_text: str
    ability_text: str
    other: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict, hash=False)
    note: str = ""
    requires: str | None = None
    """A card that has to be owned and is turned over in exchange."""
    comes_with: str | None = None
    """A card whose purchase brings this one; it cannot be bought alone."""

    def named(self, language: str) -> str:
        """Return the name in a language, in English where there is none."""
        return self.names.get(language, self.name)


def _names(de: str, ja: str, es: str = "") -> dict[str, str]:
    return {code: name for code, name in (("de", de), ("ja", ja), ("es", es)) if name}


_ANY_DIE: Final = (1, 2, 3, 4, 5, 6)

# fmt: off
CARDS: Final[tuple[Card, ...]] = (
    Card("fool", "Fo", 0, AnyResult(), Reroll(1), "Fool",
         "any result", "re-roll one active die", ("Jester",),
         _names("Hofnarr", "道化師", "Bufón"),
         "only one at a time; turned over, it is a Charlatan and another may be bought"),
    Card("charlatan", "Ch", 0, AnyResult(), StartDice(1), "Charlatan",
         "any result and a Fool to turn over", "+1 die at the start of the turn", (),
         _names("Scharlatan", "ペテン師", "Charlatán"),
         "any number; acts by itself", requires="fool"),
    Card("farmer", "Fa", 1, alike(2), StartDice(1), "Farmer",
         "2 alike", "+1 die at the start of the turn", (),
         _names("Bauer", "農夫", "Granjero"), "acts by itself"),
    Card("maid", "Ma", 1, AllOdd(), AddPips((1, 2, 3), 1), "Serving Maid",
         "every die odd", "add 1, 2 or 3 pips to one active die, never above 6",
         ("Servant", "Chambermaid"),
         _names("Dienstmagd", "下女", "Doncella")),
    Card("philosopher", "Ph", 1, AllEven(), MovePips(2), "Philosopher",
         "every die even", "move pips from one active die to another; both stay within 1 to 6", (),
         _names("Philosoph", "哲学者", "Filósofo")),
    Card("laborer", "La", 1, SumAtLeast(15), BringIn((1,)), "Laborer",
         "sum at least 15", "bring in a die showing 1", ("Worker",),
         _names("Handwerker", "職人", "Artesano")),
    Card("guard", "Gu", 1, alike(3), BringIn((2,)), "Guard",
         "3 alike", "bring in a die showing 2", (),
         _names("Wachmann", "衛兵", "Vigilante")),
    Card("hunter", "Hu", 2, alike(4), BringIn((3,)), "Hunter",
         "4 alike", "bring in a die showing 3", (),
         _names("Jäger", "狩人", "Cazador")),
    Card("astronomer", "As", 2, Groups((2, 2)), CopyAside(), "Astronomer",
         "two pairs", "turn one active die into the value of a die set aside", (),
         _names("Astronom", "天文学者", "Astrónomo"), "4 alike count as two pairs"),
    Card("merchant", "Me", 2, SumAtLeast(20), Reroll(None), "Merchant",
         "sum at least 20", "re-roll any number of active dice", ("Trader",),
         _names("Händler", "商人", "Mercader")),
    Card("noblewoman", "Nw", 3, Groups((3, 2)), AddPips((1,), None), "Noblewoman",
         "full house", "add exactly 1 pip to each of any number of active dice, never above 6",
         ("Lady in Waiting", "Hostess"),
         _names("Hofdame", "女官", "Dama"), "5 alike count as a full house"),
    Card("pawnbroker", "Pb", 3, SumAtLeast(30), BringIn((4,)), "Pawnbroker",
         "sum at least 30", "bring in a die showing 4", ("Pawn Broker",),
         _names("Pfandleiher", "質屋", "Prestamista")),
    Card("knight", "Kn", 3, alike(5), BringIn((5,)), "Knight",
         "5 alike", "bring in a die showing 5", (),
         _names("Ritter", "騎士")),
    Card("magician", "Mg", 3, Straight(5), SetValue(), "Magician",
         "straight of five", "turn one active die into any value", ("Sorcerer",),
         _names("Zauberer", "魔術師"), "1 to 5 or 2 to 6"),
    Card("alchemist", "Al", 4, Straight(6), MovePips(3), "Alchemist",
         "straight of six",
         "redistribute the pips of two or three active dice; each stays within 1 to 6", (),
         _names("Alchemist", "錬金術師")),
    Card("bishop", "Bi", 4, Groups((2, 2, 2)), BringIn((6,)), "Bishop",
         "three pairs", "bring in a die showing 6", (),
         _names("Bischof", "司教"), "6 alike count, or 4 alike and a pair"),
    Card("nobleman", "Nm", 4, Groups((3, 3)), AddPips((2,), None), "Nobleman",
         "two triplets", "add exactly 2 pips to each of any number of active dice, never above 6",
         ("Noble",),
         _names("Edelmann", "貴族"), "6 alike count as two triplets"),
    Card("general", "Ge", 4, alike(6), StartDice(2), "General",
         "6 alike", "+2 dice at the start of the turn", (),
         _names("Feldherr", "将軍"), "acts by itself"),
    Card("queen", "Qu", 5, alike(7), BringIn(_ANY_DIE), "Queen",
         "comes with the King", "bring in a die of any value", (),
         _names("Königin", "王妃"), "rolls last in the final round and needs only to match",
         comes_with="king"),
    Card("king", "Ki", 5, alike(7), Crown(), "King",
         "7 alike", "starts the end of the game; brings the Queen", (),
         _names("König", "国王"), "whoever holds it after the final round wins"),
)
# fmt: on

BY_KEY: Final = {card.key: card for card in CARDS}
KING: Final = next(card for card in CARDS if isinstance(card.ability, Crown))
"""The card that a game is for."""
QUEEN: Final = next(card for card in CARDS if card.comes_with == KING.key)
ORDER: Final = {card.key: place for place, card in enumerate(CARDS)}
LANGUAGES: Final = ("en", "de", "ja", "es")
ROW_NAMES: Final = ("0", "I", "II", "III", "IV", "V")


def in_order(keys: Iterable[str]) -> tuple[str, ...]:
    """Return card keys in the order of the rules' table."""
    return tuple(sorted(keys, key=ORDER.__getitem__))


def has_use(key: str) -> bool:
    """Return whether the card is used during a turn (and does not act by itself)."""
    return not isinstance(BY_KEY[key].ability, StartDice | Crown)
