"""Playing many games: the loop, whoever plays (processes, a cluster), and the stores of results.

What is played, and what is learned from it, belongs elsewhere; nothing here knows what a seed is.
"""
