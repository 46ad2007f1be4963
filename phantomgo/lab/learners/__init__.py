"""Learners: they choose which games between seeds to play next, and return a portfolio.

A learner plays no games: phantomgo/lab/run plays them, or a recorded matrix has their results.
"""
