"""Ends engines and everything they started, even if their runner was killed.

An engine has a process group, which can be killed at once. Processes that have left the group
(`setsid`, as servers do) are found by a mark: an environment variable, which children inherit.
Linux shows the environment of every process; on other systems only the group is killed. A process
that has left the group and cleared its environment is not reached: nothing ties it to the engine.

A runner that is killed cannot end its engines, and a busy engine does not notice that its input was
closed. So each runner starts this file once as a small process, which reads

    +PID TIME MARK    the process group PID has started, its first process at this time
    -PID TIME MARK    it has ended

and at the end of its input, when the runner is gone, kills what is left. By then an engine may have
ended by itself and its number may be another process's. So Linux's time of start tells whether it
is, and a process is looked at once more when a descriptor of it is held, which no other can have.
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
from collections.abc import Callable

VARIABLE = "PHANTOMGO_ENGINES"
"""Contains the marks of the engines a process belongs to, outermost first: an engine may be a
runner itself."""
PATIENCE = 2.0
"""Seconds after which a process that survives SIGKILL is given up."""
GROUP, START = 2, 19
"""Places of the process group and the time of start in /proc/PID/stat, after the name (proc(5))."""

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
    _tell(f"+{group} {_started(group)} {mark}\n")


def ended(group: int, mark: str) -> None:
    """Register that a process group has ended; its first process has been waited for."""
    _tell(f"-{group} 0 {mark}\n")


def kill(group: int, mark: str) -> None:
    """Kill a process group of this process's child, and all with this mark that can be found.

    Until the child has been waited for, nobody else has its number.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
    _kill_all(lambda process: mark in _marks(process))


def kill_left(group: int, start: int, mark: str) -> None:
    """Kill the rest of a group whose first process may have ended, and all with this mark."""
    if not start:  # a system without /proc
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        return

    def is_left(process: int) -> bool:
        if mark in _marks(process):
            return True
        ours = _started(group) in (0, start)  # if not, no process of the group is left
        return ours and _group(process) == group

    _kill_all(is_left)


def _kill_all(wanted: Callable[[int], bool]) -> None:
    """Kill all processes of this system that are wanted, and what they start meanwhile."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and (left := [*filter(wanted, _processes())]):
        for process in left:
            _kill_if(process, wanted)


def _kill_if(process: int, wanted: Callable[[int], bool]) -> None:
    """Kill a process if it is wanted, once its number cannot become another's."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return
    except (AttributeError, OSError):  # on other systems, before Linux 5.3, and where forbidden
        if wanted(process):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        return
    try:
        if wanted(process):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
    finally:
        os.close(handle)


def _processes() -> list[int]:
    """All processes, where the system shows them."""
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    except OSError:
        return []


def _stat(process: int) -> list[bytes]:
    """The fields of a process that follow its name, its state first; empty if it has ended."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return []


def _started(process: int) -> int:
    """The time at which a process was started, in ticks since the system was; 0 if unknown."""
    return int(fields[START]) if (fields := _stat(process)) else 0


def _group(process: int) -> int:
    """The process group of a process; 0 if it has ended, waited for or not."""
    fields = _stat(process)
    return int(fields[GROUP]) if fields and fields[0] not in (b"Z", b"X") else 0


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
    engines: dict[tuple[int, str], int] = {}
    for line in sys.stdin:
        group, start, mark = line[1:].split()
        if line[0] == "+":
            engines[int(group), mark] = int(start)
        else:
            engines.pop((int(group), mark), None)
    for (group, mark), started in engines.items():
        kill_left(group, started, mark)


if __name__ == "__main__":
    watch()
