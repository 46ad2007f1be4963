"""The game: the full board, and each player's knowledge of it."""
