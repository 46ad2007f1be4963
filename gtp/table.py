"""The command table: a method with `@command(name)` handles the command of that name.

The parameters of the method are the arguments of the command, as text; a parameter with a default
is optional, and `*words` takes any number. It returns the text of the response, None for an empty
one.
"""

import inspect
from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeVar

Reply = str | None
_Method = TypeVar("_Method", bound=Callable[..., Reply])


class Entry(NamedTuple):
    """A command: its handler (unbound), and the number of its arguments (None: no limit)."""

    handler: Callable[..., Reply]
    least: int
    most: int | None


def command(name: str) -> Callable[[_Method], _Method]:
    """Make a method the handler of a command."""

    def mark(method: _Method) -> _Method:
        method.__dict__.setdefault("commands", []).append(name)
        return method

    return mark


@cache
def table(owner: type[object]) -> dict[str, Entry]:
    """The commands that a class handles, by name."""
    found = {}
    for _, method in inspect.getmembers(owner, inspect.isfunction):
        for name in method.__dict__.get("commands", ()):
            parameters = list(inspect.signature(method).parameters.values())[1:]
            least = sum(p.default is p.empty and p.kind is not p.VAR_POSITIONAL for p in parameters)
            endless = any(p.kind is p.VAR_POSITIONAL for p in parameters)
            found[name] = Entry(method, least, None if endless else len(parameters))
    return found
