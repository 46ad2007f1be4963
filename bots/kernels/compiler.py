"""Numba's compiler, in less time.

A kernel is compiled once on a machine, but the first move waits for it. What each class gains is
in docs/notes/kernel-tried.md; tests/bots/kernels/test_jit.py notices if numba changes under it.
"""

import ctypes
import functools
import importlib
from collections.abc import Callable
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.np import linalg

# Numba's array functions import scipy.linalg only to see whether SciPy is installed, which takes a
# sixth of a warm start. It is, and a function that calls BLAS imports it when it is compiled.
_ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
importlib.import_module("numba.np.arraymath")
linalg.ensure_blas = _ensure_blas
_RAISE_TYPE_ERROR: Final = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value
SLOTS: Final = 1 << 14
"""Of eight bytes each, in a piece of 256 KB. Memory is only committed when used."""


class RoomyCompiler(Compiler):
    """The compiler of a kernel, with room for the frames of nested calls.

    CPython keeps the frames of Python functions in pieces of 16 KB. If a loop makes calls across
    the boundary of two pieces, each call allocates a piece and frees it again: numba, whose calls
    nest by the hundred, does so 200,000 times for a bot's kernels. A piece is as large as its first
    frame needs, so a large first frame leaves room for all others.
    """

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        return _with_room()(super().compile_extra, func)


@functools.cache
def _with_room() -> Callable[..., Any]:
    """A function that calls another; its frame is large, as it has many local names."""
    names = "=".join(f"_{i}" for i in range(SLOTS))
    scope: dict[str, Any] = {}
    exec(f"def with_room(call, *given):\n return call(*given)\n {names}=None", scope)
    function: Callable[..., Any] = scope["with_room"]
    return function


class _Nowhere:
    """Stands in for the machine code, which numba gives constants that no kernel uses."""

    def set_env(self, name: str, environment: object) -> None:
        """Forget them."""


class _PartLibrary(JITCodeLibrary):
    """Code to be linked into kernels, and nothing that could be called."""

    codegen = _Nowhere()

    def _optimize_final_module(self) -> None:
        """Leave that to the kernels."""

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int | None:  # noqa: ARG002
        """The function that Python calls."""
        self._ensure_finalized()
        return _RAISE_TYPE_ERROR


class PartCompiler(Compiler):
    """The compiler of a function that only kernels call, which is translated for LLVM and no more.

    Numba would also optimise it, turn it into machine code and wrap that for calls from Python, and
    then do all of it again in its callers.
    """

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library or _PartLibrary(target.codegen(), "part"), *rest)
