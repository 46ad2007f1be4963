"""The game: what is true, and who knows what of it."""
