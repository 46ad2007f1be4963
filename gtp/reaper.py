"""Ends engines whose runner is gone, however it went.

A runner that is killed cannot end its engines, and an engine that is busy does not notice that its
input was closed. So each runner starts this file once as a small process of its own, which reads

    +PID    the process group PID has begun
    -PID    it has ended

and at the end of its input, which comes when the runner dies, kills the groups that are left.
"""

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading

_lock = threading.Lock()
_watcher: subprocess.Popen[bytes] | None = None


def begun(group: int) -> None:
    """A process group to be killed if this process dies before it says `ended`."""
    _tell(f"+{group}\n")


def ended(group: int) -> None:
    _tell(f"-{group}\n")


def _tell(line: str) -> None:
    global _watcher  # noqa: PLW0603  (one for the process, started when it is first needed)
    with _lock:
        if _watcher is None:
            # A session of its own: Ctrl-C in the terminal must not end it.
            _watcher = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            atexit.register(_end)
        assert _watcher.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            _watcher.stdin.write(line.encode())
            _watcher.stdin.flush()


def _end() -> None:
    global _watcher  # noqa: PLW0603
    with _lock:
        if _watcher is not None and _watcher.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                _watcher.stdin.close()
            _watcher.wait()
        _watcher = None


def watch() -> None:
    """What the process does: read until the runner is gone, then kill what it left."""
    groups: set[int] = set()
    for line in sys.stdin:
        (groups.add if line[0] == "+" else groups.discard)(int(line[1:]))
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    watch()
