"""Knights: rules as data, exact dice play, targets of a turn, simulated games."""
