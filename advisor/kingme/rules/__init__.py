"""The rules as data, the literal game, and its texts: castles, goal cards, records."""
