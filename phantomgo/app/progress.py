"""Progress of long work, on stderr: a bar with the time left on a terminal, else plain lines."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final, TextIO

from phantomgo.lab.progress import Advance

SECONDS: Final = 10.0
"""Between two plain lines."""


def _nothing() -> str:
    return ""


@contextmanager
def progress(what: str, total: int, beside: Callable[[], str] = _nothing) -> Iterator[Advance]:
    """Show how far `total` things called `what` are, and what is beside, until the block ends."""
    if total == 0:
        yield lambda _: None
    elif sys.stderr.isatty() and sys.stdin.isatty():
        from prompt_toolkit.shortcuts import ProgressBar, ProgressBarCounter  # noqa: PLC0415  (0.2 s)

        with ProgressBar(file=sys.stderr) as bar:
            counter: ProgressBarCounter[None] = bar(label=what, total=total)

            def advance(number: int) -> None:
                counter.items_completed += number
                counter.label = ", ".join(filter(None, (what, beside())))
                bar.invalidate()

            yield advance
    else:
        yield Lines(what, total, sys.stderr, beside=beside).advance


class Shown:
    """Shows how far the laboratory is, and what `beside` says."""

    def __init__(self) -> None:
        self.beside: Callable[[], str] = _nothing

    def stage(self, what: str, total: int) -> AbstractContextManager[Advance]:
        return progress(what, total, self.beside)

    def note(self, sentence: str) -> None:
        print(f"phantomgo: {sentence}", file=sys.stderr, flush=True)


SHOWN: Final = Shown()


class Lines:
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
        self._what, self._total, self._out, self._clock = what, total, out, clock
        self._done, self._beside = 0, beside
        self._start = self._last = clock()

    def advance(self, number: int) -> None:
        self._done += number
        now = self._clock()
        if now - self._last >= SECONDS or self._done == self._total:
            self._last = now
            print(self._line(now - self._start), file=self._out, flush=True)

    def _line(self, seconds: float) -> str:
        pace = self._done / max(seconds, 1e-9)
        ahead = f"{_clock_text((self._total - self._done) / pace)} left"
        if self._done == self._total:
            ahead = f"done in {_clock_text(seconds)}"
        said = f"{self._what}: {self._done} of {self._total}, {pace:.3g} a second, {ahead}"
        return ", ".join(filter(None, (said, self._beside())))


def _clock_text(seconds: float) -> str:
    """`59:03`, or `12:59:03` from an hour on."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
