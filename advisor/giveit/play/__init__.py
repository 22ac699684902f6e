"""Whole games: bots, many games in processes, a game at the terminal."""
