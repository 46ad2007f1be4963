"""Measuring what was learned, on seeds and games that took no part in learning.

phantomgo/app/evaluate.py is the table of all measures. Learning itself belongs to
phantomgo/lab/learning/learn.py; formulas that need no games to portfolio/.
"""
