"""Work that one process of a machine does first while the others wait, such as compiling kernels.

Waiting is not necessary, as a process that doesn't wait compiles for itself; but sixty processes
that compile the same code at once keep a machine busy for minutes.
"""

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from phantomgo.files import cache_folder

PATIENCE: Final = 180.0
"""Seconds that others wait at most: the first process may have been stopped."""
PAUSE: Final = 0.1


@contextmanager
def first_alone(what: str) -> Iterator[None]:
    """A block that one process of this machine runs alone first, and then all.

    Args:
        what: a name for the work; a file of this name marks that it has been done.
    """
    folder = cache_folder() / "ready"
    mark = folder / what
    lock = None if mark.exists() else _lock(folder, mark)
    try:
        yield
        if lock is not None:
            mark.touch()
    finally:
        if lock is not None:
            lock.close()


def _lock(folder: Path, mark: Path) -> IO[bytes] | None:
    """The lock once acquired; None if it is no longer needed or can't be acquired."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("wb")
    except OSError:
        return None
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(PAUSE)
        else:
            if not mark.exists():
                return file
            break
        if mark.exists():
            break
    file.close()
    return None
