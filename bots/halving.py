"""The search of `phantom`: flat Monte Carlo by sequential halving, with learned odds of hidden
stones.

Five things make it stronger than `flatmc` with the same playouts. *Sequential
halving* (Karnin, Koren & Somekh, Almost optimal exploration in multi-armed bandits, 2013) deals
the playouts in rounds, each evenly among the best candidates of the round before: with fifty
candidates, an even split spends nine tenths on points nobody would play. We keep a fourth of them,
not half, which is as strong and takes fewer rounds. *All moves as first* (Brügmann 1993; Buron
2013, section 3.3.1) also counts, for each candidate, the playouts in which it was played later,
before the enemy did; that estimate is biased but has far more games, and weighs as much as `amaf`
playouts of the candidate's own (RAVE's schedule: Gelly & Silver 2007).

*Likely worlds*: a belief net says where hidden stones probably stand (bots/stone_odds.py), and
nothing else is presumed. That is worth most where there are many playouts. A refused point is an
enemy stone or an eye; taking it for a stone, as `flatmc` does, kills groups that live (Cazenave &
Borsboom, Golois wins Phantom Go tournament, 2007, saw both programs err so). *Retrying*: an attempt
costs nothing, so refused points are tried once more before a pass; the enemy may since have filled
the last liberty of their own eye, unseen.

*A judge*, if one is named, estimates each candidate after the first round, and its estimate counts
as playouts (bots/judge.py). Candidates that are images of each other may be counted as one
(bots/fold.py).

docs/phantom.md links the measurements of what each is worth and costs, and of what else was tried.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bots.belief import Belief, presume_nothing
from bots.deciding import Found, Problem
from bots.fold import Fold
from bots.judge import judged, word
from bots.montecarlo import MonteCarlo
from bots.nets import CANDIDATES, DEFAULT, NONE, Net, read_net
from bots.pace import Pace
from bots.passing import wins_as_it_stands
from bots.spec import choice, parameter, source
from bots.stone_odds import log_odds
from bots.worlds import Ints, Tally, Worlds
from phantomgo.points import BLACK, PASS, Move
from phantomgo.rules import Rules
from phantomgo.view import View


@dataclass(frozen=True)
class Halving(MonteCarlo):
    kind: ClassVar[str] = "phantom"
    """The bot whose curve calibrates its shares of playouts."""
    gone: ClassVar[Mapping[str, str]] = {
        "prior": "net=none is what prior=0 was, net=NAME or net=FILE.json names another net"
    }
    amaf: int = parameter(200, 0, 10**6, "playouts that all moves as first count for; 0: not used")
    narrow: int = parameter(4, 2, 1000, "each round keeps one in this many candidates")
    net: str = source(
        DEFAULT, f"a net's name, a .json file, or {NONE}", "the belief net that draws hidden stones"
    )
    judge: str = source(
        NONE, f"a net's name, a .json file, or {NONE}", "the net that rates candidates"
    )
    trust: int = parameter(
        0, 0, 10**6, "playouts a judge's word weighs; 0: 1024 and a candidate's own again"
    )
    fold: str = choice("off", ("on", "off"), "count symmetric candidates as one")
    retry: str = choice("on", ("on", "off"), "before a pass, try refused points again")

    def __post_init__(self) -> None:
        """Check the nets; raises BadNet if one is missing or damaged."""
        self._nets()

    def _nets(self) -> tuple[Net | None, Net | None]:
        """The belief net and the judge."""
        stones = None if self.net == NONE else read_net(self.net)
        return stones, None if self.judge == NONE else read_net(self.judge, CANDIDATES)

    def data(self) -> Mapping[str, str]:
        nets = zip(("net", "judge"), self._nets(), strict=True)
        return {name: net.digest for name, net in nets if net is not None}

    def warm_up(self, size: int) -> None:
        self.within(1).propose(View(Rules(size=size), BLACK, enemies=1))

    def instead_of_pass(self, view: View) -> Move:
        if self.retry == "off" or (view.opponent_passed and wins_as_it_stands(view)):
            return PASS
        return next((refusal.point for refusal in view.refused if refusal.turn < view.turn), PASS)

    def worlds_of(self, view: View, belief: Belief) -> Worlds:
        if self.net == NONE:
            return super().worlds_of(view, belief)
        said = log_odds(view, read_net(self.net))
        return Worlds(presume_nothing(view), view.rules, view.colour, said)

    def deal(self, problem: Problem, pace: Pace) -> Found:
        _, worlds, points, key = problem
        _, judge = self._nets()
        tally = Tally(len(points), worlds.points if self.amaf or judge is not None else 0)
        shares = None
        left = np.arange(len(points))
        fold = Fold.of(problem.view, points, key) if self.fold == "on" else Fold.none(points)
        rounds = max(1, self._rounds(len(fold.ones)))
        for number in range(rounds):
            for room in pace.parts(rounds - number):
                playouts = len(left) * max(1, room // len(left))
                worlds.play_out(points, left, playouts, key, pace.done, tally, self.threads)
                pace.done += playouts
            seen = fold.tally(tally)
            if number == 0:
                left = fold.ones
                if judge is not None and len(left) > 1:
                    said = judged(problem.view, points, tally, judge, worlds.log_odds)
                    shares = fold.mean(said)
            left = self.keep(problem, seen, left, shares)
        return Found(int(left[0]), seen)

    def keep(self, problem: Problem, tally: Tally, left: Ints, shares: Ints | None) -> Ints:
        """The candidates of the next round, the best one first; after the last round only that.

        Args:
            problem: what is searched.
            tally: the results so far.
            left: the candidates of this round, as indices.
            shares: the judge's estimates of all candidates; None without one.
        """
        also = None if shares is None else word(shares, tally, self.trust)
        kept = self._kept(len(left))
        return tally.best_of(left, problem.points, self.amaf, kept, problem.key, also)

    def _kept(self, count: int) -> int:
        return -(-count // self.narrow)

    def _rounds(self, count: int) -> int:
        """Until one is left."""
        return 1 + self._rounds(self._kept(count)) if count > 1 else 0
