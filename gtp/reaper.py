"""Ends engines and everything they started, even if their runner was killed.

An engine has a process group, which can be killed at once. Processes that have left the group
(`setsid`, as servers do) are found by a mark: an environment variable, which children inherit.
Linux shows the environment of every process; on other systems, and if a process has cleared its
environment, only the group is killed.

A runner that is killed cannot end its engines, and a busy engine does not notice that its input was
closed. So each runner starts this file once as a small process, which reads

    +PID MARK    the process group PID has started
    -PID MARK    it has ended

and at the end of its input, when the runner is gone, kills what is left.
"""

import atexit
import contextlib
import os
import secrets
import signal
import subprocess
import sys
import threading
import time

VARIABLE = "PHANTOMGO_ENGINES"
"""Contains the marks of the engines a process belongs to, outermost first: an engine may be a
runner itself."""
PATIENCE = 2.0
"""Seconds after which a process that survives SIGKILL is given up."""

_lock = threading.Lock()
_watcher: subprocess.Popen[bytes] | None = None


def new_mark() -> str:
    """A unique mark."""
    return secrets.token_hex(8)


def marked(mark: str) -> dict[str, str]:
    """The additions to the environment of an engine with this mark."""
    return {VARIABLE: ":".join(filter(None, (os.environ.get(VARIABLE), mark)))}


def begun(group: int, mark: str) -> None:
    """Register a process group to kill if this process dies before it calls `ended`."""
    _tell(f"+{group} {mark}\n")


def ended(group: int, mark: str) -> None:
    _tell(f"-{group} {mark}\n")


def kill(group: int, mark: str) -> None:
    """Kill a process group, and all processes with this mark that can be found."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (left := _bearing(mark)):
        for process in left:  # then look again: one may have started another meanwhile
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)


def _bearing(mark: str) -> list[int]:
    """The processes with this mark."""
    try:
        processes = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []
    return [process for process in processes if mark in _marks(process)]


def _marks(process: int) -> list[str]:
    """The marks of a process; none if it has ended or belongs to another user."""
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            variables = file.read().split(b"\0")
    except OSError:
        return []
    name = VARIABLE.encode() + b"="
    values = [variable[len(name) :] for variable in variables if variable.startswith(name)]
    return [mark for value in values for mark in value.decode("ascii", "replace").split(":")]


def _tell(line: str) -> None:
    global _watcher  # noqa: PLW0603  (one for the process, started on first use)
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
    """Read until the runner is gone, then kill what it left."""
    engines: set[tuple[int, str]] = set()
    for line in sys.stdin:
        group, mark = line[1:].split()
        (engines.add if line[0] == "+" else engines.discard)((int(group), mark))
    for group, mark in engines:
        kill(group, mark)


if __name__ == "__main__":
    watch()
