"""`phantom`: flat Monte Carlo with its playouts where they matter, the strongest player here.

Four things make it stronger than `flatmc` with the same playouts. *Sequential
halving* (Karnin, Koren & Somekh, Almost optimal exploration in multi-armed bandits, 2013) deals
the playouts in rounds, each evenly among the best candidates of the round before: with fifty
candidates, an even split spends nine tenths on points nobody would play. We keep a fourth of them,
not half: as strong, and fewer rounds are quicker. *All moves
as first* (Brügmann 1993; Buron 2013, section 3.3.1) also counts, for each candidate, the playouts
in which it was played later, before the enemy did; that estimate is biased but has far more games,
and weighs as much as `amaf` playouts of the candidate's own (RAVE's schedule: Gelly & Silver 2007).

The third is worth most where playouts abound: it draws the hidden stones where a learned net
expects them (bots/prior.py), and presumes nothing else. A refused point is an enemy stone or an
eye; taking it for a stone, as `flatmc` does, kills groups that live (Cazenave & Borsboom, Golois
wins Phantom Go tournament, 2007, saw both programs err so). And as a try costs nothing, it does not
pass before it has tried again what was refused: a stone the enemy has played unseen may have taken
his own eye's last liberty.

On 9x9 a playout takes half as long again as `flatmc`'s, for the stones that are drawn by odds, and
the net a tenth of a millisecond a decision: at 2 ms it has half the playouts, and wins 99 %. What
each of the four is worth, and what was tried besides, is in docs/phantom.md.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bots.belief import Belief, presume_nothing
from bots.deciding import Found, Problem
from bots.kernels.lists import in_turn
from bots.montecarlo import MonteCarlo
from bots.pace import Pace
from bots.passing import wins_as_it_stands
from bots.prior import weights
from bots.spec import parameter
from bots.worlds import Tally, Worlds
from phantomgo.points import BLACK, PASS, Move
from phantomgo.rules import Rules
from phantomgo.view import View


@dataclass(frozen=True)
class Phantom(MonteCarlo):
    kind: ClassVar[str] = "phantom"
    amaf: int = parameter(200, 0, 10**6, "playouts that all moves as first weigh; 0: not used")
    narrow: int = parameter(4, 2, 1000, "each round keeps one in so many candidates")
    prior: int = parameter(1, 0, 1, "draw hidden stones by a learned net's odds (1) or evenly (0)")
    retry: int = parameter(1, 0, 1, "before a pass, try again what was refused (1) or not (0)")

    def warm_up(self, size: int) -> None:
        super().warm_up(size)
        if self.prior:
            weights(View(Rules(size=size), BLACK, enemies=1))

    def instead_of_pass(self, view: View) -> Move:
        if not self.retry or (view.opponent_passed and wins_as_it_stands(view)):
            return PASS
        return next((refusal.point for refusal in view.refused if refusal.turn < view.turn), PASS)

    def _worlds(self, view: View, belief: Belief) -> Worlds:
        if self.prior:
            return Worlds(presume_nothing(view), view.rules, view.colour, weights(view))
        return super()._worlds(view, belief)

    def deal(self, problem: Problem, pace: Pace) -> Found:
        _, worlds, points, key = problem
        tally = Tally(len(points), worlds.points if self.amaf else 0)
        left = np.arange(len(points))
        rounds = max(1, self._rounds(len(points)))
        for number in range(rounds):
            for room in pace.parts(rounds - number):
                count = len(left)
                jobs = left[in_turn(count, count * max(1, room // count))]
                worlds.play_out(points, jobs, key, pace.done, tally, self.threads)
                pace.done += len(jobs)
            left = tally.best_of(left, points, self.amaf, self._kept(len(left)), key)
        return Found(int(left[0]), tally)

    def _kept(self, count: int) -> int:
        return -(-count // self.narrow)

    def _rounds(self, count: int) -> int:
        """Until one is left."""
        return 1 + self._rounds(self._kept(count)) if count > 1 else 0
