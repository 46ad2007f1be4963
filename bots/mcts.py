"""`mcts`: UCT, a tree search by upper confidence bounds, on worlds (determinizations).

One tree for all worlds, in which both sides move as if they saw the board: each playout draws
a world, goes down the tree by UCB1 among the moves that are legal there, adds one node, and goes
on at random. Flat Monte Carlo treats the opponent's answers as random. UCT finds good answers, but
ones that they could only give if they saw our stones, which gains little, as Borsboom et al. found.

Sources: Kocsis & Szepesvari, Bandit based Monte-Carlo planning (2006); Borsboom, Saito, Chaslot &
Uiterwijk, A comparison of Monte-Carlo methods for Phantom Go (2007); Buron, A Study of Monte Carlo
Methods for Phantom Go (2013), section 3.2.1 and formula 3.3.3. Choosing among the moves of a tree
that this world allows: Cowling, Powley & Whitehouse, Information set Monte Carlo tree search
(2012).

A playout runs on one board at a time (bots/kernels/board.py), as the tree needs to know what is
legal at each step. docs/notes/thesis.md says what that costs.
"""

import time
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from bots.deciding import Decider, SearchContext, SearchResult
from bots.imperfect import needed
from bots.infosets import InfoSet
from bots.kernels.uct import FIELDS, MARGINS, VISITS, WINS, WORK, search
from bots.pace import go_on
from bots.spec import decimal, parameter
from bots.worlds import Statistics, as_flags, signed
from phantomgo.points import BLACK
from phantomgo.rng import Stream
from phantomgo.rules import Rules
from phantomgo.view import View

_CLOCK_BATCH: Final = 512
"""Playouts between two looks at the clock; more than there are candidates."""
_MOST_NODES: Final = 1 << 20
"""The largest size of a tree."""


@dataclass(frozen=True)
class MCTS(Decider):
    kind: ClassVar[str] = "mcts"
    kernels: ClassVar[tuple[Any, ...]] = (*Decider.kernels, search)
    playouts: int = parameter(1000, 1, 10**9, "playouts per decision")
    exploration: float = decimal(0.3, 5, "weight of UCB1's bonus; 1 is the formula")

    def warm_up(self, size: int) -> None:
        super().warm_up(size)
        self.decide(View(Rules(size=size), BLACK), 0)

    def search(self, context: SearchContext, deadline: float) -> SearchResult:
        view, worlds, points, key = context
        info = InfoSet.of(view, worlds.belief)
        size, belief = info.rules.size, info.belief
        sets = (as_flags(p, size) for p in (belief.own, belief.enemy, belief.open))
        position = (size, *sets, belief.hidden, needed(info), info.passes)
        work = np.zeros(WORK, np.int64)
        total = max(self.playouts, len(points))
        tree = np.zeros((min(total, _MOST_NODES) + len(points) + 1, FIELDS), np.int64)
        stream = Stream(key)
        order = np.argsort([stream.below(1 << 32) for _ in points], kind="stable")
        weight, signed_key = self.exploration, signed(key)
        for first in range(0, total, _CLOCK_BATCH):
            count = min(_CLOCK_BATCH, total - first)
            go_on()
            search(work, tree, *position, points[order], weight, first, count, signed_key)
            if time.monotonic() >= deadline:
                break
        stats = Statistics(len(points))
        stats.visits[order], stats.wins[order], stats.margins[order] = tree[
            1 : len(points) + 1, [VISITS, WINS, MARGINS]
        ].T
        return SearchResult(stats.best(key), stats)
