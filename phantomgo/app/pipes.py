"""The pipes of a process that serves a protocol on stdin and stdout."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import BinaryIO


@contextmanager
def pipes() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Stdin and stdout as bytes; what is printed meanwhile goes to stderr.

    Not `sys.stdin` and `sys.stdout`: they may refuse bytes and characters, the interpreter would
    flush stdout at its end and trip over a broken pipe, and somebody's own bot may print.
    """
    with (
        open(0, "rb", closefd=False) as commands,
        open(1, "wb", closefd=False) as responses,
        redirect_stdout(sys.stderr),
    ):
        yield commands, responses
