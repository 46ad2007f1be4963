"""Learners against an opponent who draws options, game by game against an oracle."""

import numpy as np

from bots.kernels.ucbt import best_arm
from bots.worlds import signed
from phantomgo.papers.kernels.adapting import DRAWS, cumulative, learn
from phantomgo.rng import GAMMA, Stream


def naive_arms(scores, before, after, switch, discount, key, games):
    """The arms of one learner."""
    played, won = np.zeros(len(scores)), np.zeros(len(scores))
    stream, arms = Stream(key), []
    for game in range(games):
        arm = best_arm(played, won, signed(key + (2 * game + 1) * GAMMA))
        _, drawn = stream.below(DRAWS), stream.below(DRAWS)  # the first number breaks ties
        option, below = -1, 0.0
        while DRAWS * below <= drawn:
            option += 1
            below += (before if game < switch else after)[option]
        played, won = played * discount, won * discount
        played[arm] += 1
        won[arm] += scores[arm, option]
        arms.append(arm)
    return arms


def test_learners_play_the_arms_that_ucbt_chooses():
    random = np.random.default_rng(1)
    scores = (random.random((6, 4)) < 0.5).astype(np.float64)
    before, after = np.array([0.5, 0.25, 0.25, 0.0]), np.array([0.0, 0.0, 0.0, 1.0])
    keys = [int(key) for key in random.integers(1 << 63, size=5)]
    sides = cumulative(before), cumulative(after)
    found = learn(scores, *sides, 60, 0.99, np.array(keys), 120)
    for arms, key in zip(found.tolist(), keys, strict=True):
        assert arms == naive_arms(scores, before, after, 60, 0.99, key, 120)


def test_an_option_is_drawn_also_where_probabilities_add_up_to_less_than_one_by_rounding():
    """The kernel read a score of no option, the next one in memory."""
    thirds = np.full(3, 1 / 3)
    thirds[2] = np.nextafter(1 / 3, 0)
    assert thirds.cumsum()[-1] < 1
    assert cumulative(thirds)[-1] == DRAWS
