"""Advice in a game, recorded games judged, positions to decide."""
