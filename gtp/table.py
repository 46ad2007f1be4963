"""The command table: a method with `@command(name)` is the handler of that command.

Its parameters are the command's arguments, all text; one with a default may be left out and
`*words` takes any number. It returns the text of the response, None for an empty one.

A class may hand some of its commands to others: each class in its `themes` is made of an instance
and handles commands for it.
"""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, TypeVar

Reply = str | None
_Method = TypeVar("_Method", bound=Callable[..., Reply])


class Entry(NamedTuple):
    """A command: its handler (unbound), how many arguments it takes, whether it is listed."""

    handler: Callable[..., Reply]
    least: int
    most: int | None
    listed: bool


def command(name: str, *, listed: bool = True) -> Callable[[_Method], _Method]:
    """Make a method the handler of a command.

    Args:
        name: the command's name.
        listed: False for one that never succeeds, and is known only for its error text.
    """

    def mark(method: _Method) -> _Method:
        method.__dict__.setdefault("commands", []).append((name, listed))
        return method

    return mark


@cache
def table(owner: type[object]) -> dict[str, Entry]:
    """The commands that a class handles, by name; its own before those of its themes."""
    found = {}
    for theme in getattr(owner, "themes", ()):
        for name, entry in table(theme).items():
            found[name] = entry._replace(handler=_through(theme, entry.handler))
    for _, method in inspect.getmembers(owner, inspect.isfunction):
        for name, listed in method.__dict__.get("commands", ()):
            parameters = list(inspect.signature(method).parameters.values())[1:]
            least = sum(p.default is p.empty and p.kind is not p.VAR_POSITIONAL for p in parameters)
            endless = any(p.kind is p.VAR_POSITIONAL for p in parameters)
            found[name] = Entry(method, least, None if endless else len(parameters), listed)
    return found


def _through(theme: Callable[[Any], object], handler: Callable[..., Reply]) -> Callable[..., Reply]:
    """The handler of a theme as a handler of whoever it is a theme of."""
    return lambda owner, *arguments: handler(theme(owner), *arguments)
