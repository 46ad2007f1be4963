"""The playouts of a decision: a fixed number, or as many as fit into a time.

A search deals its playouts in the parts that its pace names, and reports how many it has played:

    for room in pace.parts(rounds):     # the first of this many equal rounds of what is left
        ... play about `room` playouts ...
        pace.done += ...

A number is dealt at once. A time is filled according to the speed measured so far, so that a search
has played all its rounds when the time is over, however fast the machine is. A decision made by the
clock is not a pure function of the view (law 2 in CONTRIBUTING.md), so books, which need one,
refuse such bots.

A decision that nobody waits for any more ends early, when it calls `go_on`.
"""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

FIRST: Final = 256
"""Playouts that measure the speed, played however short the time is."""
LEAST: Final = 32
"""Fewer playouts are not worth a call of the kernel."""
MOST: Final = 50_000
"""Playouts between two looks at the clock, and about a tenth of a second that Ctrl-C waits."""

PIECE: Final = 10_000
"""Playouts of a thread between two checks whether anybody still waits."""


class Unwanted(Exception):
    """Nobody waits for the decision of this thread any more."""


class _Thread(threading.local):
    ended: Callable[[], bool] = bool


thread = _Thread()
"""`ended()` is True once nobody waits for the decisions of this thread; usually it is False."""


def go_on() -> None:
    """Raise Unwanted if nobody waits for this thread's decision."""
    if thread.ended():
        raise Unwanted


class Counted:
    """A number of playouts."""

    def __init__(self, total: int) -> None:
        self.done = 0
        self._total = total

    def parts(self, rounds: int) -> Iterator[int]:
        yield (self._total - self.done) // rounds


class Timed:
    """Playouts until a number of seconds have passed."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.done = 0
        self._clock = clock
        self._end = clock() + seconds
        self._begin: float | None = None

    def parts(self, rounds: int) -> Iterator[int]:
        now = self._clock()
        if self._begin is None:
            self._begin = now
            yield FIRST
        end = now + max(self._end - now, 0) / rounds
        while (fitting := self._fitting(end)) >= LEAST:
            yield min(fitting, MOST)

    def _fitting(self, end: float) -> int:
        """The playouts that fit into the time at the speed so far."""
        now = self._clock()
        assert self._begin is not None
        passed = max(now - self._begin, 1e-6)
        return int(self.done * (end - now) / passed)


Pace: TypeAlias = Counted | Timed
"""The budget that a search draws on; `done` is the number of playouts so far."""
