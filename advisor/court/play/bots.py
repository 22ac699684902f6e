"""Players that a program can be: `best`, `greedy` and `random`, all behind one interface.

- `best` races: it values a result by the fewest turns to the King that the table of the race gives
  for the hand after the best purchase still on display, takes the King whenever it can, and plays
  every turn exactly for that; where that is all the same, it takes the King with the result that is
  hardest to beat. It does not look at what others are about to do. Once another has
  taken the King, it buys and plays for the chance to beat that result in one turn. In the final
  round it plays exactly for the chance to win, all others doing the same.
- `greedy` plays every turn exactly for the row of the card it can buy (Fools 0, the King 20), and
  in the final round for the chance to take the King over.
- `random` takes any legal step, each equally likely, but always the King.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from advisor.court.final.solve import FinalRound
from advisor.court.race.estimates import load
from advisor.court.race.hand import BY_RANK, Outlook
from advisor.court.rules import turn
from advisor.court.rules.cards import BY_KEY, KING, ORDER
from advisor.court.rules.game import Buy, Game, Move, Pass
from advisor.court.rules.options import Hand, RuleSet, bought, dice_in_reach
from advisor.court.rules.seats import Seats
from advisor.court.turn.goals import CardGoal, RankGoal, WinGoal, pay
from advisor.court.turn.playing import MEMORY, Kept, SolvedTurn
from advisor.dice import MOST, RANKS, Rank, numbered_rank, rank_number
from advisor.errors import InvalidOption
from advisor.multisets import table
from advisor.text import quoted

Aim = CardGoal | RankGoal | WinGoal | Outlook
"""What a turn is played for."""

BOTS: Final = ("best", "greedy", "random")
KING_ROW: Final = 20.0
"""What the King is worth to the greedy player."""


class Bot(Protocol):
    """A player."""

    def moves(self, game: Game) -> tuple[Move, ...]:
        """Return the next moves of the seat on turn, where no dice are falling.

        They lead up to the next roll, use of a card or purchase, and are legal one after another.
        """


def make_bot(
    kind: str,
    rules: RuleSet,
    seed: int | Sequence[int] = 0,
    where: Path | None = None,
    kept: Kept | None = None,
) -> Bot:
    """Return a player; raises InvalidOption for a kind that does not exist.

    `seed` is for the random one, `where` is looked at for tables first, and solved turns go to
    `kept`, which players may share.
    """
    if kind == "best":
        return Best(rules, where, kept)
    if kind == "greedy":
        return Greedy(rules, kept)
    if kind == "random":
        return Random(np.random.default_rng(seed))
    raise InvalidOption(f"{quoted(kind)} is no bot: choose {', '.join(BOTS[:-1])} or {BOTS[-1]}")


def can_take(hand: Hand, target: Rank, rules: RuleSet) -> bool:
    """Return whether a hand has dice enough for a result of the final round."""
    return dice_in_reach(hand, rules) >= target[0]


@lru_cache(maxsize=1 << 14)
def beats(hand: Hand, target: Rank, rules: RuleSet) -> float:
    """Return a hand's best chance in one turn of a result of at least this rank."""
    if not can_take(hand, target, rules):
        return 0.0
    return SolvedTurn(turn.start(hand, rules), RankGoal(*target)).value


def undominated(
    worths: Sequence[tuple[str, float]], sign: int = 1
) -> tuple[tuple[str, float], ...]:
    """Return the cards without those never bought, as a cheaper one is worth as much.

    `sign` -1: smaller is better. Turns that differ in such cards only need not be solved twice.
    """
    kept: list[tuple[str, float]] = []
    for key, worth in sorted(worths, key=lambda item: -sign * item[1]):
        if not any(_pays_too(key, other) for other, _ in kept):
            kept.append((key, worth))
    return tuple(sorted(kept, key=lambda item: ORDER[item[0]]))


@lru_cache(maxsize=512)
def _pays_too(key: str, other: str) -> bool:
    """Return whether every result that pays for one card pays for another."""
    return bool((_paid(other) >= _paid(key)).all())


@lru_cache(maxsize=32)
def _paid(key: str) -> NDArray[np.bool_]:
    return pay(BY_KEY[key].cost, table(MOST))


