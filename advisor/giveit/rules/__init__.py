"""The rules: corridor, messages, captain, a day and a whole game as immutable states."""
