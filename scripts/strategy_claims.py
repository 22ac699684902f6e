"""How best play goes, and what players have claimed held against it: parts of docs/strategy.md.

Every verdict stands behind an assertion: a table that contradicts it stops the script.
"""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from strategy_numbers import (
    Numbers,
    control_cards,
    gives_dice,
    named,
    one_die_cards,
    shown,
)

from advisor.court.race.course import mean
from advisor.court.rules.cards import BY_KEY, CARDS, KING, in_order
from advisor.court.rules.names import name_of
from advisor.court.rules.options import Hand
from advisor.court.rules.supply import singles
from advisor.intervals import Interval

MICHAS = "[SpielMitMir](http://michas-spielmitmir.de/spieletests.php?id=um_krone_und_kragen)"
LUDORIUM = "[Ludorium](http://ludorium.at/SPIELE/amigo/um_krone_und_kragen_d2.htm)"
REICH = "[Reich der Spiele](https://www.reich-der-spiele.de/kritiken/umkroneundkragen)"
TAO = (
    "[The Tao of Gaming]"
    "(http://taogaming.wordpress.com/2007/03/03/to-court-the-king-strategy-thoughts/)"
)
MINOTAUR = "[Minotaur Illusionist](http://minotaurillusionist.blogspot.com/2013/08/)"
RULEBOOK_NOTES = "the rulebook's tactical notes and the guide of BrettspielWelt"


TOSS_UP = 0.05
"""Turns by which two cards may differ and still be called equally good."""
EARLY, LATE = 2, 4
"""Rows of cards."""


class Claim(NamedTuple):
    """What somebody claims, the numbers about it, and what follows."""

    title: str
    claim: str
    numbers: list[str]
    verdict: str


# ---------------------------------------------------------------- how best play goes


def course(numbers: Numbers) -> list[str]:
    """Return how long races take and what is bought on the way."""
    turns = numbers.turns
    shares = [(number, share) for number, share in enumerate(turns, 1) if share >= 5e-5]
    rows = [key for key in (card.key for card in CARDS) if numbers.ever(key) >= 5e-4]
    rows.sort(key=lambda key: -numbers.ever(key))
    return [
        "## How best play goes",
        "",
        "From no cards, under the play found for the fewest expected turns: turns needed, and how",
        "often each card is bought on the way. Another play that is as good but for the width of",
        "the interval may buy some cards more or less often.",
        "",
        "![Turns needed under best play](strategy-turns.svg)",
        "",
        "| turns | probability |",
        "|---|---|",
        *(f"| {number} | {100 * share:.2f} % |" for number, share in shares),
        "",
        "![What best play buys in each turn](strategy-purchases.svg)",
        "",
        "| card | bought | in turn, on average |",
        "|---|---|---|",
        *(
            f"| {name_of(key)} | {100 * numbers.ever(key):.2f} % | {numbers.when(key):.2f} |"
            for key in rows
        ),
    ]


def claims(numbers: Numbers) -> list[str]:
    """Return the claims with their numbers and verdicts."""
    lines = [
        "## Claims of players",
        "",
        "Held against the race of one player. What a card does to the others (taking it away from",
        "them, rolling once more in the final round) is not in these numbers.",
    ]
    makers = (
        length,
        general,
        first_pairs,
        fool,
        skip_farmer,
        die_or_control,
        no_control,
        dice_first,
    )
    for each in (make(numbers) for make in makers):
        lines += ["", f"### {each.title}", "", *wrapped(f"**Claim.** {each.claim}"), ""]
        lines += [part for line in each.numbers for part in wrapped(line)]
        lines += ["", *wrapped(f"**Verdict.** {each.verdict}")]
    return lines


