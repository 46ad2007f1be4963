"""Policy networks: learned nets that choose attempts, found by name, each with origin and digest.

A file is one JSON object of at most 1 MiB, read field by field; an error names the field:

- `format`: 1
- `name`: the file's name without `.json`: letters, digits, `_`, `.` and `-`, at most 64
- `digest`: 16 hexadecimal digits of the SHA-256 of `[planes, shape, numbers]` as compact JSON
- `learned_from`: an object for people to read: board, komi, attempts, version
- `planes`: the inputs at each point, those of `POLICY_PLANES`
- `shape`: channels, layers, the layer whose input includes the mean over the board, units after
  the means
- `numbers`: whole numbers, part by part as `_part_shapes` has them (bots/kernels/policy.py)
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from bots.features import NET_PLANES
from phantomgo.errors import BadNet
from phantomgo.fields import Fields, Kind
from phantomgo.files import NAME
from phantomgo.library import Library

POLICY_PLANES: Final = (*NET_PLANES, "presumed", "passed", "black", "lead")
"""The inputs of a policy at each point: those of the nets (bots/features.py); whether an enemy
stone is located or presumed there (bots/belief.py), the opponent has just passed, and the player is
Black; and by how much the own stones exceed the enemy's and komi, per point of the board, 1 being
even.
"""
FORMAT: Final = 1
KIND: Final = Kind("policy", BadNet)
MAX_BYTES: Final = 1 << 20
MAX_CHANNELS: Final = 128
MAX_LAYERS: Final = 16
LIMIT: Final = (1 << 31) - 1
"""The greatest absolute value of a number."""
Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Policy:
    """A policy.

    Attributes:
        name: its file's name without `.json`.
        shape: channels, layers, the layer whose input includes the means, units after the means.
        numbers: all its numbers, in order.
        learned_from: where it is from, for people to read.
        digest: of everything that determines its output.
        parts: its numbers as the kernel takes them.
    """

    name: str
    shape: tuple[int, int, int, int]
    numbers: Numbers
    learned_from: dict[str, Any]
    digest: str = field(init=False)
    parts: tuple[Numbers, ...] = field(init=False)

    def __post_init__(self) -> None:
        text = json.dumps([POLICY_PLANES, self.shape, self.numbers.tolist()], separators=(",", ":"))
        object.__setattr__(self, "digest", hashlib.sha256(text.encode()).hexdigest()[:16])
        shapes = _part_shapes(self.shape)
        ends = np.cumsum([prod(shape) for shape in shapes])[:-1]
        split = zip(np.split(self.numbers, ends), shapes, strict=True)
        object.__setattr__(self, "parts", tuple(part.reshape(shape) for part, shape in split))


def _part_shapes(shape: Sequence[int]) -> list[tuple[int, ...]]:
    """The shapes of the first layer's weights and biases, those of the others, the weights of the
    means and of the points, and the weights of the units and of the pass, with their biases last.
    """
    channels, layers, _, units = shape
    return [
        (1, 9, len(POLICY_PLANES), channels), (1, channels), (layers - 1, 9, channels, channels),
        (layers - 1, channels), (channels, channels), (channels,), (units, channels + 1),
        (units + 1,),
    ]  # fmt: skip


def loads(text: str) -> Policy:
    """A policy from its JSON.

    Raises:
        BadNet: it is damaged or not as the format requires; the message names the field.
    """
    fields = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    name = fields.text("name", NAME)
    stated = fields.text("digest")
    learned_from = fields.mapping("learned_from")
    if tuple(fields.any_texts("planes", len(POLICY_PLANES))) != POLICY_PLANES:
        raise fields.wrong(
            "planes", f"are not {', '.join(POLICY_PLANES)}, which is what a policy sees"
        )
    shape, numbers = fields.items("shape"), fields.items("numbers")
    fields.finish()
    most = MAX_CHANNELS, MAX_LAYERS, MAX_LAYERS, MAX_CHANNELS
    if {*map(type, shape)} != {int} or len(shape) != len(most):
        raise fields.wrong("shape", "is not four whole numbers")
    if not all(1 <= value <= limit for value, limit in zip(shape, most, strict=True)):
        raise fields.wrong("shape", f"{shape} is not from 1 to {most}")
    count = sum(map(prod, _part_shapes(shape)))
    if len(numbers) != count or {*map(type, numbers)} != {int} or max(map(abs, numbers)) > LIMIT:
        raise fields.wrong("numbers", f"are not {count} whole numbers of at most {LIMIT}")
    policy = Policy(name, tuple(shape), np.array(numbers, np.int32), dict(learned_from))
    if policy.digest != stated:
        raise fields.wrong("digest", f"{stated[:16]} is not that of the numbers, {policy.digest}")
    return policy


def dumps(policy: Policy) -> str:
    """The text of a policy's file."""
    fields = {
        "format": FORMAT, "name": policy.name, "digest": policy.digest,
        "learned_from": policy.learned_from, "planes": POLICY_PLANES, "shape": policy.shape,
        "numbers": policy.numbers.tolist(),
    }  # fmt: skip
    return json.dumps(fields, separators=(",", ":")) + "\n"


LIBRARY: Final = Library(KIND, lambda: files("bots.policies"), MAX_BYTES, loads, dumps)
read_policy: Final = cache(LIBRARY.read)
"""The policy network of this name, or in this file; read once per process."""
