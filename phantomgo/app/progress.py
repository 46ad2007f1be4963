"""Progress of long work on stderr: a line with the time left, redrawn on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TextIO

from phantomgo.lab.run.progress import Advance, Progress
from phantomgo.terminal import redraws, room, say

SECONDS: Final = 10.0
"""Seconds between two plain lines."""
REDRAWN_SECONDS: Final = 0.25
"""Seconds between two looks of a line on a terminal."""


def _nothing() -> str:
    return ""


class ProgressLines:
    """A line every ten seconds and one at the end, or one line that is written again and again.

    `games: 1200 of 10000, 41 per second, 3:34 left`

    The estimate of the time left ignores the time before the first one is done, as kernels are
    compiled then.
    """

    def __init__(
        self,
        what: str,
        total: int,
        out: TextIO,
        clock: Callable[[], float] = time.monotonic,
        beside: Callable[[], str] = _nothing,
        *,
        redrawn: bool = False,
    ) -> None:
        self._what, self._total, self._out, self._beside = what, total, out, beside
        self._clock, self._redrawn, self._done = clock, redrawn, 0
        self._start = self._last = clock()
        self._first: tuple[float, int] | None = None

    def advance(self, number: int) -> None:
        """Count this many more as done."""
        self._done += number
        now = self._clock()
        if number and self._first is None:
            self._first = now, self._done
        pause = REDRAWN_SECONDS if self._redrawn else SECONDS
        if now - self._last >= pause or self._done == self._total:
            self._last = now
            if self._redrawn:
                line = self._line(now)[: room(self._out) - 1]
                print(f"\r{line}\x1b[K", end="", file=self._out, flush=True)
            else:
                print(self._line(now), file=self._out, flush=True)

    def _line(self, now: float) -> str:
        seconds = now - self._start
        ahead = f"done in {_clock_text(seconds)}" if self._done == self._total else self._left(now)
        pace = f"{self._done / max(seconds, 1e-9):.3g} per second"
        parts = (f"{self._what}: {self._done} of {self._total}", pace, ahead, self._beside())
        return ", ".join(filter(None, parts))

    def _left(self, now: float) -> str:
        """`3:34 left`; "" while there is no estimate, and once the work exceeds its total."""
        began, first = self._first or (now, self._done)
        if self._done == first or now <= began or self._done > self._total:
            return ""
        pace = (self._done - first) / (now - began)
        return f"{_clock_text((self._total - self._done) / pace)} left"


class TimedLines(ProgressLines):
    """The same for work that ends after `total` seconds: `learning: 12:30 of 1:00:00`."""

    def advance(self, number: int) -> None:
        """Show the time that has passed, whatever the number."""
        del number
        super().advance(0)

    def _line(self, now: float) -> str:
        time_passed = f"{_clock_text(now - self._start)} of {_clock_text(self._total)}"
        return ", ".join(filter(None, (f"{self._what}: {time_passed}", self._beside())))


def _clock_text(seconds: float) -> str:
    """`59:03`, or `12:59:03` from an hour on."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


@contextmanager
def progress(
    what: str,
    total: int,
    beside: Callable[[], str] = _nothing,
    shown: type[ProgressLines] = ProgressLines,
) -> Iterator[Advance]:
    """Show the progress of `total` things called `what`, and `beside`, until the block ends."""
    if total == 0:
        yield lambda _: None
        return
    redrawn = redraws(sys.stderr)
    lines = shown(what, total, sys.stderr, beside=beside, redrawn=redrawn)
    try:
        yield lines.advance
    finally:
        if redrawn:
            print(file=sys.stderr)


class TerminalProgress(Progress):
    """Shows the laboratory's progress, and what `beside` returns."""

    def __init__(self) -> None:
        self.beside: Callable[[], str] = _nothing

    def stage(self, what: str, total: int) -> AbstractContextManager[Advance]:
        return progress(what, total, self.beside)

    def timed(self, what: str, seconds: float) -> AbstractContextManager[Advance]:
        return progress(what, max(1, round(seconds)), self.beside, TimedLines)

    def watch(self, state: Callable[[], str]) -> None:
        self.beside = state

    def note(self, sentence: str) -> None:
        if redraws(sys.stderr):
            print("\r\x1b[K", end="", file=sys.stderr)  # the line of progress
        say(f"phantomgo: {sentence}", sys.stderr)
