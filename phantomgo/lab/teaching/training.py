"""Train nets: the belief net, which predicts hidden stones, and the judge of candidates.

Plain supervised learning in PyTorch, on a GPU where there is one: stacked 3x3 convolutions, Adam,
the eight symmetries. The trained weights are rounded to the whole numbers that the players use.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple, Self

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bots import nets
from bots.features import JUDGED, PLANES, SEEN
from bots.kernels.judge import SCALE
from bots.kernels.net import TOP, VALUE, WEIGHT
from phantomgo.errors import BadText
from phantomgo.lab.run.progress import Advance
from phantomgo.lab.teaching.lessons import NOT_ASKED, UNIT
from phantomgo.lab.teaching.positions import GamePositions, Positions, origins
from phantomgo.version import __version__

RATE: Final = 2e-3
"""Adam's learning rate; it falls to zero over the second half."""
GENTLE: Final = RATE / 4
"""The same when a net is fine-tuned."""
POINTS_IN_A_BATCH: Final = 20_000
HELD_OUT: Final = 10
"""One game in this many is held out."""
OPEN: Final = PLANES.index("open")

Tensors = tuple[Tensor, Tensor]
"""The planes and the truth of `Positions`."""


class Subject(NamedTuple):
    """A subject: the target of a net.

    Attributes:
        planes: the net's inputs.
        loss: the loss of the net's output, given the planes and the truth.
        without: the loss of a prediction without a net, given the planes and the truth.
    """

    planes: tuple[str, ...]
    loss: Callable[[Tensor, Tensor, Tensor], Tensor]
    without: Callable[[Tensor, Tensor], Tensor]


def log_loss(said: Tensor, planes: Tensor, stones: Tensor) -> Tensor:
    """The mean log loss of an open point; the output are log odds."""
    losses = functional.binary_cross_entropy_with_logits(said, stones, reduction="none")
    return _mean(losses, planes[:, OPEN] / VALUE)


def even_log_loss(planes: Tensor, stones: Tensor) -> Tensor:
    """The log loss if hidden stones are taken to be spread evenly."""
    density = (planes[:, PLANES.index("density")] / VALUE).clamp(1e-3, 1 - 1e-3)
    return log_loss(density.logit(), planes, stones)


def squared_error(said: Tensor, planes: Tensor, better: Tensor) -> Tensor:
    """The mean squared error of a legal candidate's value; the output is scaled (SCALE)."""
    del planes
    return _mean((said / SCALE - better / UNIT) ** 2, (better != NOT_ASKED).float())


def equal_error(planes: Tensor, better: Tensor) -> Tensor:
    """The squared error if all candidates are taken to be equal."""
    return squared_error(torch.zeros_like(better), planes, better)


def _mean(losses: Tensor, weights: Tensor) -> Tensor:
    return (losses * weights).sum() / weights.sum()


SUBJECTS: Final[Mapping[str, Subject]] = MappingProxyType(
    {
        "stones": Subject(SEEN, log_loss, even_log_loss),
        "judge": Subject(JUDGED, squared_error, equal_error),
    }
)


class Stack(nn.Module):
    """3x3 convolutions and a weighted sum: a number per point, shape (positions, size, size)."""

    def __init__(self, seen: int, shape: Sequence[int]) -> None:
        super().__init__()
        channels = [seen, *shape]
        self.layers = nn.ModuleList(
            nn.Conv2d(a, b, 3, padding=1) for a, b in itertools.pairwise(channels)
        )
        self.last = nn.Conv2d(channels[-1], 1, 1)

    def forward(self, planes: Tensor) -> Tensor:
        values = (planes / VALUE).contiguous(memory_format=torch.channels_last)
        for layer in self.layers:
            values = layer(values).clamp(0, TOP / VALUE)  # as the kernel cuts them off
        said: Tensor = self.last(values)[:, 0]
        return said

    @classmethod
    def of(cls, net: nets.Net) -> Self:
        """The stack with the weights of a net."""
        stack = cls(len(net.planes), net.channels[1:].tolist())
        for layer, numbers in zip((*stack.layers, stack.last), net.layers, strict=True):
            values = torch.tensor(numbers, dtype=torch.float32) / WEIGHT
            layer.weight.data = values[:, :-1].reshape(layer.weight.shape)
            layer.bias.data = values[:, -1] / VALUE
        return stack

    def rounded(self) -> list[list[list[int]]]:
        """Its weights as the file of a net holds them."""
        layers = []
        for layer in (*self.layers, self.last):
            weights = (layer.weight.detach() * WEIGHT).round().flatten(1)
            biases = (layer.bias.detach() * WEIGHT * VALUE).round()[:, None]
            layers.append(torch.cat([weights, biases], 1).to(torch.int64).tolist())
        return layers


