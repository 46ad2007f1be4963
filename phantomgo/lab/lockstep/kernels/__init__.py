"""Whole games in numba: the referee, both views and the decisions of some bots.

A second implementation. The references are phantomgo/game/referee.py, phantomgo/game/view.py and
bots/, with which tests compare every attempt. It is here because its referee knows the full board,
which nothing under bots/ may.
"""
