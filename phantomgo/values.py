"""Values from outside, read by the same rules and refused in the same words everywhere.

A form says which values are allowed. `of` takes a value of Python, JSON, TOML or SQLite, `read` a
text: a word of a spec `NAME:KEY=VALUE,...`, of a GTP command, or of a form on a page.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, Final, Protocol, TypeAlias

from phantomgo.checks import shown, unknown
from phantomgo.errors import BadText, PhantomGoError

MOST: Final = 10**9
"""The greatest whole number, if none is given."""
MAX_TEXT: Final = 200
Value: TypeAlias = int | float | str
"""A value in a spec."""
_WHOLE: Final = re.compile("[0-9]{1,19}")
_PLAIN: Final = re.compile(r"[0-9]{1,9}(?:\.([0-9]+))?")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


class Unfit(ValueError):
    """A value is not allowed; the message may follow a name: `7 is not one of 1, 2`."""


class Form(Protocol):
    """The values that are allowed somewhere."""

    @property
    def allowed(self) -> str:
        """The allowed values, in words that may follow `is not`."""

    def of(self, value: object) -> Any:
        """The value, in its usual type.

        Raises:
            Unfit: it is not allowed.
        """

    def read(self, text: str) -> Any:
        """The value of a text.

        Raises:
            Unfit: it is not allowed.
        """


def unfit(value: object, form: Form) -> Unfit:
    """The error for a value that is not allowed."""
    return Unfit(f"{shown(value)} is not {form.allowed}")


@dataclass(frozen=True)
class Whole:
    """A whole number."""

    low: int = 0
    high: int = MOST

    @property
    def allowed(self) -> str:
        if self.low == self.high:
            return str(self.low)
        return f"a whole number from {self.low} to {self.high}"

    def of(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise unfit(value, self)
        if not self.low <= int(value) <= self.high:
            raise unfit(value, self)
        return int(value)

    def read(self, text: str) -> int:
        if not _WHOLE.fullmatch(text):
            raise unfit(text, self)
        return self.of(int(text))


@dataclass(frozen=True)
class Number:
    """A number; as a text in plain decimals if their count is limited."""

    low: float
    high: float
    decimals: int | None = None

    @property
    def allowed(self) -> str:
        if self.decimals is None:
            return f"a number from {self.low:.10g} to {self.high:.10g}"
        low, high = written(float(self.low)), written(float(self.high))
        return f"a number from {low} to {high} with up to {self.decimals} decimals"

    def of(self, value: object) -> float:
        given: Any = value  # compared as it is: not every integer can be made a float
        good = isinstance(value, Real) and not isinstance(value, bool)
        if not (good and self.low <= given <= self.high):
            raise unfit(value, self)
        found = float(given) + 0.0  # minus zero becomes zero
        if not self.low <= found <= self.high:  # a large one may be rounded up
            raise unfit(value, self)
        return found

    def read(self, text: str) -> float:
        if self.decimals is None:
            if not _DECIMAL.fullmatch(text):
                raise unfit(text, self)
            return self.of(float(text))
        plain = _PLAIN.fullmatch(text)
        if plain is None or len(plain[1] or "") > self.decimals:
            raise unfit(text, self)
        return self.of(float(text))


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    options: Collection[str]

    @property
    def allowed(self) -> str:
        return f"one of {', '.join(self.options)}"

    def of(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.options:
            raise unfit(value, self)
        return value

    read = of


@dataclass(frozen=True)
class Text:
    """A text; of printable characters only, unless `anything` is set."""

    most: int = MAX_TEXT
    least: int = 1
    pattern: re.Pattern[str] | None = None
    anything: bool = False

    @property
    def allowed(self) -> str:
        return "text" if self.anything else "printable text"

    def of(self, value: object) -> str:
        if not isinstance(value, str) or not (self.anything or value.isprintable()):
            raise unfit(value, self)
        if not self.least <= len(value) <= self.most:
            limits = f"not {self.least} to {self.most}" if self.least else f"more than {self.most}"
            raise Unfit(f"has {len(value)} characters, {limits}")
        if self.pattern is not None and not self.pattern.fullmatch(value):
            raise Unfit(f"{shown(value)} does not match {self.pattern.pattern}")
        return value

    read = of


@dataclass(frozen=True)
class Source:
    """The name of something bundled, or a file, which need not exist."""

    allowed: str

    def of(self, value: object) -> str:
        if not isinstance(value, str) or not 0 < len(value) <= MAX_TEXT or not value.isprintable():
            raise unfit(value, self)
        return value

    read = of


ON_OFF: Final = Choice(("on", "off"))


def read_whole(text: str, low: int = 0, high: int = MOST) -> int | None:
    """The whole number that a text is; None for any other text."""
    try:
        return Whole(low, high).read(text)
    except Unfit:
        return None


def checked(what: str, value: object, form: Form, error: type[PhantomGoError] = BadText) -> Any:
    """The value, if a form allows it; else an `error` calls it `what`."""
    try:
        return form.of(value)
    except Unfit as why:
        raise error(f"{what} {why}") from None


def checked_int(
    what: str, value: object, low: int = 0, high: int = MOST, error: type[PhantomGoError] = BadText
) -> int:
    """The value, if it is a whole number from `low` to `high`; else an `error` calls it `what`."""
    found: int = checked(what, value, Whole(low, high), error)
    return found


def checked_number(
    what: str, value: object, low: float, high: float, error: type[PhantomGoError] = BadText
) -> float:
    """The value, if it is a number from `low` to `high`; else an `error` calls it `what`."""
    found: float = checked(what, value, Number(low, high), error)
    return found


def typed_number(text: str) -> float:
    """The number that somebody typed, in digits of any script, with a point or a comma.

    Raises:
        ValueError: the text is not one.
    """
    if "_" in text:
        raise ValueError
    return float(text.strip().translate(str.maketrans(",\uff0c\uff0e\N{MINUS SIGN}", "...-")))


def kind_of(text: str, known: Iterable[str], noun: str) -> tuple[str, str]:
    """The name a spec begins with, and what follows the colon."""
    kind, _, tail = text.partition(":")
    names = list(known)
    if kind not in names:
        raise BadText(unknown(noun, kind, names))
    return kind, tail


def options(what: str, tail: str, forms: Mapping[str, Form]) -> dict[str, Any]:
    """The values of the keys in `KEY=VALUE,KEY=VALUE`; none for an empty text.

    `forms` has the keys of `what`, as errors call it.

    Raises:
        BadText: there is no such key, it is given twice, or its value is not allowed.
    """
    found: dict[str, Any] = {}
    for item in tail.split(",") if tail else []:
        key, _, text = item.partition("=")
        if key not in forms:
            known = ", ".join(forms) or "no parameters"
            raise BadText(f"{what} has no parameter {key[:40]!r}; it has {known}")
        if key in found:
            raise BadText(f"{what} parameter {key} is given twice")
        try:
            found[key] = forms[key].read(text)
        except Unfit:
            raise BadText(f"{what} {key}={text[:40]} is not {forms[key].allowed}") from None
    return found


Keys: TypeAlias = Mapping[str, tuple[Value, Form]]
"""The default and the allowed values of each key."""


def options_or_defaults(what: str, tail: str, keys: Keys) -> dict[str, Any]:
    """The values of all keys: as `options` has them, or else the defaults."""
    defaults = {key: default for key, (default, _) in keys.items()}
    return defaults | options(what, tail, {key: form for key, (_, form) in keys.items()})


def written(value: Value) -> str:
    """A value as text in a spec."""
    return f"{value:.6f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
