"""The whole game as a literal state machine: rounds, display, purchases, the King, final round.

Section numbers are those of docs/rules.md. Seats are numbered clockwise from 0. A turn itself is
that of `turn.py`; what comes before and after it is here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from advisor import dice
from advisor.court.rules import turn
from advisor.court.rules.cards import BY_KEY, CARDS, KING, Card, pays
from advisor.court.rules.names import name_of
from advisor.court.rules.options import Hand, RuleSet, bought, brings_in, check_hand
from advisor.court.rules.seats import round_order
from advisor.court.rules.supply import COPIES, Display, may_add, on_display
from advisor.court.rules.turn import CHANGE_NOTHING, Roll, SetAside, Step, TurnState, Use
from advisor.dice import NONE, Counts, Rank, format_dice, format_rank, numbered_rank, rank_number
from advisor.errors import ImpossibleStep, InvalidOption

Hands = tuple[Hand, ...]

MOST_PLAYERS: Final = max(COPIES)


@dataclass(frozen=True)
class Fall:
    """The dice in the air fall so."""

    dice: Counts


@dataclass(frozen=True)
class Buy:
    """Buy a card with the result of the turn, None: nothing."""

    card: str | None


@dataclass(frozen=True)
class Pass:
    """Give up the own roll of the final round."""


Move = Step | Fall | Buy | Pass


@dataclass(frozen=True)
class Claimed:
    """Who took the King and owns the Queen, who holds the King now and with what best result."""

    owner: int
    holder: int
    best: Rank


@dataclass(frozen=True)
class Game:
    """Where a game stands; immutable, every move gives a new one.

    `hands` by seat, the King never among them (see `claimed`). `start` is the start player of the
    round, in the final round still that of the round before. `done` turns of the round are over.
    `turn` is the open turn, None once the game is over.
    """

    rules: RuleSet
    hands: Hands
    turn: TurnState | None
    start: int = 0
    done: int = 0
    round: int = 1
    claimed: Claimed | None = None
    final: bool = False

    # ------------------------------------------------------------ who

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in the order of this round (E2, E7)."""
        owner = self.claimed.owner if self.final and self.claimed else None
        return round_order(len(self.hands), self.start, owner)

    @property
    def is_over(self) -> bool:
        """Whether the game has been won."""
        return self.turn is None

    @property
    def seat(self) -> int:
        """The seat on turn; raises ImpossibleStep when the game is over."""
        if self.turn is None:
            raise ImpossibleStep("the game is over: nobody is on turn")
        return self.order[self.done]

    @property
    def hand(self) -> Hand:
        """The cards of the seat on turn."""
        return self.hands[self.seat]

    @property
    def place(self) -> tuple[int, int, bool]:
        """Which turn of the game it is."""
        return self.round, self.done, self.final

    @property
    def winner(self) -> int | None:
        """The seat that has won, None while the game goes on."""
        return self.claimed.holder if self.claimed and self.is_over else None

    # ------------------------------------------------------------ what for

    @property
    def target(self) -> Rank | None:
        """The least result that takes the King over (E4, E5); None before the final round."""
        if not (self.final and self.claimed) or self.is_over:
            return None
        best = self.claimed.best
        if self.seat == self.claimed.owner:
            return best
        return numbered_rank(rank_number(best) + 1)

    @property
    def result(self) -> Counts | None:
        """The result of the turn that a card may be bought with, None while dice are in play."""
        return self.turn.aside if self.turn and self.turn.is_over else None

    @property
    def copies(self) -> Display:
        """The copies of every card that are on display."""
        return on_display(self.hands, self.rules, self.claimed is not None)

    @property
    def display(self) -> tuple[str, ...]:
        """The cards that the seat on turn may buy with a result that pays (B1, B2)."""
        if self.final or self.turn is None:
            return ()
        return self.copies.buyable(self.hand)

    def purchases(self) -> tuple[str, ...]:
        """Return the cards that can be bought with the result of the turn that has just ended."""
        result = self.result
        if result is None:
            return ()
        return tuple(key for key in self.display if key in _paid(result))

    # ------------------------------------------------------------ moves

    @property
    def is_chance(self) -> bool:
        """Whether dice are falling."""
        return self.turn is not None and self.turn.is_chance

    def legal_moves(self) -> list[Move]:
        """Return every move of the seat on turn; none where dice are falling.

        Cards spent for nothing are legal as well, but never better, and left out.
        """
        if self.turn is None:
            return []
        if self.result is not None:
            return [*map(Buy, self.purchases()), Buy(None)]
        waits = self.final and self._untouched
        return [*self.turn.legal_steps(), *([Pass()] if waits else [])]

    def apply(self, move: Move) -> Game:
        """Return the game after a move; raises ImpossibleStep, saying why and what else."""
        if self.turn is None:
            raise ImpossibleStep("the game is over: no move can follow")
        match move:
            case Fall(fallen):
                return self._in_turn(self._fall(self.turn, fallen))
            case Buy(key):
                return self._buy(key)
            case Pass():
                return self._pass()
            case _:
                check_step(move, self.turn)
                return self._in_turn(self.turn.apply(move))

    @property
    def _untouched(self) -> bool:
        turned = self.turn
        return turned is not None and turned.aside == NONE == turned.active and turned.falling > 0

    def _fall(self, state: TurnState, fallen: Counts) -> TurnState:
        number = sum(fallen)
        if not state.is_chance:
            raise ImpossibleStep(
                f"dice {format_dice(fallen)}: no dice are falling; roll them first"
            )
        if number != state.falling:
            raise ImpossibleStep(
                f"dice {format_dice(fallen)}: {number} dice, but {state.falling} fall here; "
                f"write {state.falling} values"
            )
        return replace(state, active=dice.plus(state.active, fallen), falling=0)

    def _in_turn(self, state: TurnState) -> Game:
        after = replace(self, turn=state)
        if self.final and self.claimed and state.is_over:
            return after._ended(self.hands, self._challenged(state.aside))
        return after

    def _challenged(self, result: Counts) -> Claimed:
        assert self.claimed
        assert self.target
        rank = dice.rank(result)
        taken = rank >= self.target
        return replace(self.claimed, holder=self.seat, best=rank) if taken else self.claimed

    def _buy(self, key: str | None) -> Game:
        if self.final:
            raise ImpossibleStep("no card is bought in the final round; leave the purchase out")
        if self.result is None:
            raise ImpossibleStep("dice are still in play: a card is bought when the turn has ended")
        hands, claimed = self.hands, self.claimed
        if key is not None:
            self._check_purchase(BY_KEY[key], self.result)
            hands = (*hands[: self.seat], bought(self.hand, key), *hands[self.seat + 1 :])
        if key == KING.key:
            claimed = Claimed(self.seat, self.seat, dice.rank(self.result))
        return self._ended(hands, claimed)

    def _check_purchase(self, card: Card, result: Counts) -> None:
        shown, could = name_of(card.key), ", ".join(self.purchases()) or "nothing"
        if card.key in self.display and pays(card.cost, result):
            return
        if card.comes_with:
            why = f"comes with the {name_of(card.comes_with)}"
        elif card.requires and card.requires not in self.hand:
            why = f"needs a {name_of(card.requires)} to turn over"
        elif not may_add(card.key, self.hand):
            why = "is owned already"
        elif card.key not in self.display:
            why = "is not on display any more"
        else:
            why = f"costs {card.cost_text}, and the result is {format_dice(result)}"
        raise ImpossibleStep(f"the {shown} {why}; what can be bought: {could}")

    def _pass(self) -> Game:
        if not (self.final and self._untouched):
            raise ImpossibleStep(
                "only the roll of the final round can be given up, before any die is rolled"
            )
        return self._ended(self.hands, self.claimed)

    # ------------------------------------------------------------ rounds

    def _ended(self, hands: Hands, claimed: Claimed | None) -> Game:
        """Return the game after a turn, with the next one open (E1, E2, E7)."""
        seats = len(hands)
        after = replace(self, hands=hands, claimed=claimed, done=self.done + 1)
        if after.done == seats and not self.final:
            if claimed:
                after = replace(after, final=True, done=0)
            else:
                start = (self.start - 1) % seats
                after = replace(after, start=start, round=self.round + 1, done=0)
        if after._decided():
            return replace(after, turn=None)
        hand = hands[after.order[after.done]]
        return replace(after, turn=turn.start(hand, self.rules))

    def _decided(self) -> bool:
        if not (self.final and self.claimed):
            return False
        # The Queen's owner does not roll for a King that was never lost (E5).
        kept = self.claimed.holder == self.claimed.owner
        return self.done >= len(self.hands) - kept


