"""Learners: which games between seeds to ask for next, and the mixture they end with.

A learner plays nothing: phantomgo/lab/run has its games played, or a recorded matrix answers.
"""
