"""Phantom Go on 5x5 for Gymnasium: many games against one opponent."""

import gymnasium as gym
import numpy as np
from gymnasium.vector.utils import batch_space

import phantomgo as pg
from bots.kernels.net import ONE


class PhantomGo(gym.vector.VectorEnv):
    """Games in which the agent attempts; in every other one as Black.

    The opponent is a spec, or a function of planes and legal actions that returns actions. A game
    that ends begins again in the same step. `info["legal"]` is bool, of shape (n, actions).
    """

    metadata = {"autoreset_mode": gym.vector.AutoresetMode.SAME_STEP}

    def __init__(self, number, opponent="random", size=5, komi=2.5):
        self.games = pg.Games(pg.Rules(size=size, komi=komi), number)
        self.num_envs, self.opponent = number, opponent
        self.single_observation_space = gym.spaces.Box(0, 2, (15, size, size), np.float32)
        self.single_action_space = gym.spaces.Discrete(size**2 + 1)
        self.observation_space = batch_space(self.single_observation_space, number)
        self.action_space = batch_space(self.single_action_space, number)
        self.agent = np.arange(number) % 2

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seeds = self.np_random.integers(2**62, size=self.num_envs)
        self.games.begin()
        self._answer(np.zeros(self.num_envs))
        return self._seen()

    def step(self, actions):
        rewards = self._attempt(np.asarray(actions), ~self.games.over)
        self._answer(rewards)
        terminated = self.games.over
        self.seeds[terminated] = self.np_random.integers(2**62, size=terminated.sum())
        self.games.begin(terminated)
        self._answer(np.zeros(self.num_envs))
        planes, info = self._seen()
        return planes, rewards, terminated, np.zeros_like(terminated), info

    def _seen(self):
        planes, worth = self.games.see()
        planes = planes.reshape(self.observation_space.shape) / np.float32(ONE)
        return planes, {"legal": worth}

    def _attempt(self, actions, which):
        rewards = self.games.step(actions, which).rewards
        return rewards[np.arange(self.num_envs), self.agent]

    def _answer(self, rewards):
        """Let the opponent attempt until it is the agent's turn in every game."""
        while (theirs := ~self.games.over & (self.games.to_move != self.agent)).any():
            if callable(self.opponent):
                actions = np.zeros(self.num_envs, np.int64)
                planes, info = self._seen()
                actions[theirs] = self.opponent(planes[theirs], info["legal"][theirs])
            else:
                actions = self.games.play(self.opponent, theirs, self.seeds)
            rewards += self._attempt(actions, theirs)
