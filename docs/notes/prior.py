"""`phantom` with the odds of a policy: tried in docs/notes/policy.md.

PYTHONPATH=docs/notes phantomgo match --black prior:Prior:playouts=2900,near=4 ...
"""

from dataclasses import dataclass

import numpy as np

from bots import deployed
from bots.belief import presume_refused
from bots.bot import parameter
from bots.deciding import SearchContext, SearchResult
from bots.kernels.policy import POLICY_ONE, log_odds
from bots.pace import Pace
from bots.phantom import Phantom
from bots.policies import read_policy
from bots.policy import policy_input
from bots.worlds import Ints, Statistics


@dataclass(frozen=True)
class Prior(Phantom):
    """`phantom` among the candidates that a policy thinks likely."""

    near: int = parameter(4, 1, 100, "nats below the likeliest beyond which there is no candidate")

    def deal(self, context: SearchContext, pace: Pace) -> SearchResult:
        view, points = context.view, context.points
        size = view.rules.size
        policy = read_policy(deployed.board(size).policy)
        seen = policy_input(view, presume_refused(view))
        odds: Ints = log_odds(seen, *policy.parts, policy.shape[2], size)[points]
        likely = np.flatnonzero(odds >= odds.max() - self.near * POLICY_ONE)
        found = super().deal(context._replace(points=points[likely]), pace)
        stats = Statistics(len(points), size * size)
        stats.counts[:, likely] = found.stats.counts
        stats.amaf_counts[:] = found.stats.amaf_counts
        return SearchResult(int(likely[found.best]), stats)
