"""Answers and games as text."""
