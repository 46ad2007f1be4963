"""Values in specs `NAME:KEY=VALUE,KEY=VALUE`, of bots and of methods, read in this one place.

Unknown names and keys, unreadable values and values that are not allowed are errors.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from phantomgo.checks import unknown
from phantomgo.errors import BadText

Value: TypeAlias = int | float | str

_NUMBER: Final = re.compile(r"[0-9]{1,9}(?:\.([0-9]+))?")


class Form(Protocol):
    """The values that a key takes."""

    @property
    def allowed(self) -> str:
        """The allowed values, in words that may follow `is not`."""

    def read(self, text: str) -> Value | None:
        """The value that a text stands for; None if it is not allowed."""


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high}"

    def read(self, text: str) -> int | None:
        good = re.fullmatch("[0-9]{1,18}", text) and self.low <= int(text) <= self.high
        return int(text) if good else None


@dataclass(frozen=True)
class Decimal:
    """A number in plain decimals."""

    low: float
    high: float
    places: int = 3

    @property
    def allowed(self) -> str:
        low, high = written(self.low), written(self.high)
        return f"a number from {low} to {high} with up to {self.places} decimals"

    def read(self, text: str) -> float | None:
        number = _NUMBER.fullmatch(text)
        if number is None or len(number[1] or "") > self.places:
            return None
        return float(text) if self.low <= float(text) <= self.high else None


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    options: tuple[str, ...]

    @property
    def allowed(self) -> str:
        return f"one of {', '.join(self.options)}"

    def read(self, text: str) -> str | None:
        return text if text in self.options else None


@dataclass(frozen=True)
class Source:
    """The name of something bundled, or a file, which need not exist."""

    allowed: str

    def read(self, text: str) -> str | None:
        return text if 0 < len(text) <= 200 and text.isprintable() else None


ON_OFF: Final = Choice(("on", "off"))


def kind_of(text: str, known: Iterable[str], noun: str) -> tuple[str, str]:
    """The name a spec begins with, and what follows the colon."""
    kind, _, tail = text.partition(":")
    names = list(known)
    if kind not in names:
        raise BadText(unknown(noun, kind, names))
    return kind, tail


def options(what: str, tail: str, forms: Mapping[str, Form]) -> dict[str, Value]:
    """The values of the keys in `KEY=VALUE,KEY=VALUE`; none for an empty text.

    `forms` has the keys of `what`, as errors call it.

    Raises:
        BadText: there is no such key, it is given twice, or its value is not allowed.
    """
    found: dict[str, Value] = {}
    for item in tail.split(",") if tail else []:
        key, _, text = item.partition("=")
        if key not in forms:
            known = ", ".join(forms) or "no parameters"
            raise BadText(f"{what} has no parameter {key[:40]!r}; it has {known}")
        if key in found:
            raise BadText(f"{what} parameter {key} is given twice")
        value = forms[key].read(text)
        if value is None:
            raise BadText(f"{what} {key}={text[:40]} is not {forms[key].allowed}")
        found[key] = value
    return found


def written(value: Value) -> str:
    """A value as text in a spec."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
