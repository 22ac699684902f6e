"""Answers about Knights as text and drawings."""
