"""Many games of our bots in lock step: a compiled second implementation, and the bots it plays.

The Python referee, views and bots are the reference; a bot or rule may be added here only with a
test that compares every attempt with them.
"""
