"""The net of a policy while it learns, in PyTorch; bots/kernels/policy.py has it in integers.

It has 3x3 convolutions, all but the first of them residual; the middle one also gets the mean over
the board. The log odds of a point come from its channels; those of a pass, and the value, from the
mean over the board. So one net serves boards of all sizes.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.kernels import policy as kernel
from bots.kernels.net import ONE
from bots.policies import POLICY_PLANES, Policy
from phantomgo.errors import BadNet, MissingExtra

try:
    import torch
    from torch.nn import functional
except ModuleNotFoundError as error:
    raise MissingExtra("training", "torch", "train") from error

Tensor: TypeAlias = Any
Weights: TypeAlias = dict[str, Tensor]
"""The numbers of a net by name."""

CHANNELS: Final = 32
LAYERS: Final = 4
POOLED: Final = 2
"""The layer that also gets the mean over the board."""
HIDDEN: Final = 64
"""Units between the mean over the board and the log odds of a pass and the value."""
SHAPE: Final = (CHANNELS, LAYERS, POOLED, HIDDEN)
NEVER: Final = -1e9
"""The logit of an attempt that is not worth making."""


def new_weights(seed: int) -> Weights:
    """The weights at the beginning of a training."""
    random = np.random.default_rng(seed)

    def drawn(*shape: int, scale: float = 1.0) -> Tensor:
        fan = int(np.prod(shape[1:]))
        return torch.tensor(random.standard_normal(shape) * scale * (2 / fan) ** 0.5).float()

    weights = {}
    for layer in range(LAYERS):
        inputs, scale = (CHANNELS, 0.5) if layer else (len(POLICY_PLANES), 1.0)
        weights[f"convolution{layer}"] = drawn(CHANNELS, inputs, 3, 3, scale=scale)
        weights[f"bias{layer}"] = torch.zeros(CHANNELS)
    weights |= {
        "pool": drawn(CHANNELS, CHANNELS, scale=0.5),
        "point": drawn(1, CHANNELS, scale=0.1),
    }
    weights |= {"hidden": drawn(HIDDEN, CHANNELS), "hidden_bias": torch.zeros(HIDDEN)}
    return weights | {"outcome": drawn(2, HIDDEN, scale=0.1), "outcome_bias": torch.zeros(2)}


def evaluate(weights: Weights, planes: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
    """A net's output for views.

    Args:
        weights: the net.
        planes: its input, as bots.policy.policy_input makes it: (views, channels, points).
        masks: True for the attempts worth making: (views, points + 1).

    Returns:
        The logarithms of the probabilities of all attempts, the pass last, and the values for the
        side to move, from -1 to 1.
    """
    size = int(planes.shape[2] ** 0.5)
    with torch.autocast(
        planes.device.type, torch.bfloat16, enabled=uses_bfloat16(planes.device.type)
    ):
        values = (planes.float() / ONE).reshape(len(planes), -1, size, size)
        # On a CPU the convolutions take half the time if the channels of a point lie side by side.
        values = values.contiguous(memory_format=torch.channels_last)
        for layer in range(LAYERS):
            bias = weights[f"bias{layer}"]
            found = functional.conv2d(values, weights[f"convolution{layer}"], bias, padding=1)
            if layer == POOLED:
                found = found + (values.mean((2, 3)) @ weights["pool"].T)[:, :, None, None]
            found = functional.relu(found, inplace=True)
            values = found if layer == 0 else values + found
    values = values.float()
    points = (values.permute(0, 2, 3, 1) @ weights["point"][0]).flatten(1)
    mean = values.mean((2, 3))
    hidden = functional.relu(functional.linear(mean, weights["hidden"], weights["hidden_bias"]))
    outcome = functional.linear(hidden, weights["outcome"], weights["outcome_bias"])
    logits = torch.cat([points, outcome[:, :1]], 1)
    logits = torch.where(masks, logits, NEVER)
    return functional.log_softmax(logits, 1), torch.tanh(outcome[:, 1])


def gumbel_noise(logs: Tensor) -> Tensor:
    """Gumbel's noise: the likeliest of log p + t noise is drawn by p to the power of 1 / t."""
    return torch.rand_like(logs).log_().neg_().log_().neg_()


def weights_of(policy: Policy) -> Weights:
    """The weights of a policy, which are stored as whole numbers.

    Raises:
        BadNet: it has another shape than the nets that are trained here.
    """
    if policy.shape != SHAPE:
        raise BadNet(f"policy {policy.name} has shape {policy.shape}, not {SHAPE}")
    first, first_bias, others, biases, pool, point, hidden, outcome = (
        part.astype(np.float64) / kernel.WEIGHT for part in policy.parts
    )

    def convolution(part: NDArray[Any]) -> NDArray[Any]:
        return part.transpose(2, 1, 0).reshape(CHANNELS, -1, 3, 3)

    def bias(part: NDArray[Any]) -> NDArray[Any]:
        return (part - 0.5) / kernel.POLICY_ONE

    layers = [(first[0], first_bias[0]), *zip(others, biases, strict=True)]
    found = {}
    for layer, (weight, added) in enumerate(layers):
        found[f"convolution{layer}"], found[f"bias{layer}"] = convolution(weight), bias(added)
    # The value is not written: it takes no part in play.
    rows = np.stack([outcome[:-1], np.zeros(HIDDEN)])
    found |= {
        "pool": pool.T,
        "point": point[None],
        "hidden": hidden[:, :-1],
        "hidden_bias": bias(hidden[:, -1]),
        "outcome": rows,
        "outcome_bias": np.array([bias(outcome[-1]), 0.0]),
    }
    return {key: torch.tensor(np.ascontiguousarray(value)).float() for key, value in found.items()}


def uses_bfloat16(device: str) -> bool:
    """True if a device multiplies 16-bit floats, which is faster and exact enough."""
    return device != "cpu" or bool(torch.cpu._is_avx512_bf16_supported())


def whole_numbers(weights: Weights) -> tuple[tuple[int, int, int, int], NDArray[np.int32]]:
    """The shape and the numbers of a net as bots.policies stores them."""
    w = {key: weight.detach().cpu().double().numpy() for key, weight in weights.items()}

    def bias(key: str) -> Any:
        # The half rounds, as the kernel rounds its sums down.
        return w[key] * kernel.POLICY_ONE + 0.5

    others = range(1, LAYERS)
    convolutions = [
        w[f"convolution{layer}"].reshape(CHANNELS, -1, 9).transpose(2, 1, 0)
        for layer in range(LAYERS)
    ]
    parts = [
        convolutions[0], bias("bias0"), np.stack([convolutions[n] for n in others]),
        np.stack([bias(f"bias{n}") for n in others]), w["pool"].T, w["point"],
        np.column_stack([w["hidden"], bias("hidden_bias")]),
        np.append(w["outcome"][0], bias("outcome_bias")[0]),
    ]  # fmt: skip
    numbers = np.concatenate([np.rint(part * kernel.WEIGHT).ravel() for part in parts])
    return SHAPE, numbers.astype(np.int32)
