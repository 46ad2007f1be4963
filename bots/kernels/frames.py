"""Room for the frames of the compiler.

CPython keeps the frames of Python functions in pieces of 16 KB. Where a loop calls across the
border of two pieces, each call asks the system for one and gives it back. Numba, whose calls are
nested by the hundred, did that nearly 200,000 times while the kernels of a bot were compiled. A
piece is as large as its first frame needs; so behind a frame that needs much there is room for all
others.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from numba.core.compiler import Compiler

Result = TypeVar("Result")

SLOTS: Final = 1 << 16
"""Half a megabyte, so the piece is a whole one. The system gives no memory before it is used."""


def with_room(call: Callable[..., Result], *given: Any) -> Result:
    """Call a function with room behind its frame for some thousands of others."""
    return call(*given)


with_room.__code__ = with_room.__code__.replace(co_stacksize=SLOTS)


class RoomyCompiler(Compiler):
    """Numba's own compiler, with room for its frames."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function."""
        return with_room(super().compile_extra, func)
