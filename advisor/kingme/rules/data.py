"""The rules as data: characters, floors, cards, points."""

from __future__ import annotations

from typing import Final

CHARACTERS: Final = (
    "Alighiero", "Beatrice", "Clemente", "Dario", "Ernesto", "Fiorello", "Gavino",
    "Irina", "Leonardo", "Merlino", "Natale", "Odessa", "Piero",
)  # fmt: skip
INITIALS: Final = "".join(name[0] for name in CHARACTERS)
"""Characters are numbered by their place here, from 0."""
NUMBER: Final = len(CHARACTERS)

UNPLACED: Final = -2
OUT: Final = -1
TOP: Final = 5
"""The highest floor, the nobles'."""
THRONE: Final = 6
FLOORS: Final = ("servants", "craftsmen", "traders", "officers", "dignitaries", "nobles")
ROOM: Final = 4
"""Characters on each of the floors 1 to 5; floor 0 has no limit."""
PLACING: Final = (1, 2, 3, 4)
"""Floors on which characters are placed."""

PLAYERS: Final = (3, 4, 5, 6)
PLACED: Final = {3: 4, 4: 3, 5: 2, 6: 2}
"""Characters that each player places, by number of players."""
NO_CARDS: Final = {3: 4, 4: 3, 5: 2, 6: 2}
"""No cards of each player in a round, by number of players."""

FAVOURITES: Final = 6
KING: Final = 10
"""Points for an own king; elsewhere in the castle the number of the floor counts."""
ZERO: Final = 33
"""Points for exactly none in the last round; also the most that a round can bring."""
ROUNDS: Final = 3
