"""Texts that complete themselves in the shell: cards and goals, the last part of a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

KINDS: Final = ("values:", "rank:", "turns")
"""What a goal can begin with besides a card."""


class _Text(click.ParamType[str]):
    """A text that its command reads by itself."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text as it is."""
        return str(value)


class CardName(_Text):
    """One card."""

    name = "card"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the cards whose name begins so."""
        return _items("", _cards(incomplete, ctx))


class CardList(_Text):
    """Cards, comma separated."""

    name = "cards"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the list with its last part completed by cards that it does not name yet."""
        before, comma, last = incomplete.rpartition(",")
        named = before.casefold().split(",")
        found = (each for each in _cards(last, ctx) if each[0].casefold() not in named)
        return _items(before + comma, found)


class GoalText(CardList):
    """A goal: cards, worths of cards, a rank."""

    name = "goal"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the goals that begin so."""
        kind, colon, rest = incomplete.partition(":")
        match kind + colon:
            case "rank:":
                ranks = (f"{alike}x{value}" for alike in range(1, 13) for value in range(1, 7))
                return _items(kind + colon, ((rank, "") for rank in ranks if rank.startswith(rest)))
            case "values:":
                before, comma, last = rest.rpartition(",")
                cards = ((name + "=", help) for name, help in _cards(last, ctx))
                return _items(kind + colon + before + comma, cards)
        kinds = ((each, "") for each in KINDS if each.startswith(incomplete))
        return [*super().shell_complete(ctx, param, incomplete), *_items("", kinds)]


def _cards(start: str, ctx: click.Context) -> list[tuple[str, str]]:
    """Return (what to write, what it is) of the cards that begin so.

    By their names in the language asked for, their keys, or their names in another language:
    the first of these that fits.
    """
    from advisor.court.rules.cards import CARDS, LANGUAGES

    language = ctx.params.get("lang") or "en"
    for tongue in dict.fromkeys((language, *LANGUAGES)):
        names = ((card.key if tongue == "en" else card.named(tongue), card) for card in CARDS)
        found = [
            (name, f"{card.named(language)}: {card.cost_text}")
            for name, card in names
            # A blank would end the word in the shell.
            if name.casefold().startswith(start.casefold()) and " " not in name
        ]
        if found:
            return found
    return []


def _items(before: str, found: Iterable[tuple[str, str]]) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(before + name, help=text or None) for name, text in found]


def mend_fish() -> None:
    """Let fish take lists whole: the script that click has for it cuts them at the first comma."""
    from click.shell_completion import FishComplete, add_completion_class

    class Fish(FishComplete):
        source_template = FishComplete.source_template.replace(
            'string split "," $completion', 'string split -m 1 "," $completion'
        )

    add_completion_class(Fish)


COMPLETED: Final = {"CARDS": CardList(), "GOAL": GoalText()}
"""The types of options by their metavar."""
