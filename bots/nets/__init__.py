"""Nets: learned weights, found by name, each with its origin and digest.

A file is one JSON object of at most 4 MiB. Like a book it is read field by field, and an error
names the field: a file from elsewhere can neither exhaust memory nor make a sum overflow.

- `format`: 2
- `name`: the file's name without `.json`: letters, digits, `_`, `.` and `-`, at most 64
- `digest`: 16 hexadecimal digits of the SHA-256 of `[planes, layers]` as compact JSON
- `learned_from`: an object for people to read: games by board, komi and players, steps, version
- `held_out`: an object for people to read: by board, the loss of the net and of an even spread (log
  loss per open point, or for a candidate evaluator the squared error of a candidate's value)
- `planes`: the inputs at each point, the names of `NET_PLANES` in bots/features.py, or the older
  `PLANES`; for a candidate evaluator those of `EVALUATOR_PLANES`
- `layers`: a list of 2 to 32 layers

A layer is a list of at most 256 outputs; an output is a list of its weights and then its bias, all
whole numbers. All layers but the last are 3x3 convolutions, clipped to 0 and 1023: of n inputs an
output has 9 n + 1 numbers, input by input, row by row. The last layer has one output of n + 1
numbers, a weighted sum: the log odds of a hidden stone, or 32 times the amount by which a
candidate is better than the mean. Values are in units of 1/64, weights of 1/1024, biases of both
multiplied (bots/kernels/net.py). A net whose sums might leave 32 bits on some board is refused.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from importlib.resources import files
from typing import Any, Final, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bots.features import EVALUATOR_PLANES, NET_PLANES, PLANES, net_input
from bots.kernels.net import bounded, evaluate, paired
from bots.worlds import UNIFORM, Ints
from phantomgo.errors import BadNet
from phantomgo.fields import Fields, Kind
from phantomgo.files import NAME
from phantomgo.game.view import View
from phantomgo.library import Library, looks_like_file

DEFAULT: Final = "stones1"
"""The default belief net, which estimates where hidden stones are."""
STONES: Final = "hidden stones"
CANDIDATES: Final = "candidates"
TARGETS: Final[Mapping[tuple[str, ...], str]] = {
    PLANES: STONES,
    NET_PLANES: STONES,
    EVALUATOR_PLANES: CANDIDATES,
}
"""The inputs that nets may have, and the target of a net with these inputs."""

FORMAT: Final = 2
KIND: Final = Kind("net", BadNet)
DIGITS: Final = 16
"""Hexadecimal digits of a digest."""
MAX_BYTES: Final = 4 << 20
MAX_LAYERS: Final = 32
MAX_CHANNELS: Final = 256
LIMIT: Final = 2**31 - 1
"""The greatest absolute value of a weight."""

Layers: TypeAlias = Sequence[Sequence[Sequence[int]]]
"""Of each layer its outputs, and of each output its weights, by input and neighbour, and its bias:
3x3 convolutions, and at the end a weighted sum of the last one's outputs."""


