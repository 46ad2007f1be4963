"""The policy's likeliest attempts played out by the policy: tried in docs/notes/policy.md.

PYTHONPATH=docs/notes phantomgo match --black rollouts:Rollouts:games=96 ...

A particle filter keeps games that agree with everything the player was told, the opponent's
attempts drawn from the policy in the opponent's views. From each of them every candidate is played
out, both sides by the policy in their own views, so nobody sees a hidden stone.
"""

import copy
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray

from bots.belief import presume_refused
from bots.bot import Bot, decimal, parameter
from bots.policy import PolicyBot, policy_input
from phantomgo.game.messages import Accepted, Refused
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, PASS
from phantomgo.game.view import View
from phantomgo.lab.lockstep.kernels.layout import LOGGED
from phantomgo.lab.policy.net import evaluate
from phantomgo.lab.vector import ROOM, Games

TRIES, FEW = 10, 0.25
"""The opponent's attempts are drawn up to this often, until this share of the games agrees."""
CANDIDATES, LEAST = 3, 0.1
"""The largest number of attempts that are tried, and the least probability of each, relative to the
likeliest.
"""
KEPT = 100
_kept: dict[tuple[Any, ...], Games] = {}
"""The games that agreed with the latest views, by player and messages."""


@dataclass(frozen=True)
class Rollouts(Bot):
    """`policy` on 5x5 with playouts of its likeliest attempts."""

    kind: ClassVar[str] = "rollouts"
    probe: ClassVar[dict[str, int]] = {"games": 2}
    games: int = parameter(96, 1, 10_000, "number of games")
    followed: float = decimal(2.0, 100, "temperature of the opponent's attempts in them")
    played: float = decimal(0.3, 100, "temperature of both sides in playouts")
    prior: float = decimal(0.15, 100, "weight of a nat, where a won game is worth 1, a lost one -1")

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        random = np.random.default_rng([self.seed, len(view.events)])
        kept = self._agreeing(view, random)
        if kept is None:
            return PolicyBot(self.game, self.seed, net="policy5").decide(view)
        _kept[self, view.colour, tuple(view.events)] = kept
        if len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
        logs = said(taken(kept, np.arange(1)))[0]  # as in every other of them
        tried = np.argsort(-logs)[:CANDIDATES]
        tried = tried[logs[tried] >= logs[tried[0]] + math.log(LEAST)]
        worth = logs[tried] * self.prior
        if len(tried) > 1:
            worth += [self._played_out(kept, action, random) for action in tried]
        action = int(tried[worth.argmax()])
        return Decision(PASS if action == view.rules.size**2 else action)

    def _agreeing(self, view: View, random: np.random.Generator) -> Games | None:
        """Games that agree with a view; None if none is found."""
        me, last = int(view.colour is not BLACK), view.rules.size**2
        seen = policy_input(view, presume_refused(view))
        answers = [
            n for n, event in enumerate(view.events) if isinstance(event, Accepted | Refused)
        ]
        games = Games(view.rules, self.games)
        if answers:
            before = _kept.get((self, view.colour, view.events[: answers[-1]]))
            answer = view.events[answers[-1]]
            if before is None or not isinstance(answer, Accepted | Refused):
                return None
            games = taken(before, np.arange(self.games))
            games.step(np.full(self.games, answer.move if answer.move >= 0 else last))
            accepted = isinstance(answer, Accepted)
            games = taken(games, np.flatnonzero((games.to_move != me) == accepted))
        found: list[Games] = []
        total = 0
        for _ in range(TRIES):
            if len(games) and total < FEW * self.games:
                drawn = taken(games, random.integers(len(games.over), size=self.games))
                play_on(drawn, self.followed, random, until=me)
                agree = (drawn.see()[0] == seen).all((1, 2)) & ~drawn.over
                found.append(taken(drawn, np.flatnonzero(agree)))
                total += int(agree.sum())
        return joined(found, random.integers(total, size=self.games)) if total else None

    def _played_out(self, kept: Games, action: int, random: np.random.Generator) -> float:
        """The mean result of an attempt, from -1 to 1."""
        me = int(kept.to_move[0])
        games = taken(kept, np.arange(self.games))
        games.step(np.full(self.games, action))
        play_on(games, self.played, random)
        return float(games.returns[:, me].mean())


def taken(games: Games, which: NDArray[np.int64]) -> Games:
    """Copies of some games, without their attempts until now."""
    found = copy.copy(games)
    found._words, found._sets = games._words[which], games._sets[which]
    found._words[:, LOGGED] = 0
    found._log = np.zeros((len(which), ROOM), np.int16)
    return found


def joined(parts: list[Games], which: NDArray[np.int64]) -> Games:
    """Copies of some games of several lots."""
    found = copy.copy(parts[0])
    found._words = np.concatenate([part._words for part in parts])[which]
    found._sets = np.concatenate([part._sets for part in parts])[which]
    return found


def play_on(games: Games, temperature: float, random: np.random.Generator, until: int = -1) -> None:
    """Have the policy play games until they are over, or until this side is to move."""
    while len(going := np.flatnonzero(~games.over & (games.to_move != until))):
        some = taken(games, going)
        logs = said(some)
        some.step((logs / temperature + random.gumbel(size=logs.shape)).argmax(1))
        games._words[going], games._sets[going] = some._words, some._sets


def said(games: Games) -> NDArray[np.float32]:
    """The log probabilities that the policy gives the attempts of each game."""
    seen, masks = map(torch.from_numpy, games.see())
    with torch.inference_mode():
        found: NDArray[np.float32] = evaluate(weights(), seen, masks)[0].numpy()
    return found


@cache
def weights() -> dict[str, Any]:
    """Those of `policy5`."""
    file = Path(__file__).parent / "stores" / "policy5.pt"
    state = torch.load(file, weights_only=True)["average"]
    return {key: weight.float() for key, weight in state.items()}
