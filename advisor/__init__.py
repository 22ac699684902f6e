"""Exact solver and strategy advisor for the dice game To Court the King."""

__version__ = "0.1.0"

KERNEL_REVISION = 1
"""Raised whenever a value could change in a single bit; part of every table's fingerprint."""
