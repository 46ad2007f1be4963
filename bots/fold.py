"""Candidates that are images of each other, counted as one.

At the beginning of a game a view often looks the same from several sides, and the candidates that
are images of each other are worth the same. Tried each by itself, the luckiest of four estimates
beats the better point in the middle, which has only one. Counted as one, they share their playouts,
and chance has no more tries than there are different candidates.
"""

from typing import NamedTuple

import numpy as np

from bots.worlds import Ints, Tally
from phantomgo.rng import mix
from phantomgo.symmetry import images, keeping_view
from phantomgo.view import View


class Fold(NamedTuple):
    """Which candidates stand for others.

    Attributes:
        points: all candidates.
        onto: for each the index of the one that stands for it, its own where that is itself.
        ones: those that stand for themselves, as indices.
    """

    points: Ints
    onto: Ints
    ones: Ints

    @classmethod
    def none(cls, points: Ints) -> "Fold":
        """All stand for themselves."""
        every = np.arange(len(points))
        return cls(points, every, every)

    @classmethod
    def of(cls, view: View, points: Ints, key: int) -> "Fold":
        """One of those that are images of each other in this view, drawn by a random stream."""
        turns = [images(g, view.rules.size) for g in keeping_view(view)]
        if len(turns) == 1:
            return cls.none(points)
        index = {point: i for i, point in enumerate(points.tolist())}
        drawn = {point: mix(key ^ (point + 1)) for point in index}
        alike = ([turn[p] for turn in turns if turn[p] in index] for p in index)
        onto = np.array([index[min(some, key=drawn.__getitem__)] for some in alike], np.int64)
        return cls(points, onto, np.unique(onto))

    def tally(self, tally: Tally) -> Tally:
        """The results of all images added up for their representatives, all moves as first too."""
        if len(self.ones) == len(self.points):
            return tally
        place = np.arange(len(tally.amaf_visits))
        if len(place):
            place[self.points] = self.points[self.onto]
        folded = Tally(len(self.points), len(place))
        np.add.at(folded.counts.T, self.onto, tally.counts.T)
        np.add.at(folded.amaf_counts.T, place, tally.amaf_counts.T)
        return folded

    def mean(self, values: Ints) -> Ints:
        """For each that stands for others the mean of what they have, a whole number."""
        count, total = np.zeros((2, len(self.onto)), np.int64)
        np.add.at(count, self.onto, 1)
        np.add.at(total, self.onto, values)
        mean: Ints = total // np.maximum(count, 1)
        return mean