def train(
    name: str,
    taught: str,
    games: Sequence[GamePositions],
    begin: Sequence[int] | nets.Net,
    steps: int,
    advance: Advance,
) -> nets.Net:
    """Train a net on the positions of games.

    Args:
        name: the net's name.
        taught: the subject, one of `SUBJECTS`.
        games: positions, game by game; one game in `HELD_OUT` is held out and measured.
        begin: the channels of its layers; or a net of the same subject to fine-tune.
        steps: steps of Adam.
        advance: called after each step.

    Raises:
        BadText: there are too few games to hold one out, or the net has other inputs.
        BadNet: the weights have become too large.
    """
    if len(games) < HELD_OUT:
        raise BadText(f"{len(games)} games are too few; at least {HELD_OUT} are needed")
    subject = SUBJECTS[taught]
    torch.manual_seed(1)
    if not isinstance(begin, nets.Net):
        rate, stack, before = RATE, Stack(len(subject.planes), begin), {}
    else:
        check(begin, taught)
        rate, stack, before = GENTLE, Stack.of(begin), {"began_as": begin.digest}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    stack = stack.to(device)
    seen = [positions for _, positions in games]
    held = _by_size(seen[HELD_OUT - 1 :: HELD_OUT])
    learned = _by_size([game for i, game in enumerate(seen, 1) if i % HELD_OUT])
    random = np.random.default_rng(1)
    adam = torch.optim.Adam(stack.parameters(), rate, weight_decay=1e-6)
    sizes = list(learned)
    share = np.array([learned[size][1].numel() for size in sizes], float)
    for step in range(steps):
        for group in adam.param_groups:
            group["lr"] = rate * min(1, 2 * (1 - step / steps))
        size = sizes[random.choice(len(sizes), p=share / share.sum())]
        planes, truth = (part.to(device) for part in _batch(learned[size], random))
        loss = subject.loss(stack(planes), planes, truth)
        adam.zero_grad()
        loss.backward()
        adam.step()
        advance(1)
    learned_from = {
        "games": origins(game for game, _ in games),
        "steps": steps,
        **before,
        "phantomgo": __version__,
    }
    measured = {f"{size}x{size}": _measure(stack, subject, data) for size, data in held.items()}
    return nets.Net.of(name, stack.rounded(), learned_from, measured, subject.planes)


def check(net: nets.Net, taught: str) -> None:
    """Check that a net can be fine-tuned.

    Raises:
        BadText: its input is not that of a new net.
    """
    if net.planes != SUBJECTS[taught].planes:
        raise BadText(f"net {net.name} cannot be fine-tuned: its input is not that of a new net")


def _by_size(games: Sequence[Positions]) -> dict[int, Tensors]:
    parts: dict[int, list[Positions]] = {}
    for game in games:
        parts.setdefault(game.truth.shape[1], []).append(game)
    return {
        size: (
            torch.from_numpy(np.concatenate([game.planes for game in alike])),
            torch.from_numpy(np.concatenate([game.truth for game in alike])),
        )
        for size, alike in parts.items()
    }


def _batch(data: Tensors, random: np.random.Generator) -> Tensors:
    """Positions drawn at random, under one of the eight symmetries."""
    planes, truth = data
    size = truth.shape[1]
    chosen = torch.from_numpy(random.integers(len(truth), size=POINTS_IN_A_BATCH // size**2))
    planes, truth = planes[chosen].float(), truth[chosen].float()
    turns, mirrored = int(random.integers(4)), bool(random.integers(2))
    planes, truth = planes.rot90(turns, (2, 3)), truth.rot90(turns, (1, 2))
    return (planes.flip(3), truth.flip(2)) if mirrored else (planes, truth)


def _measure(stack: Stack, subject: Subject, data: Tensors) -> dict[str, float]:
    """The losses of the net, and of a prediction without it."""
    planes, truth = (part.float() for part in data)
    device = stack.last.weight.device
    with torch.no_grad():
        said = torch.cat([stack(part.to(device)).cpu() for part in torch.split(planes, 1000)])
        losses = {"even": subject.without(planes, truth), "net": subject.loss(said, planes, truth)}
    return {key: float(f"{float(loss):.3g}") for key, loss in losses.items()}
