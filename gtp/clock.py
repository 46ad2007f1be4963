"""Time settings, and the time for each decision.

A clock is a value: it contains the controller's settings and how long each side has thought since,
so `time_left` is useful but not required. It reads the time only through a function that it is
given.

The length of a game is predictable. On boards from 5x5 to 13x13 a side makes 1.25 decisions per
point of the board, including refused attempts (games of `phantom` and `flatmc`; 1.4 on 19x19). The
expected number falls by 1.7 with each move made; late in a game it is a quarter of the points on
average. Main time is divided evenly among the expected decisions: those after a refusal are worth
as much as the others. If decisions take longer than their budgets, as on a busy machine, future
ones are expected to do so too, so time remains for a game that is longer than expected.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeVar

from gtp.syntax import Failure, decimal, whole
from phantomgo.game.points import Colour, grid
from phantomgo.game.view import View

A = TypeVar("A")
"""A decision."""

KINDS: Final = ("none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped")
"""The time systems of `kata-time_settings`."""
RESERVE: Final = 0.2
"""Seconds kept in reserve for communication and for a machine that stalls; also the cap on the
lateness of one decision.
"""
LEAST: Final = 0.005
"""The shortest decision on a large board, in seconds, however little time it is given."""
MEMORY: Final = 8
"""Approximate number of decisions over which lateness is averaged."""
TRIES: Final = 2
"""Attempts that are expected for a move, of main time."""
PERIOD_SHARE: Final = 0.8
"""The part of the time for a move of a byo-yomi period that an attempt may take. Unused time of a
period is lost, so the first attempt takes most of it and later ones divide the rest."""


def decisions_ahead(points: int, turn: int) -> float:
    """The expected number of decisions of a side after `turn` moves, including the current one."""
    return max(1.25 * points - 1.7 * turn, points / 4)


class Limit(NamedTuple):
    """A time system, in seconds.

    Attributes:
        main: main time.
        period: length of a byo-yomi period, 0 for none.
        moves: moves to make in a period.
        increment: added after each move.
        longest: upper bound on the time for a move; None for no bound.
    """

    main: float
    period: float = 0
    moves: int = 1
    increment: float = 0
    longest: float | None = None

    def __str__(self) -> str:
        """In words: `60 s a side + 1 s a move`, `5 s a move`."""
        main = f"{self.main:g} s a side" if self.main else ""
        bonus = f"{self.increment:g} s a move" if self.increment else ""
        each = "a move" if self.moves == 1 else f"for {self.moves} moves"
        then = f"{self.period:g} s {each}" if self.period else ""
        return ", then ".join(filter(None, (" + ".join(filter(None, (main, bonus))), then)))


class Left(NamedTuple):
    """The time that a side has left.

    Attributes:
        seconds: of main time or of a period.
        stones: 0 in main time, else the moves left in the period (or the periods left).
        turn: the side's accepted moves at its last decision; None if `time_left` came since.
        late: average number of seconds by which its recent decisions exceeded their budgets.
    """

    seconds: float
    stones: int
    turn: int | None = None
    late: float = 0.0


@dataclass(frozen=True, slots=True)
class Clock:
    """The time settings and the time left to each side; by default no limit."""

    limit: Limit | None = None
    left: Mapping[Colour, Left] = field(default_factory=dict)
    periods: bool = False
    """The stones of `time_left` are the periods left, as with `byoyomi`."""

    def corrected(self, colour: Colour, seconds: float, stones: int) -> "Clock":
        """The clock after `time_left`.

        Main time that passed outside decisions, in messages and on a busy machine, counts as their
        lateness. Controllers that send whole seconds may mean up to one more.
        """
        before = self.left.get(colour)
        late = 0.0 if before is None else before.late
        if before is not None and not (before.stones or stones or float(seconds).is_integer()):
            late += min(max(before.seconds - seconds, 0), RESERVE) / MEMORY
        return self._with(colour, Left(max(seconds, 0), stones, None, late))

    def allowed(self, colour: Colour) -> float:
        """Seconds after which a decision of a side that was `asked` loses on time."""
        left = self.left.get(colour)
        if left is None:
            return math.inf
        limit = self.limit or Limit(0)
        seconds = left.seconds if left.stones else left.seconds + limit.period
        return seconds if limit.longest is None else min(seconds, limit.longest)

    def runs(self, colour: Colour) -> bool:
        """True if there is a limit for this side."""
        return self.limit is not None or colour in self.left

    def timed(
        self,
        view: View,
        decide: Callable[[View, float], A],
        now: Callable[[], float],
        longest: float = math.inf,
    ) -> tuple[A, "Clock"]:
        """A decision in a view of a side for which the clock `runs`, and the clock after it.

        Args:
            view: what the side knows.
            decide: makes the decision in about the seconds it is given.
            now: seconds on a running clock, from any origin.
            longest: upper bound on the time for the decision.
        """
        clock = self.asked(view.colour, view.turn)
        budget = clock.budget(view.colour, grid(view.rules.size).points, view.turn)
        assert budget is not None, "the clock runs"
        seconds, began = min(budget, longest), now()
        answer = decide(view, seconds)
        return answer, clock.thought(view.colour, now() - began, seconds)

    def restarted(self) -> "Clock":
        """The clock of a new game, with the same settings."""
        return Clock(self.limit, periods=self.periods)

    def asked(self, colour: Colour, turn: int) -> "Clock":
        """The clock when a side has to decide after `turn` moves of its own.

        A move since its last decision brings the increment, and may have begun another period.
        """
        left, limit = self.left.get(colour), self.limit
        if left is None:
            if limit is None:
                return self
            periods_only = limit.period and not limit.main
            seconds, stones = (limit.period, limit.moves) if periods_only else (limit.main, 0)
            left = Left(seconds, stones, turn)
        seconds, stones = left.seconds, left.stones
        if limit is not None and left.turn is not None and turn > left.turn:
            seconds += limit.increment
            if stones and (self.periods or stones == 1):
                seconds, stones = limit.period, limit.moves
            elif stones:
                stones -= 1
        return self._with(colour, Left(seconds, stones, turn, left.late))

    def thought(self, colour: Colour, seconds: float, given: float) -> "Clock":
        """The clock after a decision of a side that took `seconds` of the `given` ones."""
        left, limit = self.left.get(colour), self.limit
        if left is None:
            return self
        late = left.late + (min(max(seconds - given, 0), RESERVE) - left.late) / MEMORY
        seconds, stones = left.seconds - seconds, left.stones
        if seconds <= 0 and limit is not None and limit.period and not stones:
            seconds, stones = max(seconds + limit.period, 0), limit.moves
        return self._with(colour, Left(seconds, stones, left.turn, late))

    def _with(self, colour: Colour, left: Left) -> "Clock":
        return replace(self, left={**self.left, colour: left})

    def budget(self, colour: Colour, points: int, turn: int) -> float | None:
        """Seconds for a decision; None without a limit.

        Args:
            colour: the side to decide, for which `asked` was called.
            points: number of points on the board.
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
            sure -= max(left.late, LEAST) * points / 2  # the game may be longer than expected
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

    A byo-yomi time without stones means no limit, as GTP specifies, and so do three zeros.
    """
    main, period, stones = (whole(word) for word in words)
    if (period and not stones) or not (main or period):
        return UNLIMITED
    return Clock(Limit(main, period, max(stones, 1)))


def named_clock(words: Sequence[str]) -> Clock:
    """`kata-time_settings SYSTEM [TIME...]`."""
    kind, *values = words
    match kind, values:
        case "none", []:
            return UNLIMITED
        case "absolute", [main]:
            return Clock(Limit(_seconds(main)))
        case "fischer", [main, increment]:
            return Clock(Limit(_seconds(main), increment=_seconds(increment)))
        case "fischer-capped", [main, increment, cap, longest]:
            decimal(cap)  # the controller applies it, and sends time_left
            bound = decimal(longest)
            limit = Limit(_seconds(main), increment=_seconds(increment))
            return Clock(limit._replace(longest=bound if bound >= 0 else None))
        case "byoyomi", [main, period, periods]:
            whole(periods, 1)
            return Clock(Limit(_seconds(main), _seconds(period)), periods=True)
        case "canadian", [main, period, stones]:
            return Clock(Limit(_seconds(main), _seconds(period), whole(stones, 1)))
    raise Failure("syntax error")


def _seconds(word: str) -> float:
    seconds = decimal(word)
    if seconds < 0:
        raise Failure("syntax error")
    return seconds
