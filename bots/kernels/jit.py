"""How kernels are compiled, and where the machine code is kept between runs.

Numba's cache looks at one file only: it serves a stale kernel when a function imported from
another file has changed. So the cache folder is named after everything that goes into the
machine code, all sources of this package and the versions of the compiler.
"""

import atexit
import hashlib
import logging
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import llvmlite.binding
import numba
from numba.core import event

from phantomgo.files import cache_folder


def kernel_digest() -> str:
    """A digest of all that goes into the machine code."""
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    for version in (sys.version, numba.__version__, llvmlite.__version__):
        digest.update(version.encode())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """A writable folder: NUMBA_CACHE_DIR, the user's cache, or a private temporary one."""
    folder = cache_folder() / f"kernels-{kernel_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        private = tempfile.mkdtemp(prefix="phantomgo-kernels-")
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return Path(private)


class _Announcer(event.Listener):
    """Logs, once in a process, that kernels are being compiled.

    Numba starts this event only after a look into its cache, so it is never a false alarm.
    """

    def __init__(self) -> None:
        self._announced = False

    def on_start(self, _event: event.Event) -> None:
        if not self._announced:
            self._announced = True
            log.info("compiling the playout kernels, once; about 10 s")

    def on_end(self, _event: event.Event) -> None:
        """Nothing: the attempt that waited for it tells."""


log = logging.getLogger(__name__)
event.register("numba:compile", _Announcer())

numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]


def processor() -> str:
    """What the kernels are compiled for, as LLVM names it: `znver4`, `cascadelake`."""
    return str(llvmlite.binding.get_host_cpu_name())


ENTRY: Final[dict[str, Any]] = {"cache": True, "nogil": True}
"""Options of a kernel that is called from Python."""

INLINE: Final[dict[str, Any]] = {"cache": True, "nogil": True, "forceinline": True}
"""Options of a function that kernels call in their inner loops."""
