"""Throws of the dice, exactly: best keeps, chances, tournaments."""
