"""Read JSON objects field by field, naming the field when something is wrong with it."""

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple, Self

from phantomgo.errors import BadText, PhantomGoError
from phantomgo.points import PointSet, grid, parse_points

_SHOWN: Final = 60
MAX_TEXT: Final = 200
_TELLING: Final = {
    "training": "book", "growth": "book of moves", "won": "matrix", "layers": "net",
}  # fmt: skip
"""Fields that only files of one kind have."""


class Kind(NamedTuple):
    """The kind of text that is read, in a word (`book`), and the error that it raises."""

    noun: str
    error: type[PhantomGoError]


def parse_json(text: str, kind: Kind) -> Any:
    """Parse strict JSON: no NaN, no infinities, no repeated fields.

    Raises:
        kind.error: the text is not such JSON.
    """

    def once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, value in pairs:
            if key in result:
                raise kind.error(f"{key[:_SHOWN]}: is given twice")
            result[key] = value
        return result

    def no_constant(text: str) -> Any:
        raise kind.error(f"not JSON: {text} is not a number")

    try:
        return json.loads(text, object_pairs_hook=once_each, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        raise kind.error(
            f"not JSON: {error.msg} in line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise kind.error(f"not a {kind.noun}: nested too deeply") from error
    except PhantomGoError:
        raise
    except ValueError as error:  # a number with thousands of digits
        raise kind.error(f"not JSON: {str(error)[:_SHOWN]}") from error


class Fields:
    """A JSON object that is being read.

    Every method takes out a field; if it is missing or invalid, it raises the kind's error with the
    field's path.
    """

    def __init__(self, value: Any, kind: Kind, path: str = "") -> None:
        self._kind, self._path = kind, path
        if not isinstance(value, dict):
            name = path.removesuffix(".") or f"the {kind.noun}"
            raise kind.error(f"{name}: {_show(value)} is not an object")
        self._left = dict(value)

    @classmethod
    def of_file(cls, text: str, kind: Kind, most: int, form: int) -> Self:
        """The object of a file's text, once it has at most `most` characters and says its format.

        Raises:
            kind.error: it is longer, of another kind or format, or not JSON.
        """
        if len(text) > most:
            raise kind.error(f"longer than {most} characters")
        top = cls(parse_json(text, kind), kind)
        for key, noun in _TELLING.items():
            if top.has(key) and noun != kind.noun:
                raise kind.error(f"it is a {noun}, not a {kind.noun}")
        top.whole("format", form, form)
        return top

    def wrong(self, key: str, why: str) -> PhantomGoError:
        """The error for a field, to be raised."""
        return self._kind.error(f"{self._path}{key[:_SHOWN]}: {why}")

    def finish(self) -> None:
        """Refuse fields that no one has taken out."""
        for key in self._left:
            raise self.wrong(key, f"is not a field of a {self._kind.noun}")

    def has(self, key: str) -> bool:
        return key in self._left

    def is_null(self, key: str) -> bool:
        """True if the field is there and null; then it is taken out."""
        if self._left.get(key, 0) is not None:
            return False
        del self._left[key]
        return True

    def any_text(self, key: str, most: int) -> str:
        """A text of any characters, at most `most` of them."""
        return self._any_text(key, self._take(key), most)

    def any_texts(self, key: str, most: int) -> list[str]:
        return [self._any_text(key, value, most) for value in self.items(key)]

    def text(self, key: str, pattern: re.Pattern[str] | None = None, most: int = MAX_TEXT) -> str:
        """A text in printable characters, from 1 of them to `most`."""
        value = self._take(key)
        if not isinstance(value, str) or not value.isprintable():
            raise self.wrong(key, f"{_show(value)} is not printable text")
        if not 0 < len(value) <= most:
            raise self.wrong(key, f"has {len(value)} characters, not 1 to {most}")
        if pattern is not None and not pattern.fullmatch(value):
            raise self.wrong(key, f"{_show(value)} does not match {pattern.pattern}")
        return value

    def choice(self, key: str, allowed: Collection[str]) -> str:
        value = self._take(key)
        if not isinstance(value, str) or value not in allowed:
            raise self.wrong(key, f"{_show(value)} is not one of {', '.join(allowed)}")
        return value

    def truth(self, key: str) -> bool:
        value = self._take(key)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{_show(value)} is not true or false")
        return value

    def stones(self, key: str, size: int) -> PointSet:
        """Some points of a board of this size, but not all, as GTP vertices."""
        try:
            points = parse_points(self.any_texts(key, MAX_TEXT), size)
        except BadText as error:
            raise self.wrong(key, str(error)) from None
        if not 0 < points < grid(size).full:
            raise self.wrong(key, "leaves the board empty or full")
        return points

    def whole(self, key: str, low: int, high: int) -> int:
        return self._whole(key, self._take(key), low, high)

    def number(self, key: str, low: float, high: float) -> float:
        return self._number(key, self._take(key), low, high)

    def numbers(self, key: str, low: float, high: float) -> list[float]:
        return [self._number(key, value, low, high) for value in self.items(key)]

    def object(self, key: str) -> "Fields":
        return Fields(self._take(key), self._kind, f"{self._path}{key}.")

    def objects(self, key: str) -> list["Fields"]:
        return [
            Fields(value, self._kind, f"{self._path}{key}[{index}].")
            for index, value in enumerate(self.items(key))
        ]

    def names(self) -> list[str]:
        """The fields that have not been taken out."""
        return list(self._left)

    def inner(self, most: int) -> Iterator[tuple[str, "Fields"]]:
        """All remaining fields, which are objects, with names of at most `most` characters."""
        for key in self.names():
            if len(key) > most or not key.isprintable() or not key.isascii():
                raise self.wrong(
                    key, f"is not a name in printable ASCII of up to {most} characters"
                )
            yield key, self.object(key)

    def mapping(self, key: str) -> dict[str, Any]:
        """An object that is kept as it is, for people to read."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise self.wrong(key, f"{_show(value)} is not an object")
        return value

    def texts(self, key: str) -> dict[str, str]:
        """An object all of whose fields are texts as `text` reads them."""
        inner = self.object(key)
        return {name: inner.text(name) for name in list(inner._left)}

    def _take(self, key: str) -> Any:
        if key not in self._left:
            raise self.wrong(key, "is missing")
        return self._left.pop(key)

    def items(self, key: str) -> list[Any]:
        """A list of anything, for the caller to check."""
        value = self._take(key)
        if not isinstance(value, list):
            raise self.wrong(key, f"{_show(value)} is not a list")
        return value

    def _any_text(self, key: str, value: Any, most: int) -> str:
        if not isinstance(value, str):
            raise self.wrong(key, f"{_show(value)} is not text")
        if len(value) > most:
            raise self.wrong(key, f"has {len(value)} characters, more than {most}")
        return value

    def _whole(self, key: str, value: Any, low: int, high: int) -> int:
        if type(value) is not int or not low <= value <= high:
            allowed = f"a whole number from {low} to {high}" if low < high else str(low)
            raise self.wrong(key, f"{_show(value)} is not {allowed}")
        return value

    def _number(self, key: str, value: Any, low: float, high: float) -> float:
        good = type(value) in (int, float) and low <= value <= high
        if not good or not low <= float(value) <= high:  # a large one may be rounded up
            raise self.wrong(key, f"{_show(value)} is not a number from {low:g} to {high:g}")
        return float(value)


def _show(value: Any) -> str:
    """A value as an error message shows it: short, whatever it is."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if type(value) is int and abs(value) > 10**20:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
