"""Writing files that are whole at every moment."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Where what can be made again is kept: NUMBA_CACHE_DIR, or the user's cache. May not exist."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "phantomgo")


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a reader sees the old one, or none, until the new one is complete.

    Raises:
        OSError: it cannot be written; nothing has changed then.
    """
    unfinished = path.with_name(f".{path.name}.part")
    try:
        with unfinished.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise
