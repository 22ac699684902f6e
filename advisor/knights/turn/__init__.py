"""The rest of a turn, node by node and as arrays."""
