"""Games that are played: records, moves as text, bots, sessions, many games at once."""
