"""Making tables of many turns and of the whole race."""
