"""`phantom`: flat Monte Carlo with its playouts where they matter, the strongest player here.

Three things make it stronger than `flatmc` with the same playouts. *Sequential
halving* (Karnin, Koren & Somekh, Almost optimal exploration in multi-armed bandits, 2013) deals
the playouts in rounds, each evenly among the better half of the candidates of the round before:
with fifty candidates, an even split spends nine tenths on points nobody would play. *All moves
as first* (Brügmann 1993; Buron 2013, section 3.3.1) also counts, for each candidate, the playouts
in which it was played later, before the enemy did; that estimate is biased but has far more games,
and weighs as much as `amaf` playouts of the candidate's own (RAVE's schedule: Gelly & Silver 2007).
The third is worth most: it draws the hidden stones where a learned net expects them
(bots/prior.py).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bots.belief import Belief
from bots.montecarlo import MonteCarlo
from bots.pace import Pace
from bots.prior import weights
from bots.spec import parameter
from bots.worlds import UNIFORM, Ints, Tally, Worlds
from phantomgo.points import BLACK, grid
from phantomgo.rng import Stream
from phantomgo.rules import Rules
from phantomgo.view import View


@dataclass(frozen=True)
class Phantom(MonteCarlo):
    kind: ClassVar[str] = "phantom"
    amaf: int = parameter(200, 0, 10**6, "playouts that all moves as first weigh; 0: not used")
    prior: int = parameter(1, 0, 1, "draw hidden stones by a learned net's odds (1) or evenly (0)")

    def warm_up(self, size: int) -> None:
        super().warm_up(size)
        if self.prior:
            belief = Belief(own=0, enemy=0, open=grid(size).full, hidden=1)
            weights(View(Rules(size=size), BLACK), belief)

    def _worlds(self, view: View, belief: Belief) -> Worlds:
        likely = weights(view, belief) if self.prior else UNIFORM
        return Worlds(belief, view.rules, view.colour, likely)

    def _deal(self, worlds: Worlds, points: Ints, key: int, pace: Pace) -> tuple[int, float]:
        tally = Tally(len(points), worlds.points if self.amaf else 0)
        left = np.arange(len(points))
        rounds = max(1, (len(points) - 1).bit_length())
        for number in range(rounds):
            for room in pace.parts(rounds - number):
                jobs = np.tile(left, max(1, room // len(left)))
                worlds.play_out(points, jobs, key, pace.done, tally, self.threads)
                pace.done += len(jobs)
            left = self._better_half(left, points, tally, key)
        best = int(left[0])
        return best, tally.share(best)

    def _better_half(self, left: Ints, points: Ints, tally: Tally, key: int) -> Ints:
        """The candidates of the next round, the best one first.

        Ties go to the greater mean margin, then to the stream of `key`.
        """
        visits = tally.visits[left]
        values = tally.wins[left] / visits
        if self.amaf:
            also = tally.amaf_visits[points[left]]
            shares = tally.amaf_wins[points[left]] / np.maximum(also, 1)
            extra = np.where(also > 0, self.amaf, 0)
            values = (visits * values + extra * shares) / (visits + extra)
        stream = Stream(key)
        shuffled = np.array([stream.below(1 << 32) for _ in left])
        order = np.lexsort((shuffled, tally.margins[left] / visits, values))[::-1]
        return left[order[: max(1, len(left) // 2)]]
