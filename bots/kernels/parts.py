"""Compiling functions that only kernels call, as parts of those kernels.

By itself such a function is only translated for LLVM. Numba would optimise it, too, turn it into
machine code, and wrap that for calls from elsewhere, before it is put into its callers and all that
is done again with them; a third of the time to compile went there.
"""

import ctypes
from typing import Any, Final

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

_RAISE_TYPE_ERROR: Final = ctypes.cast(ctypes.pythonapi.PyErr_BadArgument, ctypes.c_void_p).value


class _Nowhere:
    """Takes the place of the machine code, to which numba hands constants that no kernel uses."""

    def set_env(self, name: str, environment: object) -> None:
        """Forget them."""


class _Part(JITCodeLibrary):
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
        super().__init__(typing, target, library or _Part(target.codegen(), "part"), *rest)
