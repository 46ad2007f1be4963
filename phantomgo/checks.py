"""Checks of numbers from outside, with the same error messages everywhere, and the number of cores
that bounds some of them.
"""

import math
import os
from numbers import Integral, Real
from typing import Final

from phantomgo.errors import BadText, PhantomGoError

MOST: Final = 10**9
"""The largest count of anything."""
_SHOWN: Final = 40


def cores() -> int:
    """The number of processor cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
    return float(value)


def _shown(value: object) -> str:
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:g}"
    return repr(value)[:_SHOWN]
