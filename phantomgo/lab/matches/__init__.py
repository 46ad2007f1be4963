"""Matches between players, and files of their games."""
