"""Exact values of a day: positions in order of rising sum, passes in closed form."""
