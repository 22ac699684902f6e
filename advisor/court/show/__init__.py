"""Answers as text, pages and drawings."""
