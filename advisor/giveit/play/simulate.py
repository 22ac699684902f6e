"""Many whole games between bots, in parallel processes; the same whatever their number.

Game g puts player p of the line-up on seat p + g, counted round the table, so that everybody sits
everywhere equally often.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from advisor import jobs
from advisor.dice import SEEDS
from advisor.errors import InvalidOption
from advisor.giveit.answers import Answer
from advisor.giveit.day import tables
from advisor.giveit.play.bots import BOTS, make_bot
from advisor.giveit.rules.box import Box
from advisor.giveit.rules.corridor import FACES, PLAYERS
from advisor.giveit.rules.day import Reveal, Roll
from advisor.giveit.rules.game import Game, GameStep, Shuffle, new_game
from advisor.samples import mean_and_error, wilson

CHUNK: Final = 10
MOST_GAMES: Final = 10_000_000


@dataclass(frozen=True)
class Match:
    """Games to be played: the line-up clockwise, how many, from which seed, with which box."""

    lineup: tuple[str, ...]
    games: int
    seed: int
    box: Box
    where: Path

    def __post_init__(self) -> None:
        if len(self.lineup) not in PLAYERS:
            raise InvalidOption(
                f"--seats {','.join(self.lineup)}: {len(self.lineup)} seats; the game is for 2 to 4"
            )
        for kind in self.lineup:
            if kind not in BOTS:
                raise InvalidOption(f"--seats: {kind!r} is no bot; choose from {', '.join(BOTS)}")
        if not 1 <= self.games <= MOST_GAMES:
            raise InvalidOption(f"--games {self.games}: write a number from 1 to {MOST_GAMES}")
        if not 0 <= self.seed < SEEDS:
            raise InvalidOption(f"--seed {self.seed}: write a whole number of at most 18 digits")


@dataclass
class Tally:
    """Games counted by player of the line-up; victories shared in a tie count their share.

    Shares are counted in twelfths, so that the order of counting does not matter.
    """

    games: int = 0
    wins: Counter[int] = field(default_factory=Counter)
    gold: dict[int, Counter[int]] = field(default_factory=dict)
    reveals: Counter[int] = field(default_factory=Counter)

    def add(self, other: Tally) -> None:
        """Count the games of another tally as well."""
        self.games += other.games
        self.wins.update(other.wins)
        self.reveals.update(other.reveals)
        for player, counts in other.gold.items():
            self.gold.setdefault(player, Counter()).update(counts)


PARTS: Final = 12


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
    tally = Tally()
    for number in numbers:
        _play(match, number, tally)
    return tally


@lru_cache(maxsize=3)
def table_for(where: Path, players: int, length: int) -> tables.ReachTable:
    """Return the table that bots look at, read or solved once a process."""
    return tables.found_or_solved(where, players, length)


def needs_table(lineup: Sequence[str]) -> bool:
    """Return whether a bot looks at the chances to reach the throne."""
    return bool({"exact", "best"} & {*lineup})


def by_chance(game: Game, rng: random.Random) -> GameStep:
    """Return how the die falls, or how the delivered messages are shuffled."""
    if game.day:
        return Roll(rng.choice(FACES))
    pile = list(game.delivered)
    rng.shuffle(pile)
    return Shuffle(tuple(pile))


def _play(match: Match, number: int, tally: Tally) -> None:
    players = len(match.lineup)
    table = table_for(match.where, players, match.box.length) if needs_table(match.lineup) else None
    bots = [
        make_bot(kind, random.Random(f"{match.seed} {number} {player}"), table)
        for player, kind in enumerate(match.lineup)
    ]
    rng = random.Random(f"{match.seed} {number}")
    game = new_game(players, match.box, rng)
    while not game.is_over:
        if game.is_chance:
            game = game.apply(by_chance(game, rng))
            continue
        player = (game.actor - number) % players
        step = bots[player].step(game)
        tally.reveals[player] += isinstance(step, Reveal)
        game = game.apply(step)
    tally.games += 1
    for seat, share in enumerate(game.shares()):
        player = (seat - number) % players
        tally.wins[player] += round(PARTS * share)
        tally.gold.setdefault(player, Counter())[game.purses[seat]] += 1


def answer(match: Match, tally: Tally) -> Answer:
    """Return the answer of `advisor giveit simulate`, from as many games as were played."""
    return {
        "command": "giveit simulate",
        "seats": list(match.lineup),
        "seed": match.seed,
        "games": tally.games,
        "wanted": match.games,
        "players": [_player(match, tally, player) for player in range(len(match.lineup))],
        "box": {"source": match.box.source, "invented": match.box.invented},
        "model": f"simulated, 95 % intervals; {match.box.describe()}",
    }


def _player(match: Match, tally: Tally, player: int) -> Answer:
    won = tally.wins[player] / PARTS
    lower, upper = wilson(round(won), tally.games)
    mean, error = mean_and_error(tally.gold[player])
    return {
        "player": player + 1,
        "bot": match.lineup[player],
        "won": won,
        "win": won / tally.games,
        "lower": lower,
        "upper": upper,
        "gold": mean,
        "gold_error": error,
        "reveals": tally.reveals[player] / tally.games,
    }
