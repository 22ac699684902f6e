"""Exact solver and strategy advisor for the dice game To Court the King."""

__version__ = "0.1.0"
