"""One turn, exactly: what results are worth, the values of every state, options ranked."""
