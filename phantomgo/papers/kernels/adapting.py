"""Online portfolios that learn from known results (phantomgo/papers/bandits.py)."""

import numpy as np
from numpy.typing import NDArray

from bots.kernels.jit import entry
from bots.kernels.stream import GAMMA, below, mix
from bots.kernels.ucbt import best_arm

DRAWS = 1 << 20
"""The resolution of the opponent's cumulative probabilities."""


def cumulative(probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
    """The cumulative probabilities of a distribution in units of 1 / DRAWS; the last is DRAWS."""
    return np.rint(np.cumsum(probabilities) * DRAWS).astype(np.int64)


@entry
def learn(scores, before, after, switch, discount, keys, games):
    """Let learners play UCBT against an opponent; return the arm of each in each game, int64.

    Args:
        scores: shape (K, J): the score of arm i against the opponent's option j, float64.
        before: the `cumulative` probabilities of the opponent's options, shape (J,).
        after: the same from game number `switch` on.
        switch: the number of games after which the opponent changes.
        discount: the weight of a game relative to that of the next one.
        keys: a random stream for each learner, int64.
        games: games of each learner.
    """
    arms = np.empty((len(keys), games), np.int64)
    for learner in range(len(keys)):
        played, won = np.zeros(len(scores)), np.zeros(len(scores))
        state = keys[learner]
        for game in range(games):
            state += GAMMA
            arm = best_arm(played, won, state)
            chances = before if game < switch else after
            state += GAMMA
            option = np.searchsorted(chances, below(mix(state), np.int64(DRAWS)), side="right")
            played *= discount
            won *= discount
            played[arm] += 1
            won[arm] += scores[arm, option]
            arms[learner, game] = arm
    return arms
