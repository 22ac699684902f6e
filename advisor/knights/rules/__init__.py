"""The rules of Knights as data: ranks, cards, components, positions, legal targets."""
