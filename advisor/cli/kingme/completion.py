"""Goals that complete themselves in the shell: the cards of the deck in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class GoalText(click.ParamType[str]):
    """Goals, comma separated."""

    name = "goals"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text as it is."""
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the goals of the deck that begin so, after those that stand there already."""
        from click.shell_completion import CompletionItem

        from advisor.errors import AdvisorError
        from advisor.kingme.rules import goals

        before, comma, last = incomplete.rpartition(",")
        try:
            cards = goals.load(ctx.params.get("deck")).cards
        except AdvisorError:
            return []
        texts = map(goals.format_goal, cards)
        return [CompletionItem(before + comma + t) for t in texts if t.startswith(last.upper())]


COMPLETED: Final = {"GOAL": GoalText(), "GOAL,GOAL,...": GoalText()}
"""The types of options by their metavar."""
