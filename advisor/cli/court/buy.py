"""`advisor buy`: which card to buy with a result."""

from __future__ import annotations

from typing import Any

import click

from advisor.cli.court import options
from advisor.cli.output import Written
from advisor.court import questions
from advisor.court.questions import Settings
from advisor.court.show.turn import Output


@click.command("buy", epilog="Example: advisor buy 2244 --cards farmer")
@click.argument("result")
@options.race_options
@options.display_options
@options.answering
def command(
    result: str, cards: str | None, settings: Settings, written: Written, **race: Any
) -> None:
    """Rank the cards that RESULT pays for by the turns to the King expected afterwards.

    RESULT are the final dice of a turn with the hand --cards. What can be bought later is
    --supply (none: everything that is not owned) without the cards that are --gone. Each interval
    is certified and as narrow as --budget allows.
    """
    with options.progress() as told:
        answer = questions.buy(result, cards or (), **race, **settings, told=told)
    written.show(answer, Output(written.color, settings["language"]).buy)
