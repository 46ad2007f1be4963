"""Checks of arguments' types, and how messages show values and offer names."""

import math
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache, wraps
from inspect import Parameter, signature
from numbers import Integral, Real
from pathlib import Path
from types import FunctionType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from phantomgo.errors import BadText

LONG: Final = 1000
"""Bits of the largest integer that a message shows in decimal digits."""


def unknown(what: str, name: object, known: Iterable[str], more: str = "") -> str:
    """The error message for a name of nothing known: with the nearest, or all and `more`."""
    names, given = list(known), str(name)[:40]
    near = get_close_matches(given, names, 1, cutoff=0.7)
    offer = f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}{more}"
    return f"no {what} {given!r}; {offer}"


def type_checked(member: Any) -> Any:
    """A public function that checks its arguments' types first; anything else is returned as it is.

    A wrong type raises BadText, which names the parameter, the value and the type. Classes check
    what their constructors are given.
    """
    if not isinstance(member, FunctionType):
        return member
    parameters = signature(member).parameters.values()
    positional = [one.name for one in parameters if one.kind < Parameter.VAR_POSITIONAL]
    hints = cache(lambda: get_type_hints(member))

    @wraps(member)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for name, value in (*zip(positional, args, strict=False), *kwargs.items()):
            hint = hints().get(name, value.__class__)
            if not _fits(value, hint):
                wanted = _in_words(hint)
                raise BadText(f"{member.__name__}: {name} {value!r:.40} is not {wanted}")
            if Path in get_args(hint) and not str(value).isprintable():
                raise BadText(f"{name} {shown(value)} has a character that cannot be shown")
        return member(*args, **kwargs)

    return checked


def _in_words(hint: Any) -> str:
    """A type as messages name it: `str or type[Bot]`, `list[str]`, `ndarray`."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(map(_in_words, inner))
    name = "list" if origin is Sequence else str(getattr(origin or hint, "__name__", hint))
    if hint is type(None):
        return "None"
    if not inner or name == "ndarray":  # with a shape and a dtype, which few users would read
        return name
    return f"{name}[{', '.join(map(_in_words, inner))}]"


def _fits(value: Any, hint: Any) -> bool:
    """True unless a value is certainly not of a type, as public functions name them."""
    if value.__class__ is hint:
        return True
    inner = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_fits(value, one) for one in inner)
    kind: Any = {int: Integral, float: Real}.get(hint, get_origin(hint) or hint)
    if not isinstance(kind, type) or kind is Any:
        return True
    if not issubclass(type(value), kind) or (type(value) is bool and kind in (Integral, Real)):
        return False
    if kind is Sequence:  # of which a text is one, too, of its characters
        return not isinstance(value, str | bytes) and all(_fits(one, *inner) for one in value)
    return kind is not tuple or ... in inner or len(value) == len(inner)


def shown(value: object) -> str:
    """The value as a message shows it."""
    if isinstance(value, int) and value.bit_length() > LONG:
        return f"{hex(value)[:40]}..."  # Python refuses to write it in decimal digits
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    finite = isinstance(value, float) and math.isfinite(value)
    return f"{value:g}" if finite else repr(value)[:60]
