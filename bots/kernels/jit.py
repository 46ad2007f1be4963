"""How kernels are compiled, and where the machine code is kept between runs.

Numba's cache looks at one file only: it serves a stale kernel when a function imported from
another file has changed. So the cache folder is named after everything that goes into the
machine code, all sources of this package and the versions of the compiler.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import llvmlite
import numba


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    for version in (sys.version, numba.__version__, llvmlite.__version__):
        digest.update(version.encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """A writable folder: NUMBA_CACHE_DIR, the user's cache, or a private temporary one."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    base = Path(os.environ.get("NUMBA_CACHE_DIR") or Path(home) / "phantomgo")
    folder = base / f"kernels-{_fingerprint()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return Path(tempfile.mkdtemp(prefix="phantomgo-kernels-"))


numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]

ENTRY: Final[dict[str, Any]] = {"cache": True, "nogil": True}
"""Options of a kernel that is called from Python."""

INLINE: Final[dict[str, Any]] = {"cache": True, "nogil": True, "forceinline": True}
"""Options of a function that kernels call in their inner loops."""
