"""`flatmc`: flat Monte Carlo, the papers' player.

Play each candidate out many times, on boards drawn from those consistent with the view, and keep
the one that won most often. Playouts are dealt evenly.

Sources: Cazenave, A Phantom-Go Program (2006); Cazenave, Liu, F. Teytaud and O. Teytaud, Learning
opening books in partially observable games (CIG 2016), section II; Buron, A Study of Monte Carlo
Methods for Phantom Go (2013), Algorithm 3.1.1.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bots.montecarlo import MonteCarlo
from bots.pace import Pace
from bots.worlds import Ints, Tally, Worlds


@dataclass(frozen=True)
class FlatMC(MonteCarlo):
    kind: ClassVar[str] = "flatmc"

    def _search(self, worlds: Worlds, points: Ints, key: int, pace: Pace) -> tuple[int, float]:
        """The playouts are dealt evenly, number g to candidate g modulo their count."""
        tally = Tally(len(points))
        for room in pace.parts(1):
            jobs = _in_turn(len(points), max(room, len(points)))
            worlds.play_out(points, jobs, key, pace.done, tally, self.threads)
            pace.done += len(jobs)
        best = tally.best(key)
        return best, tally.share(best)


def _in_turn(count: int, total: int) -> Ints:
    """`total` numbers, from 0 to count - 1 over and over; quicker than a modulo."""
    rounds = np.empty((-(-total // count), count), np.int64)
    rounds[:] = np.arange(count)
    return rounds.ravel()[:total]
