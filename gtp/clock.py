"""Time as a controller tells it, and how much of it a decision may take.

The clock only knows what it was told; it never looks at the time itself, so that the protocol
core stays free of side effects. A controller that wants its time kept sends `time_left`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from gtp.syntax import Failure, decimal, whole
from phantomgo.points import Colour

KINDS: Final = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
"""The time systems `kata-time_settings` takes; `kgs-time_settings` takes the first four."""

MARGIN: Final = 0.05
"""Seconds a decision leaves unused, for the way to the controller and back."""

SHORTEST: Final = 0.01


class Limit(NamedTuple):
    """A time system, in seconds.

    Attributes:
        main: main time.
        period: length of a byo-yomi period, 0 for none.
        moves: moves to make in a period.
        increment: added for every move.
        longest: most a single move may take; None for no such limit.
    """

    main: float
    period: float = 0
    moves: int = 1
    increment: float = 0
    longest: float | None = None


class Left(NamedTuple):
    """What `time_left` says: seconds, and 0 in main time or the moves (periods) left."""

    seconds: float
    stones: int


@dataclass(frozen=True, slots=True)
class Clock:
    """The time settings in force and what is left to each side; by default no limit."""

    limit: Limit | None = None
    left: Mapping[Colour, Left] = field(default_factory=lambda: MappingProxyType({}))
    periods: bool = False
    """Whether the stones of `time_left` are periods left, as `byoyomi` has it."""

    def told(self, colour: Colour, seconds: float, stones: int) -> "Clock":
        """This clock after `time_left`."""
        left = MappingProxyType({**self.left, colour: Left(max(seconds, 0), stones)})
        return replace(self, left=left)

    def restarted(self) -> "Clock":
        """This clock for a new game: the settings stay, what was left does not."""
        return Clock(self.limit, periods=self.periods)

    def budget(self, colour: Colour, points: int, turn: int) -> float | None:
        """Seconds for one decision on a board of `points` points; None without a limit.

        Args:
            colour: the side to decide.
            points: points on the board. A side is taken to decide once for every two of them,
                refused attempts among them, and never to be nearer to its end than an eighth.
            turn: its accepted moves so far.
        """
        left = self.left.get(colour)
        if self.limit is None and left is None:
            return None
        limit = self.limit or Limit(0)
        done = turn if left is not None else 0  # untold, the whole main time is shared out
        decisions = max(points // 2 - done, points // 8, 1)
        in_byo_yomi = left is not None and left.stones > 0
        if left is not None and in_byo_yomi:
            share = left.seconds / (1 if self.periods else left.stones)
        else:
            main = limit.main if left is None else left.seconds
            share = max(main / decisions, limit.period / limit.moves) + limit.increment
        if left is not None and not limit.period:
            share = min(share, left.seconds)
        if limit.longest is not None:
            share = min(share, limit.longest)
        return max(share - max(MARGIN, share / 10), SHORTEST)


UNLIMITED: Final = Clock()


def gtp_clock(words: Sequence[str]) -> Clock:
    """`time_settings MAIN BYO_YOMI STONES`, Canadian byo-yomi in whole seconds.

    A byo-yomi time without stones means no limit, as GTP has it, and so do three zeros.
    """
    main, period, stones = (whole(word) for word in words)
    if (period and not stones) or not (main or period):
        return UNLIMITED
    return Clock(Limit(main, period, max(stones, 1)))


def named_clock(words: Sequence[str], *, extended: bool) -> Clock:
    """`kgs-time_settings` and, with decimals and Fischer time, `kata-time_settings`.

    Raises:
        Failure: `syntax error`.
    """
    kind, values = words[0], words[1:]
    if kind not in (KINDS if extended else KINDS[:4]):
        raise Failure("syntax error")
    expected = {"none": 0, "absolute": 1, "fischer": 2, "fischer-capped": 4}.get(kind, 3)
    if len(values) != expected:
        raise Failure("syntax error")
    if kind == "none":
        return UNLIMITED
    times = [_seconds(word, extended) for word in values[:2]]
    if kind == "absolute":
        return Clock(Limit(times[0]))
    main, second = times
    if kind == "fischer":
        return Clock(Limit(main, increment=second))
    if kind == "fischer-capped":
        # The cap on main time is the controller's business; it reaches us through time_left.
        longest = decimal(values[3])
        decimal(values[2])
        return Clock(Limit(main, increment=second, longest=longest if longest >= 0 else None))
    count = whole(values[2], 1)
    if kind == "byoyomi":
        return Clock(Limit(main, second), periods=True)
    return Clock(Limit(main, second, count))


def _seconds(word: str, extended: bool) -> float:
    if not extended:
        return whole(word)
    seconds = decimal(word)
    if seconds < 0:
        raise Failure("syntax error")
    return seconds