@lru_cache(maxsize=1 << 14)
def _paid(result: Counts) -> frozenset[str]:
    return frozenset(card.key for card in CARDS if pays(card.cost, result))


def new_game(players: int, rules: RuleSet) -> Game:
    """Return a game of so many players before the first roll; one player races alone.

    Raises InvalidOption for a number that the game is not made for.
    """
    if not 1 <= players <= MOST_PLAYERS:
        raise InvalidOption(
            f"{players} players: the game is for 2 to {MOST_PLAYERS}, or for one who races alone"
        )
    return dealt(((),) * players, rules)


def dealt(hands: Sequence[Hand], rules: RuleSet) -> Game:
    """Return a game in which the players own cards already, the first of them to start a round."""
    for hand in hands:
        check_hand(hand, rules)
    return Game(rules, tuple(hands), turn.start(hands[0], rules))


def check_step(step: Step, state: TurnState) -> None:
    """Raise ImpossibleStep unless the step can be taken in the state of a turn."""
    if state.is_over:
        raise ImpossibleStep("no die is active: the turn has ended, and a card may be bought")
    if state.is_chance:
        raise ImpossibleStep(f"{state.falling} dice are falling: first say how they fall")
    match step:
        case SetAside(face):
            if not state.active[face - 1]:
                raise ImpossibleStep(
                    f"set aside a {face}: no active die shows it; active are "
                    f"{format_dice(state.active, ' ') or 'none'}"
                )
        case Roll():
            if not (state.may_roll or state.opening):
                raise ImpossibleStep(
                    "roll: no die was set aside since the last roll; set one of "
                    f"{format_dice(state.active, ' ')} aside first"
                )
        case Use(card, effect):
            _check_use(card, effect.text, step in uses(card, state), state)


