"""The final round, exactly, and whether to take the King now."""
