"""Seed portfolios: learn which random seeds a bot should play, and test them on fresh seeds.

Fixing the seed of a randomized bot makes it deterministic. Play seeds against seeds (`matrix`),
choose a distribution over them (`methods`, `nash`), measure it on fresh seeds (`exploit`), and
write it as a `book`. The papers are cited by these names throughout:

CIG 2016: Cazenave, Liu, F. Teytaud, O. Teytaud, Learning opening books in partially observable
    games: using random seeds in Phantom Go.
Reinforcing: St-Pierre, Hoock, Liu, F. Teytaud, O. Teytaud, Automatically Reinforcing a Game AI.
Fast seeds: Liu, O. Teytaud, Cazenave, Fast seed-learning algorithms for games.
"""
