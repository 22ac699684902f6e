"""A game that is played, as text: what stands on the table, what happened, what can be typed."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import ClassVar, Final

from advisor.court.coach.coach import claim_command
from advisor.court.play.aims import can_take
from advisor.court.play.answers import Advised, EstimatedAnswer
from advisor.court.play.effects import SeveralUses, short
from advisor.court.play.events import (
    Advice,
    Choices,
    Event,
    Finished,
    Help,
    Loss,
    Over,
    Problem,
    Stands,
    Table,
    TakenBack,
    Warned,
    Why,
)
from advisor.court.play.record import Record
from advisor.court.play.session import Session
from advisor.court.race.answers import BuyAnswer, TurnsKeepAnswer
from advisor.court.rules.cards import BY_KEY, KING, has_use, pays
from advisor.court.rules.game import Buy, Game, Pass
from advisor.court.rules.names import name_of
from advisor.court.rules.notation import format_position
from advisor.court.show.turn import Output, bounds, doubted, lost
from advisor.court.turn.answers import KeepAnswer, KeepEachAnswer, RankedOption
from advisor.court.turn.payoffs import PROBABILITY
from advisor.dice import format_dice, format_rank, plus, rank
from advisor.terminal import NO_BREAK, counted, percent
from advisor.ties import EQUAL

BEST: Final = 6
"""Options shown unless every one is asked for."""
EFFECTS: Final = 24
"""Effects shown of a card that has more."""

HELP: Final = (
    ("66", "set the dice 6 6 aside; 66r: and roll the others; a: set all aside"),
    ("r", "roll all active dice (before the first roll: the dice you start with)"),
    ("Hu", "use a card: code, name or beginning of it; As 4>2: with its effect, dice > dice"),
    ("2, Hu, n", "at the end of a turn: buy by number or name, or nothing"),
    ("p", "final round: give up the roll"),
    ("?", "advice: the best options with what they lose; ??: every option"),
    ("why", "why the best option is best"),
    ("u", "take back your last step of this turn; dice rolled again fall the same way"),
    ("c", "everybody's cards, and what can still be bought"),
    ("q", "save and leave"),
)


class PlayOutput(Output):
    """Shows the events of a session."""

    sign: ClassVar[str] = "> "
    """What stands where something is typed."""

    def __init__(self, session: Session, color: str, language: str) -> None:
        super().__init__(color, language)
        self.session = session

    def show(self, event: Event) -> None:
        """Write what happened."""
        match event:
            case Stands(game, new):
                self._stands(game, new)
            case Finished():
                self._finished(event)
            case Advice(game, answer, every):
                self._advice(answer, every)
                if len(game.hands) > 1 and KING.key in game.purchases():
                    self._line(f"Now or later: {claim_command(game)}")
            case Why(answer, reason):
                self._why(answer, reason)
            case Choices(several):
                self._choices(several)
            case Warned(loss):
                self._warned(loss)
            case TakenBack(texts):
                self._wrapped(f"Taken back: {', '.join(texts)}")
            case Problem(text):
                self._wrapped(text[:1].upper() + text[1:], fg="yellow")
            case Table(game):
                self._everything(game)
            case Help():
                for keys, text in HELP:
                    self._wrapped(f"{keys:<10}{text}", indent=10)
            case Over(record):
                self._over(record)

    def prompt(self) -> None:
        """Write what can be typed now."""
        self._wrapped(self.session.prompt(), dim=True)

    def begin(self, steps: int) -> None:
        """Write what is played, after so many steps so far."""
        header = self.session.record.header
        seats = ", ".join(self.session.titles)
        what = seats if header.position is None else f"turn {format_position(header.position)}"
        self._wrapped(f"{what}; rule set {header.rules.name}, seed {header.seed}", bold=True)
        if steps:
            self._wrapped(f"Resumed after {counted(steps, 'step')}")

    def saved(self, where: str, goes_on: str, look: str) -> None:
        """Write where the record is and what can be done with it: commands."""
        self._line("")
        self._line(f"Record: {where}")
        if not self.session.is_over:
            self._line(f"To go on: {goes_on}")
        elif self.session.can_be_judged:
            self._line(f"Every decision against best play: {look}")

    # ------------------------------------------------------------ where it stands

    def _stands(self, game: Game, new: bool) -> None:
        state = game.turn
        assert state
        if new:
            self._turn_begins(game)
        if game.result is not None:
            self._shop(game)
            return
        used = [key for key in game.hand if has_use(key) and key not in state.unused]
        parts = [f"set aside {format_dice(state.aside, ' ')}"] if any(state.aside) else []
        if any(state.active):
            parts.append(f"active {format_dice(state.active, ' ')}")
        if state.falling:
            parts.append(f"{counted(state.falling, 'die', 'dice')} to roll")
        for label, keys in (("unused", state.unused), ("used", used)):
            if keys:
                parts.append(f"{label} {self._named(keys)}")
        self._wrapped(
            "   ".join(part.replace(" ", NO_BREAK) for part in parts), fg="cyan", bold=True
        )
        now = plus(state.aside, state.active)
        if any(now):
            self._wrapped(self._worth_now(game, now))

    def _worth_now(self, game: Game, now: tuple[int, ...]) -> str:
        if game.target:
            return f"These dice are {format_rank(rank(now))}; wanted {format_rank(game.target)}"
        paid = [key for key in game.display if pays(BY_KEY[key].cost, now)]
        return f"These dice pay for {self._listed(paid)}"

    def _turn_begins(self, game: Game) -> None:
        self._line("")
        where = "Final round" if game.final else f"Round {game.round}"
        who = f"{where}, {self.session.titles[game.seat]}"
        if self.session.record.header.position is not None:
            who = "Your turn"
        self._wrapped(f"{who}: {self._owned(game, game.seat)}", bold=True)
        if game.target and game.claimed:
            holder = self.session.titles[game.claimed.holder]
            self._wrapped(
                f"{holder} holds the King with {format_rank(game.claimed.best)}; "
                f"{format_rank(game.target)} or more takes it over"
            )
            if not can_take(game.hand, game.target, game.rules):
                self._wrapped("Your dice cannot do that: p gives up the roll")

    def _owned(self, game: Game, seat: int) -> str:
        return self._named(game.hands[seat])

    def _shop(self, game: Game) -> None:
        result = game.result
        assert result is not None
        self._wrapped(f"Result {format_dice(result, ' ')}", fg="cyan", bold=True)
        keys = game.purchases()
        if not keys:
            self._wrapped("These dice pay for nothing that you can buy")
        for number, key in enumerate(keys, 1):
            self._wrapped(
                f"{number:>2} {name_of(key, self.language)} ({BY_KEY[key].code}): "
                f"{BY_KEY[key].ability_text}",
                indent=5,
            )

    def _everything(self, game: Game) -> None:
        for seat, title in enumerate(self.session.titles):
            self._wrapped(f"{title}: {self._owned(game, seat)}")
        self._line("You can buy" if game.display else "Nothing is bought any more", bold=True)
        for key in game.display:
            card, name = BY_KEY[key], name_of(key, self.language)
            self._wrapped(
                f"{card.code} {name}{_copies(game.copies.left[key])}: {self._cost(key)} -> "
                f"{card.ability_text}",
                indent=3,
            )

    # ------------------------------------------------------------ what happened

    def _finished(self, event: Finished) -> None:
        """Write a turn in a line."""
        title = self.session.titles[event.seat]
        if event.last == Pass():
            self._wrapped(f"{title} gives up the roll")
            return
        used = "; ".join(
            f"{name_of(use.card, self.language)} ({use.effect.text})" for use in event.uses
        )
        text = format_dice(event.result, " ") + (f", used {used}" if used else "")
        self._wrapped(f"{title}: {text}. {self._outcome(event)}")
        if event.last == Buy(KING.key):
            more = ": this round is played to its end, then comes the final round"
            alone = len(self.session.titles) == 1
            self._wrapped(f"{title} has taken the King{'' if alone else more}", bold=True)

    def _outcome(self, event: Finished) -> str:
        if isinstance(event.last, Buy):
            key = event.last.card
            return f"Buys {name_of(key, self.language) if key else 'nothing'}"
        reached = format_rank(rank(event.result))
        taken = event.after.claimed != event.entries[-1].before.claimed
        return f"{reached} {'takes the King over' if taken else 'is not enough'}"

    def _over(self, record: Record) -> None:
        self._line("")
        game = record.game
        if record.header.position is not None:
            self._line("The turn is over", bold=True)
            return
        assert game.winner is not None
        assert game.claimed
        title, best = self.session.titles[game.winner], format_rank(game.claimed.best)
        if len(self.session.titles) == 1:
            text = f"{title} has the King after {counted(game.round, 'turn')}"
        else:
            text = f"{title} has won with {best} after {counted(game.round, 'round')}"
        self._line(text, bold=True)

    # ------------------------------------------------------------ advice

    def _advice(self, answer: Advised, every: bool) -> None:
        if isinstance(answer, KeepEachAnswer):
            self.odds(answer)
            return
        rows, headers = self._rows(answer)
        if not rows and not isinstance(answer, BuyAnswer):
            self._line(f"If you roll: {self._worth(answer.value, answer.unit)}")
            return
        shown = rows if every else rows[:BEST]
        self._table(shown, headers, wrap=(1,), best_first=True)
        if len(shown) < len(rows):
            self._line(f"{counted(len(rows) - len(shown), 'more option')}: ?? shows them", dim=True)
        if not isinstance(answer, BuyAnswer) and len(answer.plan) > 1:
            doubt = doubted(answer.options[0]) if isinstance(answer, TurnsKeepAnswer) else ""
            self._wrapped(f"Plan{doubt}: {'; '.join(answer.plan)}")
        if isinstance(answer, TurnsKeepAnswer | BuyAnswer) and not answer.certain:
            self._wrapped("The intervals overlap: which option is best is not certain", dim=True)
        self._wrapped(_model(answer), dim=True)

    def _rows(
        self, answer: KeepAnswer | BuyAnswer | EstimatedAnswer
    ) -> tuple[list[list[object]], list[str]]:
        if isinstance(answer, TurnsKeepAnswer | BuyAnswer):
            rows: list[list[object]] = [
                [o.rank, o.text, *bounds(o)[:2], lost(o, answer.options[0])] for o in answer.options
            ]
            return rows, ["", "option", "at least", "at most", "loss"]
        unit = answer.unit
        rows = [
            [o.rank, o.text, self._worth(o.value, unit), _loss(o, unit)] for o in answer.options
        ]
        return rows, ["", "option", unit, "loss"]

    def _choices(self, several: SeveralUses) -> None:
        name, uses = name_of(several.card, self.language), several.uses
        shown = [
            f"{short(use.effect)} {use.effect.text}".replace(" ", NO_BREAK)
            for use in uses[:EFFECTS]
        ]
        more = f"; and {len(uses) - EFFECTS} more" if len(uses) > EFFECTS else ""
        self._wrapped(f"{name} can: " + "; ".join(shown) + more)

    def _warned(self, loss: Loss) -> None:
        self._wrapped(
            f"That loses about {_amount(loss.lost, loss.unit)} against: {loss.better}",
            fg="yellow",
            bold=True,
        )

    def _listed(self, keys: Sequence[str]) -> str:
        return ", ".join(name_of(key, self.language) for key in keys) or "nothing"


def _model(answer: KeepAnswer | BuyAnswer | EstimatedAnswer) -> str:
    if isinstance(answer, EstimatedAnswer):
        if answer.unit == PROBABILITY:
            return "chance to win with the cards then owned, the others keeping theirs"
        return f"estimated turns to the King, {_counted_from(answer.purchase)}"
    if answer.unit == PROBABILITY:
        return "chance to win, exact for best play of everybody"
    after = _counted_from(isinstance(answer, BuyAnswer))
    return f"expected turns to the King, {after}, with what you can still buy"


def _counted_from(purchase: bool) -> str:
    return "after the purchase" if purchase else "this one included"


def _loss(option: RankedOption, unit: str) -> str:
    if option.loss <= EQUAL:
        return ""
    return percent(option.loss) if unit == PROBABILITY else f"{option.loss:.4f}"


def _amount(lost: float, unit: str) -> str:
    return f"{percent(lost)} of winning" if unit == PROBABILITY else f"{lost:.2f} turns"


def _copies(left: float) -> str:
    return "" if left == inf else f" ({int(left)} left)"
