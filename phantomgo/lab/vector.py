"""Many games of Phantom Go, stepped at once from arrays, for a policy that learns.

The games are the lock step's (lockstep/kernels/referee.py); tests compare them with the referee.
Every attempt is made by whoever is to move in its game, who sees what a policy sees.
"""

import numpy as np
from numpy.typing import NDArray

from bots.policies import POLICY_PLANES
from phantomgo.game.rules import Rules
from phantomgo.lab.lockstep.batch import rules_array, set_rows
from phantomgo.lab.lockstep.kernels.layout import ENDING, MARGIN, TO_MOVE, WINNER, WORDS
from phantomgo.lab.lockstep.kernels.vector import begin_all, observe_all, step_all


class Games:
    """A number of games under the same rules; an ended game waits until it is begun again."""

    def __init__(self, rules: Rules, number: int) -> None:
        self.rules = rules
        self._rules = rules_array(rules)
        self._words = np.zeros((number, WORDS), np.int64)
        self._sets = np.zeros((number, set_rows(rules)), np.uint32)
        self.begin(np.ones(number, np.bool_))

    def begin(self, which: NDArray[np.bool_]) -> None:
        """Begin these games again."""
        begin_all(self._words, self._sets, self._rules, self.rules.size, which)

    def step(self, actions: NDArray[np.int64]) -> None:
        """Make one attempt in every unfinished game: a point, or the number of points to pass."""
        step_all(self._words, self._sets, self._rules, self.rules.size, actions)

    @property
    def to_move(self) -> NDArray[np.int64]:
        """0 for Black, 1 for White."""
        return self._words[:, TO_MOVE].copy()

    @property
    def over(self) -> NDArray[np.bool_]:
        """True for games that have ended."""
        return self._words[:, ENDING] > 0

    @property
    def rewards(self) -> NDArray[np.float64]:
        """Black's: 1 for a won game, -1 for a lost one, 0 for a draw and until the end."""
        won = np.sign(self._words[:, MARGIN] - self.rules.komi)
        winner = self._words[:, WINNER]
        return np.where(self.over, np.where(winner >= 0, 1.0 - 2 * winner, won), 0.0)

    def observe(self) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
        """The planes that whoever is to move sees, and True for each action worth an attempt.

        Returns:
            Shape (games, channels, points), in units of 1 / ONE, and shape (games, points + 1);
            nothing is worth an attempt in ended games.
        """
        number, points = len(self._words), self.rules.size**2
        planes = np.empty((number, len(POLICY_PLANES), points), np.uint8)
        masks = np.zeros((number, points + 1), np.bool_)
        observe_all(self._words, self._sets, self._rules, self.rules.size, planes, masks)
        return planes, masks
