"""Calibrated win probabilities: how often positions with a given share of won playouts were won.

Playouts are overconfident, and more so later in the game: the decisive stones are hidden from the
player, and random moves don't find them. A calibration curve learned from whole games
(docs/notes/winning-chance.md) gives the win probability for each share. No attempt depends on it.

The curve is logistic with three parameters, as in Platt scaling (Probabilistic outputs for support
vector machines, 1999), with the turn as a second input.
"""

import json
import math
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from phantomgo.game.points import grid
from phantomgo.game.view import View

LATEST = 2.0
"""Own moves per quarter of the board's points, from which on the turn makes no difference."""
SEEN = "seen"
"""The curve of playouts from the full board, which no bot sees (`bots.worlds.seen_share`)."""


class Curve(NamedTuple):
    """The log odds of winning are constant + share * log odds of the share + turn * `stage`."""

    constant: float
    share: float
    turn: float

    def at(self, share: float, stage: float) -> float:
        """The calibrated win probability for a share strictly between 0 and 1."""
        odds = self.constant + self.share * math.log(share / (1 - share)) + self.turn * stage
        return 1 / (1 + math.exp(-odds))


def calibrated(kind: str, share: float, visits: int, view: View) -> float:
    """The calibrated win probability in a view, from its best candidate's share of won playouts.

    `kind` is the bot's, or SEEN. For a bot without a curve it is the share itself.
    """
    curve = curves().get(kind)
    if curve is None:
        return share
    smoothed = (share * visits + 0.5) / (visits + 1)  # half a win and half a loss: it has log odds
    stage = min(4 * view.turn / grid(view.rules.size).points, LATEST)
    return curve.at(smoothed, stage)


@cache
def curves() -> Mapping[str, Curve]:
    """The curves in curves.json, by kind of bot."""
    read = json.loads(files("bots").joinpath("curves.json").read_text())
    return {kind: Curve(**curve) for kind, curve in read["curves"].items()}