def _check_use(card: str, text: str, possible: bool, state: TurnState) -> None:
    shown = name_of(card)
    if card not in state.unused:
        raise ImpossibleStep(
            f"use the {shown}: not among the unused cards "
            f"({', '.join(state.unused) or 'there are none'})"
        )
    if possible:
        return
    if state.opening and not brings_in(card):
        raise ImpossibleStep(
            f"use the {shown}: before the first roll only cards that bring a die in can be used"
        )
    found = "; ".join(use.effect.text for use in uses(card, state)[:6]) or "nothing"
    raise ImpossibleStep(f"use the {shown} ({text}): it cannot do that here; it can: {found}")


def uses(card: str, state: TurnState) -> list[Use]:
    """Return every use of an unused card in a state, the one for nothing last."""
    if state.is_over or state.is_chance or (state.opening and not brings_in(card)):
        return []
    found = list(turn.effects(card, state))
    if not state.opening and turn.may_change_nothing(card, state):
        found.append(CHANGE_NOTHING)
    return [Use(card, effect) for effect in found]


def describe(game: Game) -> str:
    """Return in a line whose turn it is, or who has won."""
    if game.claimed and game.is_over:
        return f"seat {game.claimed.holder + 1} has won with {format_rank(game.claimed.best)}"
    where = "final round" if game.final else f"round {game.round}"
    return f"{where}, seat {game.seat + 1} on turn"
