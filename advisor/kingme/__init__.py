"""The game King Me! (Viva il Re!, Rey arriba)."""
