"""Reproduce every table and figure of the five papers: `phantomgo reproduce`.

Nothing outside this folder imports it. `experiments.py` lists the experiments, and `published.toml`
has the papers' figures.

The papers:
    CIG 2016: Cazenave, Liu, F. Teytaud and O. Teytaud, Learning opening books in partially
        observable games: using random seeds in Phantom Go.
    Reinforcing: St-Pierre, Hoock, Liu, F. Teytaud and O. Teytaud, Automatically reinforcing a game
        AI.
    Fast seeds: Liu, O. Teytaud and Cazenave, Fast seed-learning algorithms for games.
    Thesis: Buron, A study of Monte Carlo methods for Phantom Go (2013).
    Coevolution: Audouard et al., Grid coevolution for adaptive simulations (2009).
"""
