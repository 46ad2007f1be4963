"""Many games of our bots in lock step: a compiled second implementation, and the bots it plays.

The Python referee, views and bots are the truth; a bot or rule belongs here only with a test that
compares every attempt with them.
"""
