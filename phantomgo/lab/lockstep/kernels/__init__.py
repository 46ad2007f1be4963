"""Whole games in numba: the referee, both views and the decisions of some bots.

A second implementation: what is true is said by phantomgo/referee.py, phantomgo/view.py and bots/,
with which tests compare every attempt. It lies here because the referee's side of it knows the
true board, which nothing under bots/ may.
"""
