"""A dozen numbers that decide how `phantom` chooses, as weights that can be tuned.

Some are parameters of its spec. The others are terms of its judge: simple features of a point, such
as the number of own stones beside it, each with a weight in the judge's last sum. A term is a
channel that the first layers compute and the later ones pass on. So a judge with terms is a net
like any other, and if all their weights are zero it gives the same values as without them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from bots.features import JUDGED
from bots.kernels.judge import SCALE
from bots.kernels.net import VALUE, WEIGHT
from bots.nets import Layers, Net
from bots.phantom import Phantom
from phantomgo.errors import BadText

Kernel: TypeAlias = Sequence[float]
"""The weights of a point and its neighbours, row by row."""

POINT: Final[Kernel] = (0, 0, 0, 0, 1, 0, 0, 0, 0)
BESIDE: Final[Kernel] = (0, 0.25, 0, 0.25, 0, 0.25, 0, 0.25, 0)
DIAGONAL: Final[Kernel] = (0.25, 0, 0.25, 0, 0, 0, 0.25, 0, 0.25)
MISSING: Final[Kernel] = (0, -1, 0, -1, 0, -1, 0, -1, 0)
WITHIN: Final[Kernel] = (0, 1, 0, 1, -4, 1, 0, 1, 0)


class Term(NamedTuple):
    """A term of the judge.

    Attributes:
        plane: the input that is summed; or an earlier term, in the second layer.
        kernel: the weights of the sum, which is cut off at zero.
        bias: added to the sum.
        unit: a step of the term's weight, as a winning rate.
    """

    plane: str
    kernel: Kernel
    bias: float
    unit: float


TERMS: Final[Mapping[str, Term]] = MappingProxyType(
    {
        "first line": Term("board", MISSING, 4, 0.01),
        "second line": Term("first line", WITHIN, 0, 0.01),
        "beside own": Term("own", BESIDE, 0, 0.02),
        "diagonal to own": Term("own", DIAGONAL, 0, 0.02),
        "beside recent": Term("placed", BESIDE, 0, 0.02),
        "beside believed": Term("odds", BESIDE, 0, 0.01),
        "believed": Term("odds", POINT, 0, 0.01),
        "beside refused": Term("refused", BESIDE, 0, 0.02),
    }
)
"""A point's line (a corner counts twice), own stones near it, recent ones, the belief beside it and
on it, and refusals."""
SPEC: Final[Mapping[str, float]] = MappingProxyType({"amaf": 0.25, "trust": 0.25, "narrow": 0.25})
"""Parameters of the spec, with a step of the logarithm of each."""
GAIN: Final = 0.2
"""A step of the logarithm of the judge's scale."""
NAMES: Final = (*SPEC, "gain", *TERMS)
"""The names of the weights, in their order."""


def tuned(bot: Phantom, judge: Net, weights: Sequence[float]) -> tuple[Phantom, Net]:
    """Return a bot and its judge with other weights.

    Args:
        bot: the bot; a parameter that is 0 stays 0.
        judge: the bot's judge; the weights of terms that it has are moved.
        weights: changes in the order of `NAMES`, in steps.

    Raises:
        BadText: the judge is too small for terms.
        BadNet: its sums may leave 32 bits.
    """
    steps = dict(zip(NAMES, weights, strict=True))
    options = {
        name: max(2, round(value * math.exp(unit * steps[name])))
        for name, unit in SPEC.items()
        if (value := getattr(bot, name))
    }
    *layers, (last,) = with_terms(judge.layers)
    factor = math.exp(GAIN * steps["gain"])
    *said, bias = (round(factor * weight) for weight in last)
    said[-len(TERMS) :] = (
        weight + round(SCALE * WEIGHT * TERMS[name].unit * steps[name])
        for weight, name in zip(last[-1 - len(TERMS) : -1], TERMS, strict=True)
    )
    taught = [*layers, [[*said, bias]]]
    return replace(bot, **options), Net.of(judge.name, taught, planes=judge.planes)


def with_terms(layers: Layers) -> list[list[list[int]]]:
    """Return a judge's layers with one more channel for each term, of weight zero.

    A judge that has these channels is returned as it is.

    Raises:
        BadText: the judge has a single convolution.
    """
    *convolutions, (last,) = layers
    if len(convolutions) < 2:
        raise BadText("the judge has a single convolution, and its terms take two")
    count = len(TERMS)
    if all(
        [*map(list, layer[-count:])] == _channels(number, len(convolutions[number - 1]) - count)
        for number, layer in enumerate(convolutions)
    ):
        return [[[*output] for output in layer] for layer in layers]
    more = [0] * (9 * count)
    found = [[[*output] for output in convolutions[0]] + _channels(0)]
    for number, (before, layer) in enumerate(pairwise(convolutions), 1):
        wider = [[*output[:-1], *more, output[-1]] for output in layer]
        found.append(wider + _channels(number, len(before)))
    return [*found, [[*last[:-1], *[0] * count, last[-1]]]]


def _channels(number: int, before: int = 0) -> list[list[int]]:
    """The terms' outputs of a layer, whose inputs are `before` channels and the terms; the inputs
    of layer 0 are `JUDGED`.
    """
    if number == 0:
        return [*map(_seen, TERMS.values())]
    return [_handed(name, before, number) for name in TERMS]


def _seen(term: Term) -> list[int]:
    """The output of the first layer that computes a term; zero if the second layer computes it."""
    weights = [0] * (9 * len(JUDGED))
    if term.plane in JUDGED:
        at = 9 * JUDGED.index(term.plane)
        weights[at : at + 9] = [round(WEIGHT * weight) for weight in term.kernel]
    return [*weights, round(WEIGHT * VALUE * term.bias)]


def _handed(name: str, before: int, number: int) -> list[int]:
    """The output of a later layer that holds a term, given `before` inputs besides the terms."""
    term, kernel, of = TERMS[name], POINT, name
    if number == 1 and term.plane in TERMS:
        kernel, of = term.kernel, term.plane
    weights = [0] * (9 * (before + len(TERMS)))
    at = 9 * (before + [*TERMS].index(of))
    weights[at : at + 9] = [round(WEIGHT * weight) for weight in kernel]
    return [*weights, 0]
