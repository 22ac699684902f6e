"""A game that is played, as text."""

from __future__ import annotations

from typing import Final

from advisor.kingme.play.session import (
    Done,
    Event,
    Help,
    Over,
    Problem,
    Session,
    Stands,
    TakenBack,
)
from advisor.kingme.rules.castle import format_castle
from advisor.kingme.rules.data import CHARACTERS, THRONE
from advisor.kingme.rules.game import Game, Phase, Place, Raise, Reveal, Votes
from advisor.kingme.rules.goals import format_goal
from advisor.kingme.rules.record import Entry
from advisor.kingme.show.text import Output
from advisor.terminal import counted

HELP: Final = (
    ("A 3", "place a character on floor 1, 2, 3 or 4"),
    ("A", "raise a character by one floor"),
    ("y, n", "vote on the one on the throne"),
    ("?", "advice: the best options with what they lose; ??: every option"),
    ("f", "who has which favourites, by what they did"),
    ("u", "take back to your last decision"),
    ("q", "save and leave"),
)


class PlayOutput(Output):
    """Shows the events of a session."""

    def __init__(self, session: Session, color: str) -> None:
        super().__init__(color)
        self.session = session

    def begin(self, steps: int) -> None:
        """Write what is played, after so many steps so far."""
        seats = ", ".join(self.session.titles)
        self._wrapped(f"{seats}; seed {self.session.seed}", bold=True)
        self._wrapped(self.session.deck.describe(), dim=True)
        if steps:
            self._wrapped(f"Resumed after {counted(steps, 'step')}")

    def saved(self, where: str, goes_on: str, look: str) -> None:
        """Write where the record is and what can be done with it: commands."""
        self._line("")
        self._line(f"Record: {where}")
        if self.session.is_over:
            self._line(f"Ends of rounds against best play: {look}")
        else:
            self._line(f"To go on: {goes_on}")

    def prompt(self) -> None:
        """Write what can be typed now."""
        self._wrapped(self.session.prompt(), dim=True)

    def show(self, event: Event) -> None:
        """Write what happened."""
        match event:
            case Stands(game, seat, goal):
                self._stands(game, seat, format_goal(goal))
            case Done(entry):
                self._done(entry)
            case TakenBack(steps):
                self._wrapped(f"Taken back: {counted(steps, 'step')}")
            case Problem(text):
                self._wrapped(text[:1].upper() + text[1:], fg="yellow")
            case Help():
                for keys, text in HELP:
                    self._wrapped(f"{keys:<6}{text}", indent=6)
            case Over(game):
                self._over(game)

    def _stands(self, game: Game, seat: int, goal: str) -> None:
        self._line("")
        self._line(f"Round {game.round}, {self.session.titles[seat]}: favourites {goal}", bold=True)
        castle = format_castle(game.castle)
        self._wrapped(f"castle {castle}" if castle else "the castle is empty", fg="cyan")
        left = zip(self.session.titles, game.no_left, strict=True)
        self._wrapped(f"No cards left: {', '.join(f'{name} {n}' for name, n in left)}")
        if game.phase is Phase.VOTE:
            assert game.candidate is not None
            self._wrapped(f"{CHARACTERS[game.candidate]} is on the throne: Yes or No?")

    def _done(self, entry: Entry) -> None:
        game, titles = entry.before, self.session.titles
        match entry.move:
            case Place(character, floor):
                self._line(f"{titles[game.seat]}: {CHARACTERS[character]} on floor {floor}")
            case Raise(character):
                to = entry.after.castle[character]
                where = "the throne" if to == THRONE else f"floor {to}"
                self._line(f"{titles[game.seat]}: {CHARACTERS[character]} to {where}")
            case Votes(no):
                self._votes(game, no)
            case Reveal(goals):
                gained = zip(entry.after.totals, game.totals, strict=True)
                for name, goal, (new, old) in zip(titles, goals, gained, strict=True):
                    self._line(f"{name}: {format_goal(goal)}, {new - old} points, {new} in all")

    def _votes(self, game: Game, no: tuple[bool, ...]) -> None:
        assert game.candidate is not None
        name = CHARACTERS[game.candidate]
        against = [title for title, refuses in zip(self.session.titles, no, strict=True) if refuses]
        if against:
            self._wrapped(f"No: {', '.join(against)}. {name} is out")
        else:
            self._line(f"All Yes: {name} is king", bold=True)

    def _over(self, game: Game) -> None:
        shares = game.returns()
        best = [name for name, share in zip(self.session.titles, shares, strict=True) if share]
        self._line("")
        verb = "wins" if len(best) == 1 else "share the victory"
        self._line(f"{' and '.join(best)} {verb}", bold=True)
