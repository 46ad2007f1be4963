"""Phantom Go: the referee, the views, and the laboratory of seed portfolios."""

__version__ = "0.1.0"
