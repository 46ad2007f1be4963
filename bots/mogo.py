"""The worlds of one view, played out by MoGo's policy instead of at random.

The thesis compares both (Buron 2013, section 4.3); the policy is in bots/kernels/policy.py. It is
not worth its cost (docs/notes/thesis.md).
"""

import math

import numpy as np

from bots.belief import Belief
from bots.kernels.policy import WORK, patterns, play_out
from bots.worlds import Ints, Tally, Worlds, as_flags, signed
from phantomgo.points import Colour
from phantomgo.rules import Rules


class PolicyWorlds(Worlds):
    """`Worlds` whose playouts follow MoGo's policy."""

    def __init__(self, belief: Belief, rules: Rules, colour: Colour) -> None:
        super().__init__(belief, rules, colour)
        sets = (belief.own, belief.enemy, belief.open)
        self._board = (
            rules.size, *(as_flags(points, rules.size) for points in sets),
            belief.hidden, math.floor(rules.komi_for(colour)),
        )  # fmt: skip

    def _run(
        self,
        passed: bool,
        candidates: Ints,
        jobs: Ints,
        count: int,
        key: int,
        first: int,
        tally: Tally,
    ) -> None:
        play_out(
            np.empty(WORK, np.int64), patterns(), *self._board, int(passed),
            candidates, np.resize(jobs, count), first, signed(key),
            tally.visits, tally.wins, tally.margins,
            len(tally.amaf_visits) > 0, tally.amaf_visits, tally.amaf_wins,
        )  # fmt: skip
