"""Goals dealt from a seed, so that a game can be gone on with."""

from __future__ import annotations

import numpy as np

from advisor.kingme.rules.game import Game
from advisor.kingme.rules.goals import Deck, Goal


def dealt(deck: Deck, seed: tuple[int, ...], game: Game) -> tuple[Goal, ...]:
    """Return the goals by seat of the round that is on, the same whenever asked."""
    left = [card for card in deck.cards if not (deck.single and card in game.gone)]
    rng = np.random.default_rng((*seed, 0, game.round))
    return tuple(left[at] for at in rng.choice(len(left), game.players, replace=not deck.single))
