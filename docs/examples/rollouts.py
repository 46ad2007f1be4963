"""Random attempts in many games at once."""

import numpy as np

import phantomgo as pg

random = np.random.default_rng(seed=1)
games = pg.Games(pg.Rules(size=9, komi=5.5), 256, autoreset=True)
black_won = []
for _ in range(500):
    planes, legal = games.observe()
    actions = (legal * random.random(legal.shape)).argmax(axis=1)
    answers = games.step(actions)
    over = answers.terminated | answers.truncated
    black_won += (answers.rewards[over, 0] > 0).tolist()
print(f"planes {planes.shape}, legal actions {legal.shape}, {answers.refused.mean():.0%} refused")
print(f"Black won {np.mean(black_won):.0%} of {len(black_won)} games")
