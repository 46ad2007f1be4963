"""Candidates that are images of each other, counted as one.

Early in a game a view is often symmetric, and candidates that are images of each other are worth
the same. If each is searched separately, the luckiest of four estimates beats a better point in the
middle, which has only one. Counted as one, images share their playouts, so that luck has one chance
per distinct candidate.
"""

from typing import NamedTuple

import numpy as np

from bots.worlds import Ints, Statistics
from phantomgo.game.symmetry import images
from phantomgo.game.view import View, symmetries_of_view
from phantomgo.rng import mix


class Fold(NamedTuple):
    """Which candidates represent others.

    Attributes:
        points: all candidates.
        onto: for each, the index of its representative, which may be itself.
        ones: the representatives, as indices.
    """

    points: Ints
    onto: Ints
    ones: Ints

    @classmethod
    def none(cls, points: Ints) -> "Fold":
        """A fold in which every candidate represents itself."""
        every = np.arange(len(points))
        return cls(points, every, every)

    @classmethod
    def of(cls, view: View, points: Ints, key: int) -> "Fold":
        """A fold with one representative, drawn by a random stream, for all images in this view."""
        maps = [images(symmetry, view.rules.size) for symmetry in symmetries_of_view(view)]
        if len(maps) == 1:
            return cls.none(points)
        index = {point: i for i, point in enumerate(points.tolist())}
        drawn = {point: mix(key ^ (point + 1)) for point in index}
        orbits = ([image[p] for image in maps if image[p] in index] for p in index)
        onto = np.array([index[min(orbit, key=drawn.__getitem__)] for orbit in orbits], np.int64)
        return cls(points, onto, np.unique(onto))

    def stats(self, stats: Statistics) -> Statistics:
        """The results of all images, all moves as first included, added up for their
        representatives.
        """
        if len(self.ones) == len(self.points):
            return stats
        place = np.arange(len(stats.amaf_visits))
        if len(place):
            place[self.points] = self.points[self.onto]
        folded = Statistics(len(self.points), len(place))
        np.add.at(folded.counts.T, self.onto, stats.counts.T)
        np.add.at(folded.amaf_counts.T, place, stats.amaf_counts.T)
        return folded

    def mean(self, values: Ints) -> Ints:
        """For each representative the mean of its images' values, rounded down."""
        count, total = np.zeros((2, len(self.onto)), np.int64)
        np.add.at(count, self.onto, 1)
        np.add.at(total, self.onto, values)
        mean: Ints = total // np.maximum(count, 1)
        return mean
