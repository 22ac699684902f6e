"""Advice, bots, many games, a game at the terminal."""
