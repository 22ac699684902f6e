"""Ends of rounds with goals known, solved exactly."""
