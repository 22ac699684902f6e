"""Many whole games between bots, in parallel processes; the same whatever the number of processes.

Game g puts player p of the line-up on seat p + g, counted round the table, so that everybody starts
equally often; the order round the table stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

import numpy as np

from advisor import jobs
from advisor.court.play.answers import (
    BotPurchases,
    CardShare,
    SimulateAnswer,
    SimulatedPlayer,
    TurnsTaken,
)
from advisor.court.play.bots import BOTS, Bot, make_bot
from advisor.court.race.answers import TurnShare
from advisor.court.rules.cards import in_order
from advisor.court.rules.game import MOST_PLAYERS, Buy, Fall, Game, new_game
from advisor.court.rules.options import RuleSet
from advisor.court.turn.playing import Kept
from advisor.dice import SEEDS, thrown
from advisor.errors import InvalidOption
from advisor.samples import mean_and_error, wilson
from advisor.text import quoted

CHUNK: Final = 10
"""Games of one task."""
MOST_ROUNDS: Final = 2000
"""A game that has no King by then is given up."""
MOST_GAMES: Final = 10_000_000


@dataclass(frozen=True)
class Match:
    """Games to be played: the line-up clockwise, how many, from which seed, where tables lie."""

    lineup: tuple[str, ...]
    games: int
    seed: int
    rules: RuleSet
    where: Path | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.lineup) <= MOST_PLAYERS:
            raise InvalidOption(
                f"--seats {','.join(self.lineup)}: {len(self.lineup)} players; the game is for 2 "
                f"to {MOST_PLAYERS}, or for one who races alone"
            )
        for kind in self.lineup:
            if kind not in BOTS:
                raise InvalidOption(
                    f"--seats: {quoted(kind)} is no bot; choose from {', '.join(BOTS)}, "
                    "for example best,greedy"
                )
        if not 1 <= self.games <= MOST_GAMES:
            raise InvalidOption(f"--games {self.games}: write a number from 1 to {MOST_GAMES}")
        if not 0 <= self.seed < SEEDS:
            raise InvalidOption(f"--seed {self.seed}: write a whole number of at most 18 digits")


def read_lineup(text: str) -> tuple[str, ...]:
    """Return the kinds of bots of a comma-separated list."""
    return tuple(part.strip().casefold() for part in text.split(","))


# ---------------------------------------------------------------- counting


@dataclass
class Tally:
    """Games counted: by player of the line-up who won, who took the King and who bought what.

    `turns`: in which own turn the King was taken; `undecided` games were given up.
    """

    players: int
    games: int = 0
    undecided: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    kings: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    buys: Counter[tuple[int, str]] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count the games of another tally as well."""
        self.games += other.games
        self.undecided += other.undecided
        for mine, more in (
            (self.wins, other.wins),
            (self.kings, other.kings),
            (self.turns, other.turns),
        ):
            mine.update(more)
        self.buys.update(other.buys)


def simulate(match: Match, processes: int) -> Iterator[Tally]:
    """Yield the counts of some games after others, as they are finished."""
    tasks = (range(at, min(match.games, at + CHUNK)) for at in range(0, match.games, CHUNK))
    work = partial(play, match)
    if processes == 1:
        yield from map(work, tasks)
        return
    pool = partial(jobs.LocalPool, processes)
    yield from (tally for _, tally in jobs.run(tasks, work, pool, 2 * processes))


def play(match: Match, numbers: Sequence[int]) -> Tally:
    """Return the counts of the games with these numbers."""
    tally = Tally(len(match.lineup))
    for number in numbers:
        _play(match, number, tally)
    return tally


@lru_cache(maxsize=1)
def _kept() -> Kept:
    return Kept()


def _play(match: Match, number: int, tally: Tally) -> None:
    players = len(match.lineup)
    bots = [
        make_bot(kind, match.rules, (match.seed, number, 1 + player), match.where, _kept())
        for player, kind in enumerate(match.lineup)
    ]
    rng = np.random.default_rng((match.seed, number))
    game, bought = new_game(players, match.rules), set()
    while not game.is_over and game.round <= MOST_ROUNDS:
        if game.is_chance:
            game = game.apply(_fall(game, rng))
            continue
        player = (game.seat - number) % players
        game, keys = _moved(game, bots[player])
        bought |= {(player, key) for key in keys}
    tally.games += 1
    tally.buys.update(bought)
    if game.claimed is None or game.winner is None:
        tally.undecided += 1
        return
    tally.wins[(game.winner - number) % players] += 1
    tally.kings[(game.claimed.owner - number) % players] += 1
    tally.turns[game.round] += 1


def _fall(game: Game, rng: np.random.Generator) -> Fall:
    assert game.turn
    return Fall(thrown(game.turn.falling, rng))


def _moved(game: Game, bot: Bot) -> tuple[Game, list[str]]:
    """Return the game after the bot's next moves, and what it bought."""
    moves = bot.moves(game)
    for move in moves:
        game = game.apply(move)
    return game, [move.card for move in moves if isinstance(move, Buy) and move.card]


# ---------------------------------------------------------------- the answer


def answer(match: Match, tally: Tally) -> SimulateAnswer:
    """Return the answer of `advisor simulate`, from as many games as were played."""
    return SimulateAnswer(
        rules=match.rules.name,
        seats=match.lineup,
        seed=match.seed,
        games=tally.games,
        wanted=match.games,
        undecided=tally.undecided,
        players=tuple(_player(match, tally, player) for player in range(tally.players)),
        turns=_turns(tally),
        purchases=tuple(_purchases(match, tally, kind) for kind in dict.fromkeys(match.lineup)),
    )


def _turns(tally: Tally) -> TurnsTaken:
    mean, error = mean_and_error(tally.turns)
    taken = sum(tally.turns.values())
    shares = (
        TurnShare(turns=number, probability=count / taken)
        for number, count in sorted(tally.turns.items())
    )
    return TurnsTaken(mean=mean, error=error, distribution=tuple(shares))


def _player(match: Match, tally: Tally, player: int) -> SimulatedPlayer:
    lower, upper = wilson(tally.wins[player], tally.games)
    return SimulatedPlayer(
        player=player + 1,
        bot=match.lineup[player],
        won=tally.wins[player],
        win=tally.wins[player] / max(tally.games, 1),
        lower=lower,
        upper=upper,
        took_king=tally.kings[player] / max(tally.games, 1),
    )


def _purchases(match: Match, tally: Tally, kind: str) -> BotPurchases:
    """Return in what share of its games a bot of a kind bought each card at least once."""
    mine = [player for player, other in enumerate(match.lineup) if other == kind]
    found: Counter[str] = Counter()
    for (player, key), count in tally.buys.items():
        found[key] += count if player in mine else 0
    games = max(len(mine) * tally.games, 1)
    shares = (CardShare(card=key, share=found[key] / games) for key in in_order(+found))
    return BotPurchases(bot=kind, cards=tuple(shares))