class Random:
    """Takes any legal step; the King always, so that games end sooner."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def moves(self, game: Game) -> tuple[Move, ...]:
        """Return one legal move."""
        moves = game.legal_moves()
        if Buy(KING.key) in moves:
            return (Buy(KING.key),)
        return (moves[int(self.rng.integers(len(moves)))],)


class Solving(ABC):
    """A player who plays every turn exactly for some worth of its results."""

    def __init__(self, rules: RuleSet, kept: Kept | None = None) -> None:
        self.rules = rules
        self.kept = kept or Kept()
        self._now: tuple[Game, SolvedTurn] | None = None

    def moves(self, game: Game) -> tuple[Move, ...]:
        """Return the next moves of the seat on turn."""
        if game.result is not None:
            return (Buy(self.purchase(game)),)
        if game.turn and game.target and not can_take(game.hand, game.target, self.rules):
            moves = game.legal_moves()
            return (Pass(),) if Pass() in moves else (moves[0],)
        assert game.turn
        return self._current(game).steps(game.turn)

    def _current(self, game: Game) -> SolvedTurn:
        """Return the turn that is being played, solved."""
        turn_of = replace(game, turn=None)
        if self._now is None or self._now[0] != turn_of:
            self._now = turn_of, self.solved(game.hand, self.worth(game))
        return self._now[1]

    def solved(self, hand: Hand, worth: Aim) -> SolvedTurn:
        """Return the turn of a hand solved for a worth."""
        root = turn.start(hand, self.rules)
        return self.kept.get((root, worth), lambda: SolvedTurn(root, worth))

    @abstractmethod
    def worth(self, game: Game) -> Aim:
        """Return what results of the turn are worth."""

    @abstractmethod
    def purchase(self, game: Game) -> str | None:
        """Return what to buy with the result of the turn, None: nothing."""


class Greedy(Solving):
    """Goes for the highest row."""

    def worth(self, game: Game) -> Aim:
        """Return the row of the best card to buy, or the chance to take the King over."""
        if game.target:
            return RankGoal(*game.target)
        rows = [(key, _row(key)) for key in game.display if _row(key)]
        return CardGoal(undominated(rows), True)

    def purchase(self, game: Game) -> str | None:
        """Return the first of the cards of the highest row; nothing only if nothing is paid for."""
        return max(game.purchases(), key=_row, default=None)


def _row(key: str) -> float:
    return KING_ROW if key == KING.key else float(BY_KEY[key].row)


class Best(Solving):
    """Goes for the King in the fewest turns, then for the chance to win the final round."""

    def __init__(self, rules: RuleSet, where: Path | None = None, kept: Kept | None = None) -> None:
        super().__init__(rules, kept)
        self.estimates = load(rules, where)
        self._finals: FinalRound | None = None

    def worth(self, game: Game) -> Aim:
        """Return the turns left, the chance to beat the King's result, or the chance to win."""
        if game.final:
            return self._win(game)
        stay = self.after(game, None)
        after = ((key, self.after(game, key)) for key in game.display)
        sign = 1 if game.claimed else -1
        gains = [(key, value) for key, value in after if sign * (value - stay) > 0]
        by_rank = BY_RANK if sign < 0 and len(game.hands) > 1 else 0.0
        return Outlook(stay, undominated(gains, sign), sign, by_rank)

    def purchase(self, game: Game) -> str | None:
        """Return the purchase after which least turns or the best chance are left."""
        choose = max if game.claimed else min
        return choose((None, *game.purchases()), key=lambda key: self.after(game, key))

    def after(self, game: Game, key: str | None) -> float:
        """Return the turns left after a purchase, or the chance to beat the King's result."""
        return self._ahead(game, key) if game.claimed else self._left(game, key)

    def _left(self, game: Game, key: str | None) -> float:
        """Return the expected turns to the King after a purchase."""
        return 0.0 if key == KING.key else self.estimates.turns(bought(game.hand, key))

    def _ahead(self, game: Game, key: str | None) -> float:
        """Return the chance to beat the result that took the King after a purchase."""
        assert game.claimed
        target = numbered_rank(rank_number(game.claimed.best) + 1)
        return beats(bought(game.hand, key), target, self.rules)

    # ------------------------------------------------------------ final round

    def _win(self, game: Game) -> WinGoal:
        """Return the chance to win with each result, exact as in `final_round`."""
        assert game.claimed
        hands = tuple(game.hands[seat] for seat in game.order[game.done :])
        best = rank_number(game.claimed.best)
        if not (self._finals and _continues(self._finals, hands, best)):
            # Whoever holds the King has rolled, or is the Queen's owner, who rolls last.
            owner = game.claimed.owner == game.claimed.holder
            seats = Seats(hands, game.claimed.best, len(hands) - 1 if owner else None)
            self._finals = FinalRound(seats, self.rules, (best,)).solve(MEMORY)
        place = len(self._finals.seats.hands) - len(hands)
        return self._finals.goal(place, best, self._finals.survival[place])


def _continues(solved: FinalRound, hands: tuple[Hand, ...], best: int) -> bool:
    """Return whether a final round is the end of one that was solved."""
    return solved.seats.hands[-len(hands) :] == hands and min(solved.bests) <= best < RANKS
