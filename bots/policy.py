"""`policy`: a policy network, learned by playing against itself.

It does not search and draws no worlds: a net gives the probability of each attempt, from the view
only. With `temperature=0` it makes the likeliest attempt. With 1 it draws by the learned
probabilities, by its seed, so that its seeds truly differ; above 1, more evenly.
docs/notes/policy.md describes the training.
"""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np

from bots import deployed
from bots.belief import Belief, candidates, presume_refused
from bots.bot import Bot, decimal, source
from bots.features import NET_PLANES, net_input
from bots.kernels.net import FULL_ODDS, ONE, odds_table
from bots.kernels.policy import POLICY_ONE, log_odds
from bots.policies import POLICY_PLANES, Policy, read_policy
from bots.spec import BEST
from bots.worlds import Ints
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, PASS, members
from phantomgo.game.view import View

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class PolicyBot(Bot):
    kind: ClassVar[str] = "policy"
    kernels: ClassVar[tuple[Any, ...]] = (log_odds,)
    net: str = source(
        BEST, "policy", "the policy network, by name or as a file; best: that for the board"
    )
    temperature: float = decimal(0.0, 100, "sampling temperature; 0 plays the most likely attempt")

    @property
    def policy(self) -> Policy:
        """The policy network of its game."""
        size = self.game.rules.size
        return policy_for(deployed.board(size).policy if self.net == BEST else self.net, size)

    def data(self) -> Mapping[str, str]:
        if self.net != BEST:
            return {"net": read_policy(self.net).digest}
        names = dict.fromkeys(board.policy for board in deployed.boards())
        return {f"net {name}": read_policy(name).digest for name in names}

    def warm_up(self) -> None:
        self.decide(View(self.game.rules, BLACK))

    def decide(self, view: View, seconds: float = math.inf) -> Decision:  # noqa: ARG002
        size = view.rules.size
        policy, belief = self.policy, presume_refused(view)
        moves = [*members(candidates(view, belief)), PASS]  # whose odds are the last, at -1
        planes = policy_input(view, belief)
        odds: Ints = log_odds(planes, *policy.parts, policy.shape[2], size)[moves]
        if not self.temperature:
            return Decision(moves[int(odds.argmax())])
        sums = np.cumsum(chances(odds, round(1000 * self.temperature)))
        drawn = self.stream(view).below(int(sums[-1]))
        return Decision(moves[int(np.searchsorted(sums, drawn, "right"))])


@cache
def policy_for(net: str, size: int) -> Policy:
    """The policy network of this name, for a board; if it was learned on another, this is logged
    once.
    """
    policy = read_policy(net)
    learned = policy.learned_from.get("size")
    if learned != size:
        _log.warning("policy %s was learned on a board of size %s, not %d", net, learned, size)
    return policy


def chances(odds: Ints, thousandths: int) -> Ints:
    """Weights in proportion to the odds, at a temperature; odds are in units of 1 / POLICY_ONE."""
    table = odds_table()
    cooler = (odds - odds.max()) * 1000 * ONE // (thousandths * POLICY_ONE)
    likely = table[np.maximum(len(table) - 1 + cooler, 0)]
    weights: Ints = np.maximum(likely * FULL_ODDS // table[-1], 1)
    return weights


def policy_input(view: View, belief: Belief) -> Ints:
    """The input of a policy, as `POLICY_PLANES` says, in units of 1 / ONE; (channels, points)."""
    planes = net_input(view, len(POLICY_PLANES)).astype(np.int64)
    presumed, *rest = range(len(NET_PLANES), len(POLICY_PLANES))
    planes[presumed, list(members(belief.enemy))] = ONE
    lead = view.own.bit_count() - view.enemies - view.rules.lead_to_exceed(view.colour)
    lead = min(max(ONE + ONE * lead // view.rules.size**2, 0), 2 * ONE)
    everywhere = ONE * view.opponent_passed, ONE * (view.colour is BLACK), lead
    planes[rest] = np.reshape(everywhere, (3, 1))
    return planes
