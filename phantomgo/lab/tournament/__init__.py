"""Tournaments: what a file says of one, and how it becomes a match with files around it."""
