"""The commands about To Court the King, one module each."""
