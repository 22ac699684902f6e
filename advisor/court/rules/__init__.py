"""The rules of To Court the King as data, and the turn and the game as literal state machines."""
