"""Goal cards: sets of six characters, the deck they come from, both ways as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import combinations
from pathlib import Path
from typing import Final

from advisor.errors import InvalidComponents, InvalidGoal
from advisor.kingme.rules.data import FAVOURITES, INITIALS, NUMBER, PLAYERS, ROUNDS
from advisor.text import printable

Goal = frozenset[int]
"""The numbers of six characters."""

ANY: Final = "any"


def parse_goal(text: str) -> Goal:
    """Return the goal written as initials in any order, `ACDGLO`; raises InvalidGoal."""
    letters = text.strip().upper()
    for letter in letters:
        if letter not in INITIALS:
            raise InvalidGoal(
                f"goal {text!r}: {letter!r} is no character; the initials are {INITIALS}"
            )
    twice = sorted(letter for letter in set(letters) if letters.count(letter) > 1)
    if twice:
        raise InvalidGoal(f"goal {text!r} names {twice[0]} twice; write six different initials")
    if len(letters) != FAVOURITES:
        raise InvalidGoal(
            f"goal {text!r} names {len(letters)} characters; a goal has {FAVOURITES}, for example "
            "ACDGLO"
        )
    return frozenset(map(INITIALS.index, letters))


def format_goal(goal: Iterable[int]) -> str:
    """Return a goal as initials in order."""
    return "".join(INITIALS[character] for character in sorted(goal))


def parse_goals(text: str) -> tuple[Goal, ...]:
    """Return the goals of all players, comma separated; raises InvalidGoal."""
    goals = tuple(parse_goal(part) for part in text.split(","))
    if len(goals) not in PLAYERS:
        raise InvalidGoal(
            f"goals {text!r}: {len(goals)} of them, but {PLAYERS[0]} to {PLAYERS[-1]} players; "
            "write one for each, comma separated"
        )
    return goals


def format_goals(goals: Iterable[Goal]) -> str:
    """Return the goals of all players, comma separated."""
    return ",".join(map(format_goal, goals))


@dataclass(frozen=True)
class Deck:
    """The goal cards there are.

    `single`: there is one of each, so that no two players have the same one and cards put away do
    not come back; otherwise every player has any of them, whatever the others have.
    """

    cards: tuple[Goal, ...]
    source: str
    invented: bool = False
    single: bool = True

    def describe(self) -> str:
        """Return which cards these are, in words."""
        if not self.single:
            return f"every set of {FAVOURITES} characters possible as a goal"
        return f"goal cards {self.source}{' (invented)' if self.invented else ''}"

    def check(self, goals: Iterable[Goal], gone: Sequence[Goal] = ()) -> None:
        """Raise InvalidGoal unless these goals can be dealt together after those put away."""
        seen: set[Goal] = set()
        for goal in goals:
            text = format_goal(goal)
            if goal not in self.cards:
                raise InvalidGoal(
                    f"goal {text} is not among the {self.describe()}; give the list of your game "
                    "with --goals FILE, or --goals any"
                )
            if self.single and goal in seen:
                raise InvalidGoal(f"goal {text} is given twice, but there is one such card")
            if self.single and goal in gone:
                raise InvalidGoal(f"goal {text} was put away after an earlier round")
            seen.add(goal)


def every() -> Deck:
    """Return the deck of which every set of six is possible, for each player by itself."""
    cards = tuple(map(frozenset, combinations(range(NUMBER), FAVOURITES)))
    return Deck(cards, ANY, single=False)


def default() -> Deck:
    """Return the cards that come with the program; they are invented."""
    text = resources.files("advisor.kingme").joinpath("goals.txt").read_text("utf-8")
    return parse_deck(text, "of the program", invented=True)


def load(name: str | None) -> Deck:
    """Return the deck that an option names: `any`, a file, None: the one that comes along."""
    if name is None:
        return default()
    if name.casefold() == ANY:
        return every()
    try:
        text = Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise InvalidComponents(f"goal cards {name!r} cannot be read: {error}") from error
    return parse_deck(text, Path(name).name)


def parse_deck(text: str, source: str, invented: bool = False) -> Deck:
    """Return the deck written with six initials a line; `#` begins a comment."""
    cards: list[Goal] = []
    for number, line in enumerate(text.splitlines(), 1):
        card = printable(line.partition("#")[0])
        if not card:
            continue
        try:
            goal = parse_goal(card)
        except InvalidGoal as error:
            raise InvalidComponents(f"goal cards {source}, line {number}: {error}") from error
        if goal in cards:
            raise InvalidComponents(
                f"goal cards {source}, line {number}: {card} is there already; leave it out"
            )
        cards.append(goal)
    fewest = PLAYERS[-1] * ROUNDS
    if len(cards) < fewest:
        raise InvalidComponents(
            f"goal cards {source}: {len(cards)} of them; {PLAYERS[-1]} players need {fewest} in "
            f"{ROUNDS} rounds"
        )
    return Deck(tuple(cards), source, invented)
