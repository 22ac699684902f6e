"""How far the chances of `advisor kingme infer` hold: the table of docs/kingme.md.

    python scripts/kingme_calibration.py --rounds 300

Rounds are played by players who follow the model of play and by bots who do not. After the placing
and when the king is found, what a seat believes of the others is compared with their goals.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from advisor.kingme.belief.posterior import Evidence
from advisor.kingme.play.bots import Bot, Follower, Greedy, Random
from advisor.kingme.play.deal import dealt
from advisor.kingme.play.options import Vote
from advisor.kingme.play.simulate import as_move
from advisor.kingme.rules.game import Game, Move, Phase, Votes, new_game
from advisor.kingme.rules.goals import Deck, Goal, default

KINDS: dict[str, Callable[[np.random.Generator], Bot]] = {
    "model": Follower,
    "greedy": Greedy,
    "random": Random,
}
MOMENTS = ("placed", "king")
EDGES = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)


def rows(kind: str, players: int, number: int, deck: Deck) -> Iterator[tuple[str, float, bool]]:
    """Yield (moment, chance, whether it is a favourite) of one round as seat 0 sees it."""
    bots = [KINDS[kind](np.random.default_rng((7, number, seat))) for seat in range(players)]
    evidence, game = Evidence(deck, players), new_game(players)
    goals = dealt(deck, (7, number), game)
    placing = True
    while not game.is_chance:
        if placing and game.phase is Phase.RAISE:
            placing = False
            for chance, hit in believed(evidence, game, goals):
                yield "placed", chance, hit
        move: Move
        if game.phase is Phase.VOTE:
            says = [bot.choose(game, seat, goals[seat], evidence) for seat, bot in enumerate(bots)]
            move = Votes(tuple(isinstance(vote, Vote) and vote.no for vote in says))
        else:
            seat = game.seat
            move = as_move(bots[seat].choose(game, seat, goals[seat], evidence))
        evidence.see(game, move)
        game = game.apply(move)
    for chance, hit in believed(evidence, game, goals):
        yield "king", chance, hit


def believed(
    evidence: Evidence, game: Game, goals: tuple[Goal, ...]
) -> Iterator[tuple[float, bool]]:
    """Yield the chance of each character and other seat, and whether it is a favourite."""
    found = evidence.posterior(game, 0, goals[0])
    for seat, chances in zip(found.seats, found.characters(), strict=True):
        for character, chance in enumerate(chances):
            yield float(chance), character in goals[seat]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--players", type=int, default=4)
    asked = parser.parse_args()
    deck = default()
    spans = [f"{100 * a:.0f}-{100 * b:.0f} %" for a, b in pairwise(EDGES)]
    print(f"| players | moment | {' | '.join(spans)} |")
    print("|---" * (len(spans) + 2) + "|")
    for kind in KINDS:
        every = [
            row for number in range(asked.rounds) for row in rows(kind, asked.players, number, deck)
        ]
        for moment in MOMENTS:
            pairs = np.array([(p, hit) for when, p, hit in every if when == moment])
            place = np.clip(
                np.searchsorted(EDGES, pairs[:, 0], side="right") - 1, 0, len(spans) - 1
            )
            cells = []
            for at in range(len(spans)):
                here = pairs[place == at]
                mean = here.mean(axis=0) * 100 if len(here) else None
                cells.append("-" if mean is None else f"{mean[0]:.0f}: {mean[1]:.0f} ({len(here)})")
            print(f"| {kind} | {moment} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
