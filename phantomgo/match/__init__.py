"""Matches as numbers: who meets whom, statistics, and reports. No game is played here."""
