"""Checks of numbers from outside, with the same error messages everywhere, and the number of cores
that bounds some of them.
"""

import math
import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import cache, wraps
from inspect import Parameter, getattr_static, signature
from numbers import Integral, Real
from pathlib import Path
from types import FunctionType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from phantomgo.errors import BadText, PhantomGoError

MOST: Final = 10**9
"""The largest count of anything."""
OURS: Final = ("phantomgo.", "bots.", "namedtuple_")
"""Beginnings of the names of modules whose methods are public."""
OWN: Final = ("Referee.attempt", "Referee.view", "View.after", "Rules.profile")
"""Public methods that check what they are given themselves."""


def cores() -> int:
    """The number of processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def whole(
    what: str, value: object, low: int = 0, high: int = MOST, error: type[PhantomGoError] = BadText
) -> int:
    """The value, if it is a whole number from `low` to `high`; else an `error` calls it `what`."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= int(value) <= high:
        raise error(f"{what} {_shown(value)} is not a whole number from {low} to {high}")
    return int(value)


def number(
    what: str, value: object, low: float, high: float, error: type[PhantomGoError] = BadText
) -> float:
    """The value, if it is a number from `low` to `high`; else an `error` calls it `what`."""
    if isinstance(value, bool) or not isinstance(value, Real) or not low <= float(value) <= high:
        raise error(f"{what} {_shown(value)} is not a number from {low:.10g} to {high:.10g}")
    return float(value) + 0.0  # minus zero becomes zero


def unknown(what: str, name: object, known: Iterable[str], more: str = "") -> str:
    """The error message for a name of nothing known: with the nearest, or all and `more`."""
    names, given = list(known), str(name)[:40]
    near = get_close_matches(given, names, 1, cutoff=0.7)
    offer = f"did you mean {near[0]}?" if near else f"there are {', '.join(names) or 'none'}{more}"
    return f"no {what} {given!r}; {offer}"


def read_number(text: str) -> float:
    """The number that somebody typed, in digits of any script, with a point or a comma.

    Raises:
        ValueError: the text is not one.
    """
    if "_" in text:
        raise ValueError
    return float(text.strip().translate(str.maketrans(",\uff0c\uff0e\N{MINUS SIGN}", "...-")))


def typed(found: Any) -> Any:
    """A public function that checks its arguments' types, or a class whose methods do.

    They raise BadText, which names the parameter, the value and the type, and guard the class of
    what they return, too. Anything else is as it is.
    """
    if isinstance(found, type):
        _guard(found, () if hasattr(found, "__post_init__") else ("__init__", "__new__"))
    return _checked(found, last=False) if isinstance(found, FunctionType) else found


@cache
def _guard(kind: type, made: tuple[str, ...] = ()) -> None:
    """Let our methods of a class, and those that make it, check their arguments.

    This is for classes that a script names or is given: the games of our commands would take a
    third longer. OWN ones check already, and a class with `__post_init__` checks its fields.
    """
    for name in (name for name in dir(kind) if name[0] != "_" or name in made):
        method = getattr_static(kind, name)
        inner = getattr(method, "__func__", method)
        known = hasattr(inner, "__wrapped__") or getattr(inner, "__qualname__", "") in OWN
        given = get_type_hints(inner).get("return") if known and inner is method else None
        if isinstance(given, type) and given is not kind:  # else nobody guards what it returns
            _guard(given)
        if isinstance(inner, FunctionType) and inner.__module__.startswith(OURS) and not known:
            checked = _checked(inner)
            setattr(kind, name, checked if inner is method else type(method)(checked))


def _checked(found: FunctionType, *, last: bool = True) -> Any:
    """The function, after a look at its arguments; it guards what it returns unless it is last."""
    takes = signature(found).parameters.values()
    places = [one.name for one in takes if one.kind < Parameter.VAR_POSITIONAL]
    hints, called = cache(lambda: get_type_hints(found)), found.__qualname__.partition(".__")[0]

    @wraps(found)
    def checked(*args: Any, **more: Any) -> Any:
        known = hints()
        for name, value in (*zip(places, args, strict=False), *more.items()):
            hint = known.get(name, value.__class__)
            if value.__class__ is hint:  # nearly always, and methods of games are called often
                continue
            if not _fits(value, hint):
                wanted = hint.__name__ if hint.__class__ is type else hint
                wanted = str(wanted).replace("collections.abc.Sequence", "list")
                raise BadText(f"{called}: {name} {value!r:.40} is not {wanted}")
            if Path in get_args(hint) and not str(value).isprintable():
                raise BadText(f"{name} {_shown(value)} has a character that cannot be shown")
        made = found(*args, **more)
        if not last:
            _guard(type(made))  # type: ignore[arg-type]
        return made

    return checked


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


def _shown(value: object) -> str:
    finite = isinstance(value, float) and math.isfinite(value)
    return f"{value:g}" if finite else repr(value)[:40]
