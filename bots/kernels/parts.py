"""Compiling functions that only kernels call, as parts of those kernels.

Such a function is only translated for LLVM. Numba would also optimise it, turn it into machine code
and wrap that for calls from Python, and then do all of it again in its callers; a third of the
compile time went there.
"""

import ctypes
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_RAISE_TYPE_ERROR: Final = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value


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
    """Numba's own compiler, but for where it puts the code."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, library or _PartLibrary(target.codegen(), "part"), *rest)
