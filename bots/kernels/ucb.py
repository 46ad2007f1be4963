"""Upper confidence bounds (UCB1: Auer, Cesa-Bianchi & Fischer, 2002; Buron 2013, formula 3.3.3).

Floats decide here, but only by operations that IEEE 754 specifies exactly (+ - * / and square
root); the logarithm is made of whole numbers.
"""

import math

import numpy as np

from bots.kernels.jit import entry

LN_2 = 0.6931471805599453
PLACES = 16  # binary places of a logarithm


@entry
def log(n):
    """The natural logarithm of a whole number from 1 to 2**62, from 16 binary places of log2."""
    whole = 0
    while n >> (whole + 1):
        whole += 1
    x = n << (30 - whole) if whole <= 30 else n >> (whole - 30)  # n / 2**whole, 30 places
    result = whole
    for _ in range(PLACES):
        x = x * x >> 30
        bit = x >> 31
        x >>= bit
        result = result << 1 | bit
    return result * LN_2 / (1 << PLACES)


@entry
def bonus(visits, total):
    """The exploration term of UCB1 for an arm's visits, given the visits of all arms."""
    return math.sqrt(2 * log(total) / visits)


@entry
def deal_by_ucb(visits, wins, order, exploration, jobs):
    """Deal playouts one by one to the candidate of the highest upper confidence bound (UCB1).

    argmax(mean_i + exploration * sqrt(ln(n) / n_i)), where n_i counts the playouts dealt here as
    well, which are not played yet and leave the mean as it is.

    Sources: Auer, Cesa-Bianchi & Fischer, Finite-time analysis of the multiarmed bandit problem
    (2002); Buron 2013, section 3.3.3, where exploration is the square root of 2. Counting what is
    not played yet: Liu et al., Watch the unobserved (2020).

    Args:
        visits: playouts of each candidate, at least one; int64.
        wins: won playouts of each candidate, int64.
        order: the candidates, one to be preferred in a tie before the others; int64.
        exploration: the weight of the exploration term.
        jobs: int64, filled in: the candidate of each playout.
    """
    width = exploration * exploration * log(visits.sum() + len(jobs))
    dealt = visits.copy()
    bounds = np.empty(len(visits))
    for i in order:
        bounds[i] = wins[i] / visits[i] + math.sqrt(width / dealt[i])
    for j in range(len(jobs)):
        best = order[0]
        for i in order:
            if bounds[i] > bounds[best]:
                best = i
        jobs[j] = best
        dealt[best] += 1
        bounds[best] = wins[best] / visits[best] + math.sqrt(width / dealt[best])
