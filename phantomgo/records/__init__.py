"""Records of games: as values, as JSON, and as SGF."""
