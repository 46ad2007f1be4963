"""The policy that ppo.py has learned as a bot: `ppo_bot:Learned` is its spec."""

import hashlib
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from ppo import Net, player

import phantomgo as pg
from bots.belief import presume_refused
from bots.kernels.net import ONE
from bots.policy import policy_input

FILE = Path(__file__).with_name("ppo.pt")


@cache
def policy():
    net = Net()
    net.load_state_dict(torch.load(FILE))
    return player(net, greedy=True)


@dataclass(frozen=True)
class Learned(pg.Bot):
    """Plays on 5x5 what the policy in ppo.pt finds likeliest."""

    def decide(self, view, seconds=math.inf):
        planes = policy_input(view, presume_refused(view)).reshape(1, 15, 5, 5) / np.float32(ONE)
        legal = np.zeros((1, 26), bool)
        legal[0, [*pg.members(pg.candidates(view)), 25]] = True
        (action,) = policy()(planes.astype(np.float32), legal).tolist()
        return pg.Decision(pg.PASS if action == 25 else action)

    def data(self):
        return {"ppo.pt": hashlib.sha256(FILE.read_bytes()).hexdigest()[:16]}
