"""The laboratory: plays games, counts them, and learns from them.

It prints nothing and reads no command line. All games are played for a study of a contest, by the
loop of `run` and the workers that it is given.
"""
