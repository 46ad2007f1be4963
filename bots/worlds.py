"""The determinizations of one view, played out by the kernels.

`Worlds` turns a belief into the kernels' arrays once a decision and picks the kernel by size.
"""

import math

import numpy as np
from numpy.typing import NDArray

from bots.belief import Belief
from bots.kernels import classic
from phantomgo.points import BLACK, Colour, PointSet, members
from phantomgo.rng import Stream
from phantomgo.rules import Rules

Ints = NDArray[np.int64]


class Tally:
    """What the playouts of each candidate gave, as int64 arrays.

    Attributes:
        visits: playouts.
        wins: won playouts.
        margins: own area minus enemy area at their ends, summed.
    """

    def __init__(self, candidates: int) -> None:
        self.visits = np.zeros(candidates, np.int64)
        self.wins = np.zeros(candidates, np.int64)
        self.margins = np.zeros(candidates, np.int64)

    def share(self, candidate: int) -> float:
        """The share of playouts the candidate won."""
        return float(self.wins[candidate] / self.visits[candidate])

    def best(self, key: int) -> int:
        """The candidate with the greatest share of wins.

        Ties go to the greater mean margin (when all is won, the playouts tell candidates apart by
        nothing else), then to the stream of `key`. Shares are compared as cross-multiplied
        integers: no rounding decides.
        """
        best = [0]
        for i in range(1, len(self.visits)):
            order = self._compare(self.wins, i, best[0]) or self._compare(self.margins, i, best[0])
            if order > 0:
                best = [i]
            elif order == 0:
                best.append(i)
        return best[Stream(key).below(len(best))]

    def _compare(self, sums: Ints, i: int, j: int) -> int:
        """Above, at or below 0 as candidate i's mean is greater than, equal to or less than j's."""
        return int(sums[i]) * int(self.visits[j]) - int(sums[j]) * int(self.visits[i])


class Worlds:
    """The boards that a belief allows, as seen by the player who holds it."""

    def __init__(self, belief: Belief, rules: Rules, colour: Colour) -> None:
        komi = rules.komi if colour is BLACK else -rules.komi
        self._size = rules.size
        self._own, self._enemy, self._open = map(_listed, (belief.own, belief.enemy, belief.open))
        self._hidden = belief.hidden
        # Won when own area minus enemy area exceeds komi; areas are whole numbers.
        self._need = math.floor(komi)

    def play_out(self, candidates: Ints, jobs: Ints, key: int, first: int, tally: Tally) -> None:
        """Play out `jobs[i]`, an index into `candidates` (-1 passes), as playout `first + i`.

        The results are added to `tally`. Playout g of a key is the same game whatever else is
        played.
        """
        classic.play_out(
            self._size, self._own, self._enemy, self._open, self._hidden, self._need,
            candidates, jobs, _signed(key), first, tally.wins, tally.margins,
        )  # fmt: skip
        tally.visits += np.bincount(jobs, minlength=len(candidates))

    def standing(self, key: int, count: int) -> int:
        """How many of `count` determinizations are won as the board stands."""
        return int(
            classic.standing(
                self._size, self._own, self._enemy, self._open, self._hidden, self._need,
                _signed(key), count,
            )
        )  # fmt: skip


def _listed(points: PointSet) -> Ints:
    return np.fromiter(members(points), np.int64)


def _signed(key: int) -> int:
    """A 64-bit key as the kernels' int64."""
    return key - (1 << 64) if key >> 63 else key