@dataclass(frozen=True, eq=False)
class Net:
    """A net.

    Attributes:
        name: its file's name without `.json`.
        layers: its numbers; weights in units of 1 / bots.kernels.net.WEIGHT.
        planes: its inputs, one of `TARGETS`.
        channels: of each layer, the first being the inputs; int64.
        pairs: the layers' numbers as the kernel takes them; int32.
    """

    name: str
    layers: Layers
    planes: tuple[str, ...]
    channels: NDArray[np.int64]
    pairs: NDArray[np.int32]

    @classmethod
    def of(cls, name: str, layers: Layers, planes: tuple[str, ...] = PLANES) -> Self:
        """The net with these layers, whose shapes have been checked.

        Raises:
            BadNet: its sums may leave 32 bits.
        """
        channels = [len(planes), *(len(layer) for layer in layers[:-1])]
        numbers = np.concatenate([np.array(layer, np.int32).ravel() for layer in layers])
        if not bounded(channels, numbers):
            raise BadNet("layers: the weights are too large, sums may leave 32 bits")
        shape, pairs = np.array(channels, np.int64), paired(channels, numbers)
        return cls(name, layers, planes, shape, pairs)

    @cached_property
    def digest(self) -> str:
        """The digest of everything that determines its output: its layers and its inputs."""
        text = json.dumps([self.planes, self.layers], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def loads(text: str, shipped: bool = False) -> Net:
    """A net from its JSON; the numbers of a `shipped` net are checked only by tests.

    Raises:
        BadNet: it is damaged or not as the format requires; the message names the field.
    """
    fields = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    name = fields.text("name", NAME)
    stated = fields.text("digest")
    for key in ("learned_from", "held_out"):
        fields.mapping(key)
    planes = tuple(fields.any_texts("planes", 20))
    if planes not in TARGETS:
        known = " or ".join(", ".join(inputs) for inputs in TARGETS)
        raise fields.wrong("planes", f"are not {known}, the inputs of a net")
    layers = fields.items("layers")
    fields.finish()
    if not shipped:
        _check_shape(layers, len(planes))
    net = Net.of(name, layers, planes)
    if not shipped and net.digest != stated:
        raise fields.wrong("digest", f"{stated[:DIGITS]} is not that of its layers, {net.digest}")
    return net


LIBRARY: Final = Library(KIND, lambda: files("bots.nets"), MAX_BYTES, loads)
_SHIPPED: Final = replace(LIBRARY, loads=partial(loads, shipped=True))
_read: Final = cache(lambda net: (LIBRARY if looks_like_file(net) else _SHIPPED).read(net))


def read_net(name_or_file: str, target: str | None = STONES) -> Net:
    """The net of this name, or in this file; read once per process.

    Its target has to be `target`, a value of `TARGETS`, unless that is None.

    Raises:
        BadNet: there is none, or it is damaged, or has another target.
    """
    net = _read(name_or_file)
    if target not in (None, TARGETS[net.planes]):
        raise BadNet(f"net {name_or_file} predicts {TARGETS[net.planes]}, not {target}")
    return net


def stated_digest(name: str) -> str:
    """The digest in a shipped net's file, which tests compare with that of its numbers."""
    text = (LIBRARY.folder() / f"{name}.json").read_text(encoding="ascii")
    return str(json.loads(text.partition(',"layers"')[0] + "}")["digest"])


def log_odds(view: View, net: Net) -> Ints:
    """A belief net's log odds of a hidden enemy stone on every point, in units of 1 / ONE.

    Empty if no stone is hidden. The net has learned how opponents play around the known stones: the
    middle before the edge, no answers to stones that they cannot see, and nothing inside a shape
    that has just refused them. Given its output, whether two points are occupied is close to
    independent (measured), so drawing stones one by one by these odds gives likely worlds.
    """
    if not view.hidden or not view.unknown:
        return UNIFORM
    planes = net_input(view, len(net.planes))
    odds: Ints = evaluate(planes, net.channels, net.pairs, view.rules.size)
    return odds


def _check_shape(layers: Sequence[Any], inputs: int) -> None:
    """Refuse anything but a list of matching layers of whole numbers."""
    if not 2 <= len(layers) <= MAX_LAYERS:
        raise BadNet(f"layers: there are {len(layers)}, not 2 to {MAX_LAYERS}")
    for number, layer in enumerate(layers):
        most = 1 if number == len(layers) - 1 else MAX_CHANNELS
        if not isinstance(layer, list) or not 1 <= len(layer) <= most:
            raise BadNet(f"layers[{number}]: is not a list of 1 to {most} outputs")
    sizes = [inputs, *(len(layer) for layer in layers[:-1])]
    for number, (layer, before) in enumerate(zip(layers, sizes, strict=True)):
        count = before + 1 if number == len(layers) - 1 else 9 * before + 1
        for output in layer:
            if not isinstance(output, list) or len(output) != count:
                raise BadNet(f"layers[{number}]: an output is not a list of {count} numbers")
            if {*map(type, output)} != {int} or max(map(abs, output)) > LIMIT:
                raise BadNet(f"layers[{number}]: not all numbers are whole and at most {LIMIT}")
