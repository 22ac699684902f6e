"""The race of one player for the King: expected turns with certified bounds."""
