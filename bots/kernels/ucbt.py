"""UCBT: which arm an online portfolio plays next (Reinforcing, section III-B).

Floats decide here by operations that IEEE 754 specifies exactly, and by the logarithm of ucb.py.
"""

import math

import numpy as np

from bots.kernels.jit import entry
from bots.kernels.stream import GAMMA, below, mix
from bots.kernels.ucb import LN_2, log

P = 2.1
C = 2.0
WIDTH = 0.01
LIFT = 0.16


@entry
def best_arm(played, won, key):
    """The arm to play at time t = 1 + the games so far, rounded down.

    It is the argmax of min(1, r_i/n_i + 1/100 sqrt(C ln(4 t^p) / n_i) + 16/100 ln(4 t^p) / n_i)
    with p = 2.1 and C = 2, where an arm never played scores 1. The paper doesn't say how ties are
    broken, though the bound of 1 makes many: here by the larger share of wins, then by fewer games,
    then at random.

    Sources: St-Pierre et al., Automatically Reinforcing a Game AI, section III-B; Audibert, Munos &
    Szepesvari, Exploration-exploitation tradeoff using variance estimates (2009).

    Args:
        played: n_i, the games of each arm, which may count less the older they are; float64.
        won: r_i, how many of them it won, weighed alike; float64.
        key: a random stream; int64.
    """
    logarithm = 2 * LN_2 + P * log(int(1 + played.sum()))
    best, equal, best_score, best_share, best_played = 0, 0, -1.0, -1.0, 0.0
    for i in range(len(played)):
        n = played[i]
        score, share = 1.0, 0.0
        if n > 0:
            share = won[i] / n
            score = min(1.0, share + WIDTH * math.sqrt(C * logarithm / n) + LIFT * logarithm / n)
        if score != best_score:
            better = score > best_score
        elif share != best_share:
            better = share > best_share
        elif n != best_played:
            better = n < best_played
        else:
            equal += 1
            key += GAMMA
            if below(mix(key), np.int64(equal)) == 0:
                best = i
            continue
        if better:
            best, equal, best_score, best_share, best_played = i, 1, score, share, n
    return best
