"""The laboratory: games played, counted and learned from.

It prints nothing and reads no command line. Whatever plays games is a study of a contest, run by
`run.run` with workers that are handed in.
"""
