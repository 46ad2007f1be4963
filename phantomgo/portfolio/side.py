"""The portfolio of one colour: its seeds, and the moves of a game that each of them decides."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final, Self, TypeAlias, TypeVar

from phantomgo.fields import Fields
from phantomgo.rng import MAX_SEED, Stream, mix

SUM_TOLERANCE: Final = 1e-9
MAX_LEAVE: Final = 127
"""The most own moves that a seed may decide without deciding the whole game."""
MAX_LINE: Final = 8
"""The most seeds that play one game in turn, with the one that plays on when the book is left."""
MAX_START: Final = MAX_LINE - 2
"""The most seeds in a line that another seed continues."""
_T = TypeVar("_T")
DIGITS: Final = 12
"""Decimals of a probability in a book."""


Line: TypeAlias = tuple[tuple[int, int], ...]
"""Seeds that decide a player's moves in turn, each with the number of own moves at which the next
takes over.
"""
NEVER: Final = 1 << 62
"""The number of moves of a seed that plays on to the end."""


@dataclass(frozen=True, slots=True)
class Start:
    """The lines of a book that seeds continue.

    Attributes:
        first: the first seed that continues a line; seeds below it begin the game themselves.
        lines: the lines.
        probabilities: how often a seed has each; positive, summing to 1.
    """

    first: int
    lines: tuple[Line, ...]
    probabilities: tuple[float, ...]

    @property
    def moves(self) -> int:
        """The largest number of own moves that a line decides."""
        return max(line[-1][1] for line in self.lines)

    def line(self, seed: int) -> Line:
        """The line that a seed continues; empty for one that begins the game itself."""
        if seed < self.first:
            return ()
        return _drawn(self.lines, self.probabilities, Stream(mix(seed)))

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        lines = [{"seeds": [s for s, _ in it], "leave": [k for _, k in it]} for it in self.lines]
        return {
            "first": self.first,
            "lines": lines,
            "probabilities": list(self.probabilities),
        }


@dataclass(frozen=True, slots=True)
class Side:
    """The portfolio of one colour.

    Attributes:
        seeds: the seeds that are played, ascending.
        probabilities: how often each is drawn; positive, summing to 1.
        value: the winning rate secured against every opponent seed of the training, where games
            that were not played count as lost.
        leave: for each seed, how many own moves of a game it decides; afterwards the bot plays on
            with a seed of that game. Empty where the seeds decide whole games; all 0 where the
            bot plays this colour without the book.
        start: lines that decide a game's first moves, before the seeds; None if there are none.
    """

    seeds: tuple[int, ...]
    probabilities: tuple[float, ...]
    value: float
    leave: tuple[int, ...] = ()
    start: Start | None = None

    @classmethod
    def of(cls, seeds: Iterable[int], distribution: Iterable[float], value: float) -> Self:
        """The side for a distribution over seeds, without those that are never drawn.

        Probabilities are rounded for readers; the largest absorbs the rounding errors.
        """
        rounded = [round(float(p), DIGITS) for p in distribution]
        top = rounded.index(max(rounded))
        rounded[top] = round(rounded[top] + 1 - math.fsum(rounded), DIGITS)
        drawn = [(seed, p) for seed, p in zip(seeds, rounded, strict=True) if p > 0]
        played, probabilities = zip(*drawn, strict=True)
        return cls(played, probabilities, value)

    @property
    def unused(self) -> bool:
        """True if the bot plays this colour without the book."""
        return bool(self.leave) and not any(self.leave)

    def draw(self, stream: Stream) -> int:
        """A seed, drawn with the book's probabilities to a precision of 2**-32."""
        return _drawn(self.seeds, self.probabilities, stream)

    def line(self, seed: int) -> Line:
        """The seeds that decide the moves until the book is left; empty for whole games."""
        if not self.leave:
            return ()
        before = () if self.start is None else self.start.line(seed)
        return (*before, (seed, self.leave[self.seeds.index(seed)]))

    def begun(self, first: int) -> Start:
        """The lines of this side, for seeds from `first` on to continue."""
        return Start(first, tuple(map(self.line, self.seeds)), self.probabilities)

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON; `leave` and `start` only where there is one."""
        fields = asdict(self)
        fields |= {"start": self.start and self.start.as_dict()}
        return {name: value for name, value in fields.items() if value not in ((), None)}


def _drawn(among: Sequence[_T], probabilities: Sequence[float], stream: Stream) -> _T:
    """One of them, drawn to a precision of 2**-32."""
    number, reached = stream.below(1 << 32), 0.0
    for one, probability in zip(among, probabilities, strict=True):
        reached += probability
        if number < reached * (1 << 32):
            return one
    return among[-1]


def read_side(fields: Fields) -> Side:
    left = fields.has("leave")
    side = Side(
        seeds=tuple(fields.wholes("seeds", 0, MAX_SEED)),
        probabilities=tuple(fields.numbers("probabilities", 0, 1)),
        value=fields.number("value", 0, 1),
        leave=tuple(fields.wholes("leave", 0, MAX_LEAVE)) if left else (),
        start=read_start(fields.object("start")) if fields.has("start") else None,
    )
    if not side.seeds:
        raise fields.wrong("seeds", "is empty")
    if any(a >= b for a, b in zip(side.seeds, side.seeds[1:], strict=False)):
        raise fields.wrong("seeds", "is not ascending without repetition")
    if len(side.probabilities) != len(side.seeds):
        counts = f"has {len(side.probabilities)} numbers for {len(side.seeds)} seeds"
        raise fields.wrong("probabilities", counts)
    if left and len(side.leave) != len(side.seeds):
        counts = f"has {len(side.leave)} numbers for {len(side.seeds)} seeds"
        raise fields.wrong("leave", counts)
    _check_distribution(fields, side.probabilities)
    fields.finish()
    if side.start is not None and side.start.moves >= min(side.leave, default=0):
        raise fields.wrong("leave", "is not after the moves that the lines of start decide")
    return side


def _check_distribution(fields: Fields, probabilities: Sequence[float]) -> None:
    if min(probabilities) <= 0:
        raise fields.wrong("probabilities", "has a number that is not above 0")
    total = math.fsum(probabilities)
    if abs(total - 1) > SUM_TOLERANCE:
        raise fields.wrong("probabilities", f"sums to {total:.12g}, not to 1")


def read_start(fields: Fields) -> Start:
    """The start of a side, from JSON.

    Raises:
        BadBook: a field is wrong; the message names it.
    """
    lines = tuple(map(_line, fields.objects("lines")))
    probabilities = tuple(fields.numbers("probabilities", 0, 1))
    if len(probabilities) != len(lines) or not lines:
        counts = f"has {len(probabilities)} numbers for {len(lines)} lines"
        raise fields.wrong("probabilities", counts)
    _check_distribution(fields, probabilities)
    first = fields.whole("first", 0, MAX_SEED)
    fields.finish()
    return Start(first, lines, probabilities)


def _line(fields: Fields) -> Line:
    seeds, leave = fields.wholes("seeds", 0, MAX_SEED), fields.wholes("leave", 1, MAX_LEAVE)
    if len(leave) != len(seeds) or not 0 < len(seeds) <= MAX_START:
        counts = f"has {len(leave)} numbers for {len(seeds)} seeds, of 1 to {MAX_START}"
        raise fields.wrong("leave", counts)
    if any(a >= b for a, b in pairwise(leave)):
        raise fields.wrong("leave", "is not ascending without repetition")
    fields.finish()
    return tuple(zip(seeds, leave, strict=True))
