"""Many whole games between bots, in parallel processes; the same whatever the number of processes.

Game g puts player p of the line-up on seat p + g, counted round the table, so that everybody starts
equally often; the order round the table stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import numpy as np

from advisor import jobs
from advisor.errors import InvalidOption
from advisor.kingme.answers import Cards, SimulateAnswer, SimulatedPlayer
from advisor.kingme.belief.posterior import Evidence
from advisor.kingme.play.bots import BOTS, Best, Bot, make_bot
from advisor.kingme.play.deal import dealt
from advisor.kingme.play.options import Option, Vote
from advisor.kingme.rules.data import PLAYERS
from advisor.kingme.rules.game import Game, Move, Phase, Place, Raise, Reveal, Votes, new_game
from advisor.kingme.rules.goals import Deck
from advisor.kingme.rules.record import SEEDS
from advisor.samples import mean_and_error, wilson

CHUNK: Final = 4
"""Games of one task."""
MOST_GAMES: Final = 10_000_000


@dataclass(frozen=True)
class Match:
    """Games to be played: the line-up clockwise, how many, from which seed, with which cards."""

    lineup: tuple[str, ...]
    games: int
    seed: int
    deck: Deck

    def __post_init__(self) -> None:
        if len(self.lineup) not in PLAYERS:
            raise InvalidOption(
                f"--seats {','.join(self.lineup)}: {len(self.lineup)} players; the game is for "
                f"{PLAYERS[0]} to {PLAYERS[-1]}"
            )
        for kind in self.lineup:
            if kind not in BOTS:
                raise InvalidOption(
                    f"--seats: {kind!r} is no bot; choose from {', '.join(BOTS)}, "
                    "for example best,greedy,greedy"
                )
        if not 1 <= self.games <= MOST_GAMES:
            raise InvalidOption(f"--games {self.games}: write a number from 1 to {MOST_GAMES}")
        if not 0 <= self.seed < SEEDS:
            raise InvalidOption(f"--seed {self.seed}: write a whole number of at most 18 digits")


@dataclass
class Tally:
    """Games counted: by player of the line-up shares of victories and points."""

    players: int
    games: int = 0
    wins: list[float] = field(default_factory=list)
    points: list[dict[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wins = self.wins or [0.0] * self.players
        self.points = self.points or [{} for _ in range(self.players)]

    def count(self, shares: Sequence[float], totals: Sequence[int]) -> None:
        """Count a game, by player of the line-up."""
        self.games += 1
        for player, (share, total) in enumerate(zip(shares, totals, strict=True)):
            self.wins[player] += share
            self.points[player][total] = self.points[player].get(total, 0) + 1

    def add(self, other: Tally) -> None:
        """Count the games of another tally as well."""
        self.games += other.games
        for player in range(self.players):
            self.wins[player] += other.wins[player]
            for total, count in other.points[player].items():
                self.points[player][total] = self.points[player].get(total, 0) + count


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
        game = whole_game(match, number)
        turned = [(player + number) % game.players for player in range(game.players)]
        shares, totals = game.returns(), game.totals
        tally.count([shares[seat] for seat in turned], [totals[seat] for seat in turned])
    return tally


def whole_game(match: Match, number: int) -> Game:
    """Return the game with a number, played to its end."""
    players = len(match.lineup)
    bots = {
        (player + number) % players: make_bot(
            kind, np.random.default_rng((match.seed, number, 1 + player)), match.deck
        )
        for player, kind in enumerate(match.lineup)
    }
    evidence = Evidence(match.deck, players)
    game = new_game(players)
    while not game.is_over:
        goals = dealt(match.deck, (match.seed, number), game)
        move: Move = Reveal(goals)
        if game.phase is Phase.VOTE:
            says = (
                bots[seat].choose(game, seat, goal, evidence) for seat, goal in enumerate(goals)
            )
            move = Votes(tuple(isinstance(vote, Vote) and vote.no for vote in says))
        elif not game.is_chance:
            move = as_move(bots[game.seat].choose(game, game.seat, goals[game.seat], evidence))
        if _look(bots):
            evidence.see(game, move)
        game = game.apply(move)
    return game


def _look(bots: dict[int, Bot]) -> bool:
    """Return whether any of the bots looks at what the others do."""
    return any(isinstance(bot, Best) for bot in bots.values())


def as_move(option: Option) -> Move:
    """Return the option of a seat on turn as a move of the game."""
    assert isinstance(option, Place | Raise)
    return option


def answer(match: Match, tally: Tally) -> SimulateAnswer:
    """Return the answer of `advisor kingme simulate`, from as many games as were played."""
    return SimulateAnswer(
        seats=match.lineup,
        seed=match.seed,
        games=tally.games,
        wanted=match.games,
        goals=Cards(source=match.deck.source, invented=match.deck.invented),
        players=tuple(_player(match, tally, player) for player in range(tally.players)),
        model=f"simulated; {match.deck.describe()}; the seats rotate, so everybody starts "
        "equally often; a shared victory counts in part",
    )


def _player(match: Match, tally: Tally, player: int) -> SimulatedPlayer:
    lower, upper = wilson(tally.wins[player], tally.games)
    mean, error = mean_and_error(tally.points[player])
    return SimulatedPlayer(
        player=player + 1,
        bot=match.lineup[player],
        won=tally.wins[player],
        win=tally.wins[player] / max(tally.games, 1),
        lower=lower,
        upper=upper,
        points=mean,
        error=error,
    )