def wrapped(line: str) -> list[str]:
    """Return a paragraph or a point of a list in lines of the page; rows of tables stay whole."""
    if line.startswith("|") or not line:
        return [line]
    indent = "  " if line.startswith("- ") else ""
    return textwrap.wrap(
        line, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


# ---------------------------------------------------------------- the claims


def length(numbers: Numbers) -> Claim:
    """Return how short a race can be and is."""
    soonest = Interval(100 * numbers.soonest.lower, 100 * numbers.soonest.upper)
    turns = numbers.turns
    first = next(number for number, share in enumerate(turns, 1) if share)
    most, late = sum(turns[5:8]), sum(turns[8:])
    assert first == 5
    assert late < 0.05
    return Claim(
        "How long is the race?",
        f"Seven alike take four dice more than one has at the start ({REICH}).",
        [
            f"- Fewest turns possible: {first}, four purchases of a die each and then the King, "
            f"with {soonest.text(3)} % by play for nothing else, with "
            f"{100 * turns[first - 1]:.2f} % by play for the fewest expected turns.",
            f"- Expected under best play: {shown(numbers, ())} turns"
            f" (the distribution above has mean {mean(turns):.4f}).",
            f"- More than eight turns: {100 * late:.2f} %.",
        ],
        "True that four dice must come first, so five turns are the least. Undisturbed and played "
        "well the race then is short and of little spread: six to eight turns in "
        f"{100 * most:.1f} % of races.",
    )


def general(numbers: Numbers) -> Claim:
    """Return what the General is worth to a race."""
    missing = numbers.without["general"]
    costs = missing - numbers.bounds(())
    dearer = [
        key
        for key, turns in numbers.without.items()
        if key != "general" and turns.lower > missing.upper
    ]
    bought_it = numbers.ever("general")
    assert 0 < costs.lower < costs.upper < 0.5
    assert 0.4 < bought_it < 0.75
    saved = numbers.saved((), ("general",)).text(3)
    return Claim(
        "Is the General indispensable?",
        f"The two dice of the General cannot be done without ({REICH}).",
        [
            f"- With no General to buy, from no cards: {missing.text(4)} turns instead of "
            f"{shown(numbers, ())}, {costs.text(3)} more.",
            f"- Best play buys it in {100 * bought_it:.1f} % of races, in turn "
            f"{numbers.when('general'):.1f} on average.",
            f"- Owned before the first turn it saves {saved} turns, more than any other card.",
            "- Cards whose absence certainly costs more: "
            + (", ".join(map(name_of, dearer)) or "none")
            + ".",
        ],
        "No. It is the best card to own, but it comes late: best play buys it where six alike come "
        "along and gets by without it otherwise, and a race with none for sale takes a fraction of "
        "a turn longer.",
    )


def first_pairs(numbers: Numbers) -> Claim:
    """Return whether the Farmer is to be taken with a pair that pays for something else too."""
    rows = []
    for result, key in (("2 2 4", "philosopher"), ("1 1 3", "maid")):
        more = numbers.bounds((key,)) - numbers.bounds(("farmer",))
        assert more.lower > 0
        rows.append(
            f"- {result}: after the Farmer {shown(numbers, ('farmer',))} turns, after the"
            f" {name_of(key)} {shown(numbers, (key,))}: {more.text(3)} more."
        )
    return Claim(
        "Farmer or Philosopher with 2 2 4, Farmer or Serving Maid with 1 1 3?",
        f"With 2 2 4 the Farmer of course, for the die ({MICHAS}); another table took the "
        f"Philosopher with 2 2 4 and the Serving Maid with 1 1 3 instead ({LUDORIUM}).",
        rows,
        "The Farmer, both times.",
    )


def fool(numbers: Numbers) -> Claim:
    """Return what the Fool is worth."""
    missing = numbers.without["fool"]
    costs = (missing - numbers.bounds(())) & Interval(0.0)
    at_once = numbers.purchases[0]["fool"]
    turned = numbers.bounds(("fool",)) - numbers.bounds(("charlatan",))
    saved = {key: numbers.saved((), (key,)) for key in singles()}
    alone = saved.pop("fool")
    assert all(alone.upper < turns.lower for turns in saved.values())
    assert alone.lower > 0
    assert turned.upper < 1
    return Claim(
        "Is the Fool a booby prize?",
        f"The Fool is for those whose roll pays for nothing else ({MINOTAUR}).",
        [
            f"- Against nothing it saves {alone.text(3)} turns, less than every other card.",
            f"- Best play buys it in the first turn in {100 * at_once:.2f} % of races, with "
            f"results that pay for nothing else, and {100 * numbers.ever('fool'):.2f} times in 100 "
            "races all in all.",
            f"- Turning it over: a Charlatan instead of a Fool saves {turned.text(3)} turns "
            f"and takes one; best play does so {100 * numbers.ever('charlatan'):.2f} times in 100 "
            "races.",
            f"- Without Fools and Charlatans for sale the race takes {missing.text(4)} turns,"
            f" {costs.text(3)} more.",
        ],
        "Yes, but take it: it is the least of all cards and still better than nothing. Where the "
        "first result pays for anything else, that is better. Turning the Fool over is for results "
        "that pay for nothing better.",
    )


def skip_farmer(numbers: Numbers) -> Claim:
    """Return whether a good first roll should lead past the Farmer."""
    farmer = numbers.bounds(("farmer",))
    better = [
        k for k in singles() if numbers.sure((k,)) and numbers.bounds((k,)).upper < farmer.lower
    ]
    ever = numbers.ever("farmer")
    assert {"guard", "laborer"} <= set(better)
    assert ever > 0.9
    rows = [
        f"- {name_of(key)} first: {shown(numbers, (key,))} turns, against"
        f" {shown(numbers, ('farmer',))} after the Farmer."
        for key in ("guard", "laborer")
    ]
    return Claim(
        "With good rolls past the Farmer?",
        f"Those who roll well should skip the Farmer for better ways to a die ({MINOTAUR}).",
        [
            *rows,
            f"- Yet the Farmer is bought in {100 * ever:.1f} % of races, in turn"
            f" {numbers.when('farmer'):.2f} on average: more often than any other card.",
        ],
        "For one turn. A triplet or 15 pips buy the better card first, by a few hundredths of a "
        "turn; the Farmer, which any pair pays for, is taken soon after and hardly ever skipped.",
    )


def die_or_control(numbers: Numbers) -> Claim:
    """Return whether a die or a control card helps more, from hand to hand."""
    every, early = (duels(numbers, row, 1) for row in (LATE, EARLY))
    two = duels(numbers, LATE, 2)
    assert all(abs(duel.ahead.middle) < TOSS_UP for duel in every if len(duel.hand) < 4)
    assert any(duel.ahead.upper < 0 for duel in every)
    assert all(duel.ahead.lower > TOSS_UP for duel in early)
    return Claim(
        "Is one more control card worth one die?",
        "One control card more against one die less is a toss-up; two against two dice are trouble "
        f"({TAO}).",
        [
            "The likeliest hands of best play with no card, one, two, and so on. Of the cards not "
            "owned, the one that gives one die (not the General, which gives two) and saves most, "
            "and the one that changes or re-rolls dice and saves most, whatever would pay for "
            "them; the turns saved by owning it before the next turn, and by how many of them the "
            "die is ahead (negative: behind).",
            "",
            *table(numbers, every),
            "",
            "The same with cards of the rows I and II only, which come first:",
            "",
            *table(numbers, early),
            *(["", "Two of each:", "", *table(numbers, two)] if two else []),
        ],
        f"By the number of cards owned, of all rows: {judged(every)}; of the rows I and II: "
        f"{judged(early)}. So it is a toss-up "
        "for the dear control cards until the dice for seven alike are there, and better than a "
        "die from then on; the control cards that can be had early are about a tenth of a turn "
        "behind a die." + (f" Two of each: {judged(two)} owned." if two else ""),
    )


class Duel(NamedTuple):
    """The best cards of two kinds for a hand, and bounds of the turns by which dice are ahead."""

    hand: Hand
    dice: Hand
    control: Hand
    ahead: Interval


def duels(numbers: Numbers, row: int, number: int) -> list[Duel]:
    """Return the duels of so many cards up to a row, for hands where the best ones are known."""
    found = []
    for hand in numbers.likeliest:
        dice, control = (
            numbers.best_of(hand, [key for key in keys if BY_KEY[key].row <= row], number)
            for keys in (one_die_cards(), control_cards())
        )
        if dice and control:
            with_dice, with_control = (
                numbers.bounds(in_order((*hand, *keys))) for keys in (dice, control)
            )
            found.append(Duel(hand, dice, control, with_control - with_dice))
    return found


def table(numbers: Numbers, found: list[Duel]) -> list[str]:
    """Return duels as a table."""
    rows = ["| hand | dice | save | control | saves | dice ahead |", "|---|---|---|---|---|---|"]
    for hand, dice, control, ahead in found:
        saves = [numbers.saved(hand, keys).text(3) for keys in (dice, control)]
        rows.append(
            f"| {named(hand)} | {named(dice)} | {saves[0]} | {named(control)} | {saves[1]} "
            f"| {signed(ahead)} |"
        )
    return rows


def judged(found: list[Duel]) -> str:
    """Return in words where a die is ahead of a control card, and where behind."""
    sizes: dict[str, list[int]] = {"die ahead": [], "within 0.05 turns": [], "control ahead": []}
    for duel in found:
        ahead = duel.ahead
        words = "within 0.05 turns" if abs(ahead.middle) < TOSS_UP else "die ahead"
        if words == "die ahead" and ahead.lower < 0:
            words = "control ahead"
        sizes[words].append(len(duel.hand))
    return ", ".join(f"{words} with {listed(each)}" for words, each in sizes.items() if each)


def no_control(numbers: Numbers) -> Claim:
    """Return how often the King is bought without any control card."""
    share = numbers.uncontrolled
    assert share < 0.5
    return Claim(
        "Can one do without control cards?",
        f"A hand of dice alone can try for the King, at a risk ({TAO}).",
        [
            f"- Best play has no card but those that give dice when it buys the King in"
            f" {100 * share:.1f} % of races.",
            "- The control cards bought most often: "
            + ", ".join(
                f"{name_of(key)} {100 * numbers.ever(key):.1f} %"
                for key in sorted(control_cards(), key=lambda key: -numbers.ever(key))[:3]
            )
            + ".",
        ],
        "It happens, in the minority of races in which dice come early enough to try at once; it "
        "is no plan.",
    )


def dice_first(numbers: Numbers) -> Claim:
    """Return what best play buys in each turn."""
    rows, shares = [], []
    for number, chances in enumerate(numbers.purchases[:8], 1):
        total = sum(chances.values())
        king = chances.get(KING.key, 0.0) / total
        dice = sum(x for key, x in chances.items() if gives_dice(key)) / total
        rows.append(
            f"| {number} | {100 * dice:.1f} % | {100 * (1 - dice - king):.1f} % "
            f"| {100 * king:.1f} % |"
        )
        shares.append(dice)
    assert min(shares[:4]) > 0.75
    assert shares[4] < 0.6
    return Claim(
        "Dice first, then control?",
        f"As many extra dice as possible, above all early, and some control ({RULEBOOK_NOTES}).",
        [
            "Of the purchases in each turn of best play:",
            "",
            "| turn | give dice | control | King |",
            "|---|---|---|---|",
            *rows,
        ],
        "True. The first four purchases are dice wherever the result allows it; control comes with "
        "the fifth, when the dice for the King are there.",
    )


def signed(bounds: Interval) -> str:
    """Return an interval with its sign, rounded outward by less than a thousandth."""
    return f"{bounds.lower - 5e-4:+.3f} to {bounds.upper + 5e-4:+.3f}"


def listed(numbers: list[int]) -> str:
    """Return numbers in words."""
    *others, last = map(str, numbers)
    return f"{', '.join(others)} or {last}" if others else last
