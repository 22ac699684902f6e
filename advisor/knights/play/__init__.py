"""Whole games with real dice: greedy players and rollouts."""
