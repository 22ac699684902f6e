"""To Court the King: rules, turn, solver and advice."""
