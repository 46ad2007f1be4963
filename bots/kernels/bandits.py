"""An online portfolio against opponents from a matrix, game after game."""

import numpy as np

from bots.kernels.jit import entry
from bots.kernels.stream import GAMMA, mix
from bots.kernels.ucbt import best_arm

UNIT = 2.0**-53


@entry
def learn(won, chances, rates, keys, switch, discount, lost, squares, last):
    """Learners against opponents who draw a column of a matrix for each game and may change once.

    Learner r meets the opponents of scenario r modulo their number. A game adds the probability of
    losing it with the arm played, rather than a drawn result, which removes that variance.

    Args:
        won: shape (K, J): 1 where arm i beats column j, uint8.
        chances: shape (S, 2, J): for each scenario, before and after the change, the cumulative
            probabilities of the columns, float64.
        rates: shape (S, 2, K): how often each arm wins then, float64.
        keys: a random stream for each learner, int64.
        switch: after how many games the opponents change.
        discount: the factor by which each new game reduces the weight of older ones.
        lost: shape (T,): output: the probabilities of losing each game, summed over the learners.
        squares: output: likewise, of their squares.
        last: output: for each learner, the game after which it lost no more, int64.
    """
    arms, columns = won.shape
    for r in range(len(keys)):
        key, scenario = keys[r], r % len(chances)
        played, gained = np.zeros(arms), np.zeros(arms)
        for t in range(len(lost)):
            stage = 1 if t >= switch else 0
            key += GAMMA
            arm = best_arm(played, gained, mix(key))
            losing = 1.0 - rates[scenario, stage, arm]
            lost[t] += losing
            squares[t] += losing * losing
            if losing > 1e-9:
                last[r] = t + 1
            key += GAMMA
            # The high 53 bits of a number without sign.
            number = ((mix(key) >> 11) & ((1 << 53) - 1)) * UNIT
            column = min(np.searchsorted(chances[scenario, stage], number, "right"), columns - 1)
            if discount < 1:
                for i in range(arms):
                    played[i] *= discount
                    gained[i] *= discount
            played[arm] += 1
            gained[arm] += won[arm, column]
