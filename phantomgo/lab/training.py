"""Train the net that knows where hidden stones probably stand (bots/stone_odds.py).

Plain supervised learning in PyTorch: stacked 3x3 convolutions, Adam, the eight symmetries, the
log loss over the points that are open. The trained numbers are rounded to the whole numbers that
the players use.
"""

import itertools
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import phantomgo
from bots import nets
from bots.features import PLANES
from bots.kernels.net import VALUE, WEIGHT
from phantomgo.errors import BadText
from phantomgo.lab.positions import Origin, Positions, origins
from phantomgo.lab.progress import Advance

RATE: Final = 2e-3
"""Adam's step; it falls to nothing over the second half."""
POINTS_IN_A_BATCH: Final = 20_000
HELD_OUT: Final = 10
"""One game in so many is not trained on, but measured."""
OPEN: Final = PLANES.index("open")

Tensors = tuple[Tensor, Tensor]
"""The planes and the stones of `Positions`."""


class Net(nn.Module):
    """Log odds of a stone on every point: shape (positions, size, size)."""

    def __init__(self, shape: Sequence[int]) -> None:
        super().__init__()
        channels = [len(PLANES), *shape]
        self.layers = nn.ModuleList(
            nn.Conv2d(a, b, 3, padding=1) for a, b in itertools.pairwise(channels)
        )
        self.last = nn.Conv2d(channels[-1], 1, 1)

    def forward(self, planes: Tensor) -> Tensor:
        values = planes / VALUE
        for layer in self.layers:
            values = functional.relu(layer(values))
        odds: Tensor = self.last(values)[:, 0]
        return odds

    def rounded(self) -> list[list[list[int]]]:
        """Its numbers as the file of a net has them."""
        layers = []
        for layer in (*self.layers, self.last):
            weights = (layer.weight.detach() * WEIGHT).round().flatten(1)
            biases = (layer.bias.detach() * WEIGHT * VALUE).round()[:, None]
            layers.append(torch.cat([weights, biases], 1).to(torch.int64).tolist())
        return layers


def train(
    name: str,
    games: Sequence[tuple[Origin, Positions]],
    shape: Sequence[int],
    steps: int,
    advance: Advance,
) -> nets.Net:
    """Train a net on the positions of games.

    Args:
        name: what to call it.
        games: positions, game by game; one game in `HELD_OUT` is not trained on, but measured.
        shape: the channels of its layers.
        steps: of Adam.
        advance: told of each step.

    Raises:
        BadText: there are too few games to hold one out.
        BadNet: the weights have become too large.
    """
    if len(games) < HELD_OUT:
        raise BadText(f"{len(games)} games are too few; at least {HELD_OUT} are needed")
    seen = [positions for _, positions in games]
    held = _by_size(seen[HELD_OUT - 1 :: HELD_OUT])
    learned = _by_size([game for i, game in enumerate(seen, 1) if i % HELD_OUT])
    torch.manual_seed(1)
    net, random = Net(shape), np.random.default_rng(1)
    adam = torch.optim.Adam(net.parameters(), RATE, weight_decay=1e-6)
    sizes = list(learned)
    share = np.array([learned[size][1].numel() for size in sizes], float)
    for step in range(steps):
        for group in adam.param_groups:
            group["lr"] = RATE * min(1, 2 * (1 - step / steps))
        size = sizes[random.choice(len(sizes), p=share / share.sum())]
        loss = _loss(net, *_batch(learned[size], random))
        adam.zero_grad()
        loss.backward()
        adam.step()
        advance(1)
    measured = {f"{size}x{size}": _measure(net, data) for size, data in held.items()}
    learned_from = {
        "games": origins(game for game, _ in games),
        "steps": steps,
        "phantomgo": phantomgo.__version__,
    }
    return nets.Net.of(name, net.rounded(), learned_from, measured)


def _by_size(games: Sequence[Positions]) -> dict[int, Tensors]:
    parts: dict[int, list[Positions]] = {}
    for game in games:
        parts.setdefault(game.stones.shape[1], []).append(game)
    return {
        size: (
            torch.from_numpy(np.concatenate([game.planes for game in alike])),
            torch.from_numpy(np.concatenate([game.stones for game in alike])),
        )
        for size, alike in parts.items()
    }


def _batch(data: Tensors, random: np.random.Generator) -> Tensors:
    """Positions drawn at random, under one of the eight symmetries."""
    planes, stones = data
    size = stones.shape[1]
    chosen = torch.from_numpy(random.integers(len(stones), size=POINTS_IN_A_BATCH // size**2))
    planes, stones = planes[chosen].float(), stones[chosen].float()
    turns, mirrored = int(random.integers(4)), bool(random.integers(2))
    planes, stones = planes.rot90(turns, (2, 3)), stones.rot90(turns, (1, 2))
    return (planes.flip(3), stones.flip(2)) if mirrored else (planes, stones)


def _loss(net: Net, planes: Tensor, stones: Tensor) -> Tensor:
    """The mean log loss of an open point."""
    return _mean(functional.binary_cross_entropy_with_logits, net(planes), planes, stones)


def _mean(loss: Any, guess: Tensor, planes: Tensor, stones: Tensor) -> Tensor:
    is_open = planes[:, OPEN] / VALUE
    total: Tensor = (loss(guess, stones, reduction="none") * is_open).sum() / is_open.sum()
    return total


def _measure(net: Net, data: Tensors) -> dict[str, float]:
    """The log loss of the net, and of an even spread of the hidden stones."""
    planes, stones = (part.float() for part in data)
    density = (planes[:, PLANES.index("density")] / VALUE).clamp(1e-3, 1 - 1e-3)
    with torch.no_grad():
        even = _mean(functional.binary_cross_entropy, density, planes, stones)
        odds = torch.cat([net(part) for part in planes.split(1000)])
        learned = _mean(functional.binary_cross_entropy_with_logits, odds, planes, stones)
    return {"even": round(float(even), 4), "net": round(float(learned), 4)}
