"""Room for the frames of the compiler.

CPython keeps the frames of Python functions in pieces of 16 KB. If a loop makes calls across the
boundary of two pieces, each call allocates a piece and frees it again. Numba, whose calls nest by
the hundred, did that nearly 200,000 times while compiling the kernels of a bot. A piece is as large
as its first frame needs, so a large first frame leaves room for all others.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from numba.core.compiler import Compiler

Result = TypeVar("Result")

SLOTS: Final = 1 << 16
"""Half a megabyte, which makes a piece of a megabyte. Memory is only committed when used."""


def with_room(call: Callable[..., Result], *given: Any) -> Result:
    """Call a function with room behind its frame for some thousand others."""
    return call(*given)


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)


class RoomyCompiler(Compiler):
    """Numba's own compiler, with room for its frames."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        return with_room(super().compile_extra, func)
