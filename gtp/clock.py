"""Time as a controller tells it, and how much of it a decision may take.

A clock is a value: it knows what it was told and how long a side is said to have thought since
then; it never looks at the time itself, so that the protocol core stays free of side effects. So
`time_left` is welcome but not needed.

How long a game will be is known well enough. On boards from 5x5 to 13x13 a side decides 1.25 times
for every point of the board, refused attempts among them (games of `phantom` and `flatmc`; 1.4
times on 19x19), 1.7 times less for every move it has made, and late in a game a quarter of the
points on average are still to come. Main time is shared out evenly over the decisions to come:
those after a refusal are worth as much as the others. Where decisions take longer than they were
given, as on a machine busy with other work, that is expected of those to come as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, NamedTuple

from gtp.syntax import Failure, decimal, whole
from phantomgo.points import Colour

KINDS: Final = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
"""The time systems `kata-time_settings` takes; `kgs-time_settings` takes the first four."""

RESERVE: Final = 0.2
"""Seconds nobody plans with, for the way to the controller and for a machine that stalls; also the
most that one decision's lateness counts for."""

MEMORY: Final = 8
"""Decisions over which lateness is averaged, about."""

TRIES: Final = 2
"""Attempts that are expected for a move, of main time."""

PERIOD_SHARE: Final = 0.8
"""How much of the time left for a move of a byo-yomi period an attempt may take. What a period is
not used for is lost, so the first attempt takes most of it and later ones share the rest."""


def decisions_ahead(points: int, turn: int) -> float:
    """How often a side that has made `turn` moves will still decide, this time included."""
    return max(1.25 * points - 1.7 * turn, points / 4)


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
    """What a side has left.

    Attributes:
        seconds: of main time or of a period.
        stones: 0 in main time, else the moves left in the period (or the periods left).
        turn: the side's accepted moves when it was last asked; None if `time_left` came since.
        late: seconds its decisions have lately taken beyond what they were given.
    """

    seconds: float
    stones: int
    turn: int | None = None
    late: float = 0.0


@dataclass(frozen=True, slots=True)
class Clock:
    """The time settings in force and what is left to each side; by default no limit."""

    limit: Limit | None = None
    left: Mapping[Colour, Left] = field(default_factory=lambda: MappingProxyType({}))
    periods: bool = False
    """Whether the stones of `time_left` are periods left, as `byoyomi` has it."""

    def told(self, colour: Colour, seconds: float, stones: int) -> "Clock":
        """This clock after `time_left`."""
        before = self.left.get(colour)
        late = 0.0 if before is None else before.late
        return self._with(colour, Left(max(seconds, 0), stones, None, late))

    def restarted(self) -> "Clock":
        """This clock for a new game: the settings stay, what was left does not."""
        return Clock(self.limit, periods=self.periods)

    def asked(self, colour: Colour, turn: int) -> "Clock":
        """This clock when a side is asked that has made `turn` moves.

        A move since it was last asked may have begun another period, and brings the increment.
        """
        left, limit = self.left.get(colour), self.limit
        if left is None:
            if limit is None:
                return self
            left = Left(limit.main, 0, turn)
        seconds, stones = left.seconds, left.stones
        if limit is not None and left.turn is not None and turn > left.turn:
            seconds += limit.increment
            if stones and (self.periods or stones == 1):
                seconds, stones = limit.period, limit.moves
            elif stones:
                stones -= 1
        return self._with(colour, Left(seconds, stones, turn, left.late))

    def thought(self, colour: Colour, seconds: float, given: float) -> "Clock":
        """This clock after a side has thought for so long about what it was asked.

        Args:
            colour: the side.
            seconds: how long it thought.
            given: its budget.
        """
        left, limit = self.left.get(colour), self.limit
        if left is None:
            return self
        late = left.late + (min(max(seconds - given, 0), RESERVE) - left.late) / MEMORY
        seconds, stones = left.seconds - seconds, left.stones
        if seconds <= 0 and limit is not None and limit.period and not stones:
            seconds, stones = max(seconds + limit.period, 0), limit.moves
        return self._with(colour, Left(seconds, stones, left.turn, late))

    def _with(self, colour: Colour, left: Left) -> "Clock":
        return replace(self, left=MappingProxyType({**self.left, colour: left}))

    def budget(self, colour: Colour, points: int, turn: int) -> float | None:
        """Seconds for one decision on a board of `points` points; None without a limit.

        Args:
            colour: the side to decide, which was `asked`.
            points: points on the board.
            turn: its accepted moves so far.
        """
        left = self.left.get(colour)
        if left is None:
            return None
        limit = self.limit or Limit(0)
        sure = left.seconds - RESERVE
        if left.stones:
            share = PERIOD_SHARE * sure / (1 if self.periods else left.stones)
        else:
            sure -= left.late * points / 4  # the game may be longer than expected
            share = sure / decisions_ahead(points, turn) + limit.increment / TRIES
            share = max(share, PERIOD_SHARE * (limit.period - RESERVE) / limit.moves)
            if not limit.period:
                share = min(share, sure)
        if limit.longest is not None:
            share = min(share, limit.longest - RESERVE)
        return max(share - left.late, 0.0)


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
