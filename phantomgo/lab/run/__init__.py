"""Playing many games: the loop, workers (processes, a cluster), and stores of results.

Which games are played and what is learned from them belongs elsewhere; nothing here knows seeds.
"""
