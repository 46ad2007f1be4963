"""The entry of the command `phantomgo`, which imports little before Ctrl-C has a handler."""

# `signal` itself would take four of the five milliseconds until Ctrl-C has a handler.
import _signal as signal  # type: ignore[import-not-found]
import gc
import os
import sys
import time
from types import FrameType

LOADERS = ("<frozen importlib", f"{os.sep}numba{os.sep}", f"{os.sep}llvmlite{os.sep}")
"""Parts of the names of files that load modules or compile kernels."""
AGAIN = 0.02
LONGEST = 2.0
"""Seconds until a Ctrl-C that came during an import is handled again, and until it ends the process
in any case.
"""
TIMED = hasattr(signal, "setitimer")
"""True where the system has timers that raise a signal."""
_pressed: list[float] = []


def entry() -> None:
    """Run the command line and end the process.

    If Ctrl-C has passed through `exec`, as in the compiler, CPython ends the process by the signal
    even after an orderly exit, so it is ended here.
    """
    try:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # or a script ignores it
            signal.signal(signal.SIGINT, press)
        if hasattr(signal, "pthread_sigmask"):  # `reproduce` holds it back
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        gc.set_threshold(20_000)  # the default takes a tenth of importing and compiling
        from phantomgo.app.cli import main  # noqa: PLC0415  (after the handler)

        code = main()
    except KeyboardInterrupt:
        _end()
    finally:  # an error in the arguments leaves, too
        signal.signal(signal.SIGINT, _end)
        if TIMED and signal.setitimer(signal.ITIMER_REAL, 0)[0]:  # a press waits to be looked at
            _end()
    if code == 128 + signal.SIGINT:
        sys.stderr.flush()
        os._exit(code)
    gc.freeze()  # else a last collection takes 0.3 s of every command that loaded the compiler
    sys.exit(code)


def press(_signal: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, once nothing is being loaded.

    Callbacks of importer and compiler would lose it, and a partly loaded module fails in odd ways.
    """
    while frame is not None and not any(part in frame.f_code.co_filename for part in LOADERS):
        frame = frame.f_back
    if frame is None or not TIMED:
        raise KeyboardInterrupt
    _pressed.append(time.monotonic())
    if _pressed[-1] > _pressed[0] + LONGEST:
        _end()
    signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, AGAIN)


def _end(*_: object) -> None:
    os.write(2, b"phantomgo: interrupted\n")
    os._exit(128 + signal.SIGINT)
