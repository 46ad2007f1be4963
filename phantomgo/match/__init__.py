"""Matches: who plays whom, the games played, and what they show."""
