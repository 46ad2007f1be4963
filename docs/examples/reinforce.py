"""A policy for Black that learns against random attempts, by REINFORCE."""

import torch
from torch import nn

import phantomgo as pg

torch.manual_seed(1)
torch.set_num_threads(1)  # more only wait for one another in so small a net
games = pg.Games(pg.Rules(size=5, komi=2.5), 256, autoreset=True)
net = nn.Sequential(nn.Flatten(), nn.Linear(8 * 25, 128), nn.ReLU(), nn.Linear(128, 26))
optimizer = torch.optim.Adam(net.parameters(), lr=0.005)


def log_probabilities(planes, legal):
    return net(planes).masked_fill(~legal, -torch.inf).log_softmax(1)


for update in range(8):
    steps = []
    for _ in range(100):
        planes, legal = map(torch.from_numpy, games.observe())
        black = torch.from_numpy(games.to_move == 0)
        with torch.no_grad():
            chances = torch.where(black[:, None], log_probabilities(planes, legal).exp(), legal)
            actions = chances.multinomial(1)
        answers = games.step(actions[:, 0].numpy())
        over = torch.from_numpy(answers.terminated | answers.truncated)
        steps.append((planes, legal, actions, black, over, torch.from_numpy(answers.rewards[:, 0])))
    planes, legal, actions, black, over, rewards = map(torch.stack, zip(*steps, strict=True))
    results = rewards.clone()  # of the game that each attempt is in; 0 if it does not end
    for step in reversed(range(99)):
        results[step] = torch.where(over[step], rewards[step], results[step + 1])
    said = log_probabilities(planes[black], legal[black]).gather(1, actions[black])[:, 0]
    optimizer.zero_grad()
    (-said * results[black]).mean().backward()
    optimizer.step()
    won = (rewards[over] > 0).float().mean()
    print(f"update {update}: Black won {won:.0%}")
