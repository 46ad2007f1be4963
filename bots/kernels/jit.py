"""Compiling kernels, and keeping the machine code between runs.

Numba's cache looks at one file only: it serves a stale kernel when a function imported from
another file has changed. So the cache folder is named after everything that goes into the
machine code, the sources of all kernels and the versions of the compiler. Kernels import nothing of
ours that lies elsewhere.
"""

import atexit
import functools
import hashlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import llvmlite.binding
import numba
from numba.core import caching, codegen

from bots.kernels.compiler import PartCompiler, RoomyCompiler
from phantomgo.errors import PhantomGoError
from phantomgo.files import PACKAGE, cache_folder, remove_left_overs
from phantomgo.interrupts import uninterrupted

_PACKAGES: Final = (Path(__file__).parents[1], PACKAGE)
"""Packages whose folders named `kernels` hold kernels."""


def kernel_digest() -> str:
    """A digest of all that goes into the machine code."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        for source in sorted(package.rglob("kernels/*.py")):
            digest.update(source.read_bytes())
    for version in (sys.version, numba.__version__, llvmlite.__version__):
        digest.update(version.encode())
    return digest.hexdigest()[:16]


@functools.cache
def code_folder() -> Path:
    """A writable folder for machine code: in NUMBA_CACHE_DIR or the user's cache, or private."""
    folder = cache_folder() / f"kernels-{kernel_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        remove_left_overs(Path(tempfile.gettempdir()), "phantomgo-kernels.*")
        private = tempfile.mkdtemp(prefix=f"phantomgo-kernels.{os.getpid()}.")
        atexit.register(shutil.rmtree, private, ignore_errors=True)
        return Path(private)


def announce(what: str) -> None:
    """Log that something is compiled, which takes seconds."""
    once = "the first time on this machine"
    again = f"at every start, as {cache_folder()} cannot be written (NUMBA_CACHE_DIR names another)"
    log.info("compiling %s, %s", what, once if kept() else again)


def kept() -> bool:
    """True if compiled code is cached for other processes."""
    return code_folder().parent == cache_folder()


class _Folder(caching.InTreeCacheLocator):
    """Tells numba to keep a kernel's code in our folder."""

    def get_cache_path(self) -> str:
        """The folder for the kernels of one package."""
        return str(code_folder() / self.get_suitable_cache_subpath(self._py_file))


class _Code(caching.CompileResultCacheImpl):
    _locator_classes: list[Any] = [_Folder]  # noqa: RUF012, as numba declares it


class _CodeFiles(caching.IndexDataCacheFile):
    """Numba's files of machine code; a damaged file counts as missing."""

    def load(self, key: Any) -> Any:
        """The code for a key, or None."""
        try:
            return super().load(key)
        except Exception as error:
            log.info("a file of compiled kernels is damaged (%s)", type(error).__name__)
            self.flush()  # else the index would be read again when the new one is saved
            return None


class _Cache(caching.FunctionCache):
    """Numba's cache of one kernel, whatever cache the user's own functions have."""

    _impl_class = _Code

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file.__class__ = _CodeFiles


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    raise PhantomGoError("NUMBA_DISABLE_JIT is set, but our kernels have to be compiled")
log = logging.getLogger(__name__)


def processor() -> str:
    """The processor that kernels are compiled for, as LLVM names it: `znver4`, `cascadelake`."""
    return str(llvmlite.binding.get_host_cpu_name())


def register_bytes() -> int:
    """The width of that processor's registers in bytes, as far as kernels use them."""
    features = numba.config.CPU_FEATURES  # type: ignore[attr-defined]
    if features is None:
        features = codegen.get_host_cpu_features()
    named = features.split(",")
    return 64 if "+avx512bw" in named else 32 if "+avx2" in named else 16


def is_compiled(kernel: Any, bits: int | None = None) -> bool:
    """True if machine code of a kernel is loaded, or cached for this processor.

    With `bits` it has to be for rows of this many, the kernel's first argument.
    """
    known = list(kernel.signatures)
    with suppress(Exception):  # a damaged index, which numba would write anew
        processor = kernel.targetctx.codegen().magic_tuple()
        index = kernel._cache._cache_file._load_index()
        known += [signature for signature, compiled_for, _ in index if compiled_for == processor]
    return any(bits is None or first.dtype.bitwidth == bits for first, *_ in known)


def entry(function: Callable[..., Any]) -> Any:
    """Compile a kernel that is called from Python, at its first call, and keep its machine code."""
    kernel: Any = numba.njit(**_PLAIN, pipeline_class=RoomyCompiler)(function)
    kernel._cache = _Cache(function)
    # Callbacks from LLVM would swallow Ctrl-C.
    kernel.compile = functools.partial(uninterrupted, kernel.compile)
    return kernel


_PLAIN: Final[dict[str, Any]] = {"nogil": True, "no_rewrites": True, "no_cfunc_wrapper": True}
"""Without what kernels have no use for: rewrites of array expressions, and a function for C."""

PART: Final[dict[str, Any]] = {**_PLAIN, "no_cpython_wrapper": True, "pipeline_class": PartCompiler}
"""Options of a function that only kernels call. Called from Python it raises TypeError; its
`.py_func` does not."""

INLINE: Final[dict[str, Any]] = {**PART, "forceinline": True}
"""The same of one in their inner loops."""
