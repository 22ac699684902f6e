"""Give It to the King!: rules as data, days exactly, open and hidden messages, whole games."""
