"""The candidate evaluator (`judge`): a net's estimate, learned from full-information searches.

The first round of a search shows how candidates do in likely worlds. The net sees those results and
the view, and has learned what the same search finds on the full board: it smooths noise and
corrects for underestimated hidden stones. Its estimate counts as a number of playouts of each
candidate, so it matters most where playouts are few.

A teacher that sees more than its student is the oracle of Li et al. (Suphx: Mastering Mahjong with
Deep Reinforcement Learning, 2020). All arithmetic is on integers, so an attempt is the same on
every machine.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from bots.features import EVALUATOR_PLANES, PLANES, net_input
from bots.kernels.evaluator import ALL, SCALE, WEIGHT, add_results
from bots.kernels.net import ONE, evaluate
from bots.nets import Net
from bots.worlds import Ints, Statistics
from phantomgo.game.view import View

OPEN: Final = PLANES.index("open")


def estimated_shares(view: View, points: Ints, stats: Statistics, net: Net, hidden: Ints) -> Ints:
    """The net's estimate of each candidate's share of wins, in units of 1 / ALL.

    `stats` are of the first round, with all moves as first; `hidden` has the log odds of hidden
    stones by point, and is empty if all points are equally likely.
    """
    planes = evaluator_input(view, points, stats, hidden)
    better = evaluate(planes, net.channels, net.pairs, view.rules.size)
    playouts, wins, _ = stats.counts.sum(axis=1)
    shares: Ints = ALL * wins // playouts + ALL * better[points] // (ONE * SCALE)
    return shares


def prior_visits(shares: Ints, stats: Statistics, trust: int = 0) -> Ints:
    """The evaluator's estimates as playouts of each candidate, in the form of `Statistics.counts`.

    They count as `trust` playouts; if that is 0, as `WEIGHT` plus the candidate's own number.
    """
    counts = np.zeros_like(stats.counts)
    counts[0] = trust or WEIGHT + stats.visits
    counts[1] = counts[0] * shares // ALL
    return counts


def evaluator_input(
    view: View, points: Ints, stats: Statistics, hidden: Ints
) -> NDArray[np.uint32]:
    """The evaluator's input: the channels of `EVALUATOR_PLANES`, shape (channels, points)."""
    planes = net_input(view, len(EVALUATOR_PLANES))
    add_results(planes, OPEN, hidden, points, stats.counts, stats.amaf_counts)
    return planes
