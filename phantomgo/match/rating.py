"""One list of ratings from all games of a match: the Bradley-Terry model, fitted by scipy.

Black is expected to score 1 / (1 + 10 ** (-d / 400)) against White, where d is Black's rating minus
White's plus Black's advantage (Bradley and Terry 1952; Elo's scale). A draw is half a win and half
a loss. Ratings and the advantage maximize the likelihood of all games at once, under a normal prior
of standard deviation 1000 Elo around 0. The prior is too wide to matter for players who have both
won and lost; it keeps ratings finite for those who won or lost every game. The errors are those of
the normal approximation at the maximum (the inverse of the Hessian).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from phantomgo.estimates import Interval, Z
from phantomgo.match.result import MatchGame

FloatArray: TypeAlias = NDArray[np.float64]

SCALE: Final = 400 / math.log(10)
"""Elo in a unit of the log-odds."""
PRIOR: Final = 1000.0
"""The standard deviation of the prior of each rating, in Elo."""


@dataclass(frozen=True)
class Ratings:
    """The ratings of players; the mean of those who have played is 0.

    Attributes:
        elo: of each player, in Elo; shape (players,). NaN for those who have not played.
        covariance: of the ratings, in Elo squared; shape (players, players).
        advantage: of Black, in Elo.
    """

    elo: FloatArray
    covariance: FloatArray
    advantage: Interval

    def error(self, player: int) -> float:
        """Half the width of the 95 % confidence interval of a rating."""
        return Z * math.sqrt(float(self.covariance[player, player]))

    def superiority(self, one: int, other: int) -> float:
        """The likelihood of superiority (LOS) of one player over another; NaN if unknown."""
        difference = float(self.elo[one] - self.elo[other])
        shared = self.covariance
        variance = float(shared[one, one] + shared[other, other] - 2 * shared[one, other])
        return 0.5 * math.erfc(-difference / math.sqrt(2 * variance)) if variance > 0 else math.nan

    @property
    def order(self) -> list[int]:
        """The players from the strongest to the weakest, those who have not played last."""
        return sorted(range(len(self.elo)), key=lambda i: (np.isnan(self.elo[i]), -self.elo[i], i))


def rate(games: Sequence[MatchGame], players: int) -> Ratings:
    """The ratings of this many players."""
    played = sorted({player for game in games for player in (game.black, game.white)})
    elo, covariance = np.full(players, np.nan), np.full((players, players), np.nan)
    if not games:
        return Ratings(elo, covariance, Interval(math.nan, -math.inf, math.inf))
    index = {player: i for i, player in enumerate(played)}
    black = np.array([index[game.black] for game in games])
    white = np.array([index[game.white] for game in games])
    scores = np.array([game.black_score for game in games])
    found, hessian = _fitted(black, white, scores, len(played))
    inverse = np.linalg.inv(hessian)
    ratings = found[:-1]
    centred = np.eye(len(played)) - 1 / len(played)
    elo[played] = SCALE * (ratings - ratings.mean())
    inner = SCALE**2 * centred @ inverse[:-1, :-1] @ centred
    covariance[np.ix_(played, played)] = inner
    value, error = SCALE * float(found[-1]), Z * SCALE * math.sqrt(inverse[-1, -1])
    return Ratings(elo, covariance, Interval(value, value - error, value + error))


def _fitted(
    black: FloatArray, white: FloatArray, scores: FloatArray, players: int
) -> tuple[FloatArray, FloatArray]:
    """The most likely ratings, with Black's advantage last, and the Hessian there.

    In units of the log-odds.
    """
    from scipy.optimize import minimize  # noqa: PLC0415  (a third of a second)

    # Each pairing of a Black and a White player once, with its games and their points.
    pairings, which = np.unique(np.stack([black, white]), axis=1, return_inverse=True)
    which = which.reshape(-1)
    count = np.bincount(which).astype(float)
    points = np.bincount(which, scores)
    design = np.zeros((len(count), players + 1))
    rows = np.arange(len(count))
    design[rows, pairings[0]], design[rows, pairings[1]], design[:, -1] = 1, -1, 1
    precision = (SCALE / PRIOR) ** 2

    def loss(x: FloatArray) -> float:
        odds = design @ x
        # -log likelihood: log(1 + exp(odds)) for each game, minus odds for each point
        return float(count @ np.logaddexp(0, odds) - points @ odds + precision * x @ x / 2)

    def slope(x: FloatArray) -> FloatArray:
        expected = count / (1 + np.exp(-(design @ x)))
        return np.asarray(design.T @ (expected - points) + precision * x)

    def curvature(x: FloatArray) -> FloatArray:
        chance = 1 / (1 + np.exp(-(design @ x)))
        weights = count * chance * (1 - chance)
        return np.asarray(design.T @ (weights[:, None] * design) + precision * np.eye(len(x)))

    start = np.zeros(players + 1)
    options = {"gtol": 1e-9, "maxiter": 1000}
    found = minimize(
        loss, start, jac=slope, hess=curvature, method="trust-exact", options=options
    ).x
    return found, curvature(found)
