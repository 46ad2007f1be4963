"""Tournaments: their TOML files, and the matches and output files made from them."""
