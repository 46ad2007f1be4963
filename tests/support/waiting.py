"""Waiting for other threads and processes, and ports for them to listen at."""

import random
import socket
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 300
"""Seconds after which something is taken never to come: a slow machine compiles kernels first."""


def until(condition: Callable[[], object], what: str = "what was waited for") -> None:
    """Wait until this holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} never came"
        time.sleep(0.01)


def free_port() -> int:
    """A port that nobody listens at.

    It is none of those that connections to other servers are given (32768 and up on Linux), so
    nobody is given it before it is listened at.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port
