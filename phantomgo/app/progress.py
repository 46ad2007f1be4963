"""Progress of long work on stderr: a bar with the time left on a terminal, else plain lines."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TextIO

from phantomgo.lab.run.progress import Advance

SECONDS: Final = 10.0
"""Seconds between two plain lines."""


def _nothing() -> str:
    return ""


@contextmanager
def progress(what: str, total: int, beside: Callable[[], str] = _nothing) -> Iterator[Advance]:
    """Show the progress of `total` things called `what`, and `beside`, until the block ends."""
    if total == 0:
        yield lambda _: None
    elif sys.stderr.isatty() and sys.stdin.isatty():
        # A fifth of a second.
        from prompt_toolkit.shortcuts import ProgressBar, ProgressBarCounter  # noqa: PLC0415
        from prompt_toolkit.shortcuts.progress_bar import formatters  # noqa: PLC0415

        shown = [formatters.Label(), formatters.Text(" "), formatters.Bar(), formatters.Progress()]
        estimate = Estimate(total)
        with ProgressBar(file=sys.stderr, formatters=shown) as bar:
            counter: ProgressBarCounter[None] = bar(label=what, total=total)

            def advance(number: int) -> None:
                estimate.advance(number)
                counter.items_completed += number
                counter.label = ", ".join(filter(None, (what, estimate.left, beside())))
                bar.invalidate()

            yield advance
    else:
        yield ProgressLines(what, total, sys.stderr, beside=beside).advance


class TerminalProgress:
    """Shows the laboratory's progress, and what `beside` returns."""

    def __init__(self) -> None:
        self.beside: Callable[[], str] = _nothing

    def stage(self, what: str, total: int) -> AbstractContextManager[Advance]:
        return progress(what, total, self.beside)

    def watch(self, state: Callable[[], str]) -> None:
        self.beside = state

    def note(self, sentence: str) -> None:
        print(f"phantomgo: {sentence}", file=sys.stderr, flush=True)


class Estimate:
    """Estimates the time until all are done.

    Time before the first one is ignored, as kernels are compiled then.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._clock = total, clock
        self.done = 0
        self._first: tuple[float, int] | None = None
        self.now = clock()

    def advance(self, number: int) -> None:
        """Count this many more as done."""
        self.done += number
        self.now = self._clock()
        if number and self._first is None:
            self._first = self.now, self.done

    @property
    def left(self) -> str:
        """`3:34 left`, or "" while there is no estimate."""
        began, first = self._first or (self.now, self.done)
        if self.done == first or self.now <= began:
            return ""
        pace = (self.done - first) / (self.now - began)
        return f"{_clock_text((self._total - self.done) / pace)} left"


class ProgressLines:
    """A line every ten seconds and one at the end.

    `games: 1200 of 10000, 41 a second, 3:34 left`
    """

    def __init__(
        self,
        what: str,
        total: int,
        out: TextIO,
        clock: Callable[[], float] = time.monotonic,
        beside: Callable[[], str] = _nothing,
    ) -> None:
        self._what, self._total, self._out, self._beside = what, total, out, beside
        self._estimate = Estimate(total, clock)
        self._start = self._last = self._estimate.now

    def advance(self, number: int) -> None:
        self._estimate.advance(number)
        now = self._estimate.now
        if now - self._last >= SECONDS or self._estimate.done == self._total:
            self._last = now
            print(self._line(now - self._start), file=self._out, flush=True)

    def _line(self, seconds: float) -> str:
        done, ahead = self._estimate.done, self._estimate.left
        if done == self._total:
            ahead = f"done in {_clock_text(seconds)}"
        pace = f"{done / max(seconds, 1e-9):.3g} a second"
        parts = (f"{self._what}: {done} of {self._total}", pace, ahead, self._beside())
        return ", ".join(filter(None, parts))


def _clock_text(seconds: float) -> str:
    """`59:03`, or `12:59:03` from an hour on."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
