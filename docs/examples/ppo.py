"""A policy for 5x5 learned by PPO against its own past, and measured against bots.

python ppo.py [--seconds 600] [--games 200] [--seed 1] [--out ppo.pt]
"""

import argparse
import copy
import time

import numpy as np
import torch
from gym_env import PhantomGo
from torch import nn

ENVS, STEPS, BATCH, EPOCHS = 512, 32, 2048, 3
GAMMA, LAMBDA, CLIP, ENTROPY = 1.0, 0.95, 0.2, 0.01
OLD = 20  # updates between two opponents


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Flatten(), nn.Linear(15 * 25, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU()
        )
        self.policy, self.value = nn.Linear(128, 26), nn.Linear(128, 1)

    def forward(self, planes, legal):
        seen = self.body(planes)
        logits = self.policy(seen).masked_fill(~legal, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(seen)[:, 0]


def player(net, greedy=False):
    """A function of planes and legal actions that returns the actions of the net."""

    @torch.no_grad()
    def act(planes, legal):
        chances, _ = net(torch.from_numpy(planes), torch.from_numpy(legal))
        return (chances.probs.argmax(1) if greedy else chances.sample()).numpy()

    return act


def train(seconds, seed):
    env, net = PhantomGo(ENVS), Net()
    past, optimizer = [], torch.optim.Adam(net.parameters(), 1e-3, eps=1e-5)
    planes, info = env.reset(seed=seed)
    began, update, draw = time.process_time(), 0, np.random.default_rng(seed)
    while (left := 1 - (time.process_time() - began) / seconds) > 0:
        if update % OLD == 0:
            past.append(copy.deepcopy(net))
        recent = past[-1] if draw.random() < 0.5 else past[draw.integers(len(past))]
        env.opponent = player(recent)
        rows, won = [], []
        for _ in range(STEPS):
            seen, legal = torch.from_numpy(planes), torch.from_numpy(info["legal"])
            with torch.no_grad():
                chances, value = net(seen, legal)
                action = chances.sample()
            planes, reward, over, _, info = env.step(action.numpy())
            rows.append((seen, legal, action, chances.log_prob(action), value))
            rows[-1] += (torch.from_numpy(reward), torch.from_numpy(over))
            won += (reward[over] > 0).tolist()
        seen, legal, action, old, value, reward, over = map(torch.stack, zip(*rows, strict=True))
        with torch.no_grad():
            _, following = net(torch.from_numpy(planes), torch.from_numpy(info["legal"]))
        gain, gains = torch.zeros(ENVS), torch.zeros_like(value)
        for step in reversed(range(STEPS)):
            going = ~over[step]
            error = reward[step] + GAMMA * following * going - value[step]
            gain = gains[step] = error + GAMMA * LAMBDA * gain * going
            following = value[step]
        target = gains + value
        data = [each.flatten(0, 1) for each in (seen, legal, action, old, gains, target)]
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * left
        for _ in range(EPOCHS):
            for part in torch.randperm(ENVS * STEPS).split(BATCH):
                seen, legal, action, old, gains, target = (each[part] for each in data)
                chances, value = net(seen, legal)
                ratio = (chances.log_prob(action) - old).exp()
                gains = (gains - gains.mean()) / (gains.std() + 1e-8)
                gained = torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
                loss = 0.5 * (value - target).pow(2).mean() - gained
                optimizer.zero_grad()
                (loss - ENTROPY * chances.entropy().mean()).backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()
        update += 1
        if update % OLD == 0:
            print(f"{update * ENVS * STEPS} attempts, won {np.mean(won):.0%}", flush=True)
    print(f"learned from {update * ENVS * STEPS} attempts")
    return net


def measure(net, opponent, games, seed):
    """The share of games won, half of them as Black."""
    env, act, done = PhantomGo(games, opponent), player(net, greedy=True), {}
    planes, info = env.reset(seed=seed)
    while len(done) < games:
        planes, rewards, over, _, info = env.step(act(planes, info["legal"]))
        for game in np.flatnonzero(over):
            done.setdefault(game, rewards[game] > 0)
    return np.mean(list(done.values()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="ppo.pt")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    net = train(given.seconds, given.seed)
    torch.save(net.state_dict(), given.out)
    for opponent in ("random", "flatmc:playouts=200"):
        won = measure(net, opponent, given.games, given.seed + 1000)
        print(f"against {opponent}: won {won:.1%} of {given.games} games")
