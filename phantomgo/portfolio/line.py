"""Lines: how one game of a book is played, and one colour's distribution over them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self, TypeAlias

from phantomgo.fields import Fields
from phantomgo.identity import MAX_NAME
from phantomgo.rng import MAX_SEED, Stream

SUM_TOLERANCE: Final = 1e-9
MAX_MOVES: Final = 127
"""The largest number of own moves of a step, unless it plays the rest of the game."""
MAX_STEPS: Final = 8
DIGITS: Final = 12
"""Decimals of a probability in a book."""


class Step(NamedTuple):
    """A part of a game, played by one seed of one bot.

    Attributes:
        bot: the bot's spec.
        seed: its seed; None for the seed of the game, which no opponent knows.
        moves: how many own moves it plays; None for the rest of the game.
    """

    bot: str
    seed: int | None
    moves: int | None = None


Line: TypeAlias = tuple[Step, ...]
"""The steps of a game; after the last one, unless it is endless, the deployed bot continues. With a
line without steps that bot plays the whole game.
"""


def plays_whole_game(line: Line) -> bool:
    """True if the seeds of a line play the whole game."""
    return bool(line) and line[-1].moves is None and line[-1].seed is not None


def moves_of(line: Line) -> float:
    """The number of own moves that a line plays; infinite for the whole game."""
    return sum(math.inf if step.moves is None else step.moves for step in line)


def drawn_place(distribution: Sequence[float], number: int) -> int:
    """The place in a distribution that a number below 2**32 draws."""
    reached = 0.0
    for place, probability in enumerate(distribution):
        reached += probability
        if number < reached * (1 << 32):
            return place
    return len(distribution) - 1


@dataclass(frozen=True, slots=True)
class Side:
    """The portfolio of one colour: a distribution over lines.

    Attributes:
        lines: the lines; none where the bot plays this colour without the book.
        probabilities: how often each is drawn; positive, summing to 1.
        value: the win rate secured against every training opponent; games that were not played
            count as lost.
    """

    lines: tuple[Line, ...]
    probabilities: tuple[float, ...]
    value: float

    @classmethod
    def of(cls, lines: Iterable[Line], distribution: Iterable[float], value: float) -> Self:
        """The side for a distribution over lines, without those that are never drawn.

        Probabilities are rounded for readers; the largest absorbs the rounding errors.
        """
        rounded = [round(float(p), DIGITS) for p in distribution]
        top = rounded.index(max(rounded))
        rounded[top] = round(rounded[top] + 1 - math.fsum(rounded), DIGITS)
        drawn = [(line, p) for line, p in zip(lines, rounded, strict=True) if p > 0]
        played, probabilities = zip(*drawn, strict=True)
        return cls(played, probabilities, value)

    @property
    def moves(self) -> float:
        """The largest number of own moves that a line plays; infinite for whole games."""
        return max(map(moves_of, self.lines), default=0)

    @property
    def bots(self) -> set[str]:
        """The specs of the bots in the lines."""
        return {step.bot for line in self.lines for step in line}

    def draw(self, stream: Stream) -> Line:
        """A line, drawn with the book's probabilities to a precision of 2**-32."""
        return self.lines[drawn_place(self.probabilities, stream.below(1 << 32))]

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "lines": [[list(step) for step in line] for line in self.lines],
            "probabilities": list(self.probabilities),
            "value": self.value,
        }

    @classmethod
    def read(cls, fields: Fields) -> Self:
        """Read what `as_dict` wrote."""
        lines = tuple(
            _line(fields, f"lines[{number}]", steps)
            for number, steps in enumerate(fields.items("lines"))
        )
        probabilities = tuple(fields.numbers("probabilities", 0, 1))
        side = cls(lines, probabilities, fields.number("value", 0, 1))
        fields.finish()
        if len(set(lines)) < len(lines):
            raise fields.wrong("lines", "has a line twice")
        if len(probabilities) != len(lines):
            counts = f"has {len(probabilities)} numbers for {len(lines)} lines"
            raise fields.wrong("probabilities", counts)
        if lines and min(probabilities) <= 0:
            raise fields.wrong("probabilities", "has a number that is not above 0")
        total = math.fsum(probabilities)
        if lines and abs(total - 1) > SUM_TOLERANCE:
            raise fields.wrong("probabilities", f"sums to {total:.12g}, not to 1")
        return side


def _line(fields: Fields, where: str, steps: Any) -> Line:
    if not isinstance(steps, list) or len(steps) > MAX_STEPS:
        raise fields.wrong(where, f"is not a list of up to {MAX_STEPS} steps")
    return tuple(
        _step(fields, f"{where}[{number}]", step, last=number == len(steps) - 1)
        for number, step in enumerate(steps)
    )


def _step(fields: Fields, where: str, step: Any, *, last: bool) -> Step:
    if not isinstance(step, list) or len(step) != len(Step._fields):
        raise fields.wrong(where, "is not [bot, seed, own moves]")
    bot, seed, moves = step
    if not isinstance(bot, str) or not 0 < len(bot) <= MAX_NAME or not bot.isprintable():
        raise fields.wrong(where, f"names no bot of 1 to {MAX_NAME} printable characters")
    if seed is not None and (type(seed) is not int or not 0 <= seed <= MAX_SEED):
        raise fields.wrong(where, f"has no seed, a whole number from 0 to {MAX_SEED} or null")
    if moves is None and last:
        return Step(bot, seed)
    if type(moves) is not int or not 1 <= moves <= MAX_MOVES:
        end = ", or null for the rest of the game" if last else ""
        raise fields.wrong(where, f"has no number of own moves from 1 to {MAX_MOVES}{end}")
    return Step(bot, seed, moves)
