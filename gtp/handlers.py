"""Tables of commands: for each name the function that handles it.

The first parameter of a handler is what the command works on, a role or the session; the others are
the arguments of the command, as text. A parameter with a default is optional, `*words` takes any
number. A handler returns the text of the response, None for an empty one.
"""

import inspect
from collections.abc import Callable, Mapping
from typing import NamedTuple

Reply = str | None


class Handler(NamedTuple):
    """The function that handles a command, and the number of its arguments (None: no limit)."""

    run: Callable[..., Reply]
    least: int
    most: int | None

    @classmethod
    def of(cls, run: Callable[..., Reply]) -> "Handler":
        parameters = list(inspect.signature(run).parameters.values())[1:]
        single = [p for p in parameters if p.kind is not p.VAR_POSITIONAL]
        least = sum(p.default is p.empty for p in single)
        return cls(run, least, len(single) if single == parameters else None)


def table(functions: Mapping[str, Callable[..., Reply]]) -> dict[str, Handler]:
    """The table of these functions by the names of their commands."""
    return {name: Handler.of(function) for name, function in functions.items()}
