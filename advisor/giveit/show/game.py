"""A game being played, as text."""

from __future__ import annotations

from advisor.giveit.play.session import Session, listed
from advisor.giveit.rules.day import Day, Move, Name, Quiet, Reveal, Roll, Stage
from advisor.giveit.rules.game import Draw, Game, GameStep, Restore
from advisor.giveit.rules.messages import Hand
from advisor.giveit.show.text import landing
from advisor.terminal import Writer, percent


class PlayOutput(Writer):
    """Writes a game to standard output."""

    numbers = frozenset({"own chance"})

    def __init__(self, session: Session, color: str) -> None:
        super().__init__(color)
        self.session = session
        self.names = [seat.name for seat in session.seats]

    def day(self, game: Game) -> None:
        """Write how a day begins."""
        assert game.day
        self._line("")
        self._line(f"Day {game.number}", bold=True)
        self.standing(game.day)

    def standing(self, day: Day) -> None:
        """Write where all stand and what they own."""
        for seat in sorted(range(len(day.distances)), key=day.distances.__getitem__):
            name = self.names[seat] if seat < day.players else "trainee"
            self._line(f"  {day.distances[seat]:>3}  messenger {seat + 1} ({name})")
        assert day.purses is not None
        gold = ", ".join(
            f"{name} {purse}{' (captain)' if seat == day.captain else ''}"
            for seat, (name, purse) in enumerate(zip(self.names, day.purses, strict=True))
        )
        self._line(f"gold: {gold}")

    def step(self, before: Game, step: GameStep) -> None:
        """Write a step and what came of it."""
        text = self._told(before, step)
        if text:
            self._line(text)
        after = self.session.game
        if after.day is None and before.day is not None:
            self._evening(before, after)
        elif after.day is not None and before.day is None:
            self.day(after)
        if after.is_over:
            self.end(after)

    def _told(self, before: Game, step: GameStep) -> str:
        name = "" if before.is_chance else self.names[before.actor]
        match step:
            case Roll(die):
                assert before.day
                return f"{self.names[before.day.turn]} rolls {die}"
            case Reveal(message):
                return f"{name} reveals {message.describe()}"
            case Move(None):
                return f"{name}: nobody can move, the captain is blamed"
            case Move(messenger):
                return self._moved(before, name, messenger)
            case Name(seat):
                return f"{name} names {self.names[seat]} captain"
            case Restore(message):
                return f"{name} restores {message.describe()} for 1 gold"
            case Quiet() | Draw():
                return ""
        return "the delivered messages are shuffled"

    def _moved(self, before: Game, name: str, messenger: int | None) -> str:
        from advisor.giveit.rules.corridor import movements

        assert before.day
        assert messenger is not None
        to = dict(movements(before.day.distances, before.day.steps))[messenger]
        return f"{name} moves {landing(messenger + 1, to)}"

    def _evening(self, before: Game, after: Game) -> None:
        first = after.order[0]
        name = self.names[first] if first < after.players else "a trainee"
        self._line(f"The day ends: messenger {first + 1} ({name}) is with the King")
        gold = zip(self.names, after.purses, strict=True)
        self._line("gold: " + ", ".join(f"{name} {purse}" for name, purse in gold))

    def end(self, game: Game) -> None:
        """Write who has won."""
        winners = [name for name, share in zip(self.names, game.shares(), strict=True) if share > 0]
        self._line(f"The game is over. Won: {', '.join(winners)}", bold=True)

    def prompt(self) -> None:
        """Write what can be typed now."""
        game = self.session.game
        if self.session.waits_for_die:
            assert game.day
            self._line(f"{self.names[game.day.turn]}: what does the die show? (1 to 6; q leaves)")
            return
        name, more = self.names[game.actor], "? advice, q leaves"
        if game.day is None or game.day.heirs:
            self._between(game, name, more)
        elif game.day.stage is Stage.MOVE:
            choices = ", ".join(
                landing(step.messenger + 1, to)
                for step, to in self._ends(game.day)
                if step.messenger is not None
            )
            self._line(f"{name}: move which messenger? {choices}; {more}")
        else:
            asks = "" if game.day.stage is Stage.REVEAL else self._announced(game.day)
            hand = written(self.session.hand())
            self._line(f"{name}: {asks}reveal a message? {hand}; Enter for none; {more}")

    def _ends(self, day: Day) -> list[tuple[Move, int]]:
        from advisor.giveit.rules.corridor import movements

        return [(Move(messenger), to) for messenger, to in movements(day.distances, day.steps)]

    def _announced(self, day: Day) -> str:
        who = self.names[day.turn]
        if day.announced is None:
            return f"{who} cannot move anybody; "
        messenger, to = day.announced
        return f"{who} wants to move {landing(messenger + 1, to)}; "

    def _between(self, game: Game, name: str, more: str) -> None:
        if game.heirs or (game.day and game.day.heirs):
            seats = game.heirs or (game.day.heirs if game.day else ())
            choices = ", ".join(f"{seat + 1} {self.names[seat]}" for seat in seats)
            self._line(f"{name}: who becomes captain? {choices}")
            return
        up = written(game.shown[game.actor])
        self._line(f"{name}: restore a message for 1 gold? {up}; Enter to draw; {more}")

    def advice(self) -> None:
        """Write what is known about the choice to be made."""
        game = self.session.game
        if self.session.waits_for_die:
            self._line("roll the die and type what it shows")
            return
        moves = self.session.moves()
        if moves and game.day:
            ends = {step.messenger: to for step, to in self._ends(game.day)}
            rows = [
                [landing((step.messenger or 0) + 1, ends[step.messenger]),
                 percent(row[game.actor])]
                for step, row in sorted(moves, key=lambda each: -each[1][game.actor])
            ]  # fmt: skip
            self._table(rows, ["move", "own chance"], best_first=True)
            self._line("chance to reach the throne, exact for a day without messages", dim=True)
        step = self.session.suggestion()
        told = self._told(game, step).removeprefix(self.names[game.actor]).strip()
        self._line(f"the bot best would: {told or 'wait'}", dim=True)


def written(hand: Hand) -> str:
    """Return a hand by the names to be typed."""
    return ", ".join(
        message.key if number == 1 else f"{message.key} (x{number})"
        for message, number in listed(hand)
    )
