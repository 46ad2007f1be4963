"""Exact results, without sampling: best responses to portfolios, and values of games."""
