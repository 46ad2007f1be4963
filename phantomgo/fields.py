"""Read objects of JSON and TOML field by field; an error names the field.

A `Part` is a dataclass that declares how each of its fields is read.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import MISSING, asdict, dataclass, field, fields
from typing import Any, Final, NamedTuple, Self, TypeAlias

from phantomgo.checks import shown
from phantomgo.errors import BadText, PhantomGoError
from phantomgo.files import kind_of
from phantomgo.game.points import PointSet, grid, parse_points
from phantomgo.rng import MAX_SEED
from phantomgo.values import MAX_TEXT, Choice, Form, Number, Text, Unfit, Whole

_SHOWN: Final = 60


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

    Methods that return a value take its field out; if it is missing or invalid, they raise the
    kind's error with the field's path.
    """

    def __init__(self, value: Any, kind: Kind, path: str = "") -> None:
        self._kind, self._path = kind, path
        if not isinstance(value, dict):
            name = path.removesuffix(".") or f"the {kind.noun}"
            raise kind.error(f"{name}: {shown(value)} is not an object")
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
        noun = kind_of(top.names())
        if noun not in (None, kind.noun):
            raise kind.error(f"it is a {noun}, not a {kind.noun}")
        top.whole("format", form, form)
        return top

    def wrong(self, key: str, why: str) -> PhantomGoError:
        """The error for a field, to be raised."""
        return self._kind.error(f"{self.path(key).removesuffix('.')}: {why}")

    def finish(self) -> None:
        """Refuse fields that no one has taken out."""
        for key in self._left:
            raise self.wrong(key, f"is not a field of a {self._kind.noun}")

    def has(self, key: str) -> bool:
        return key in self._left

    def path(self, key: str) -> str:
        """The path of a field, as errors name it."""
        return f"{self._path}{key[:_SHOWN]}"

    def peek(self, key: str) -> Any:
        """The value of a field, which is not taken out; None if it is missing."""
        return self._left.get(key)

    def is_null(self, key: str) -> bool:
        """True if the field is there and null; then it is taken out."""
        if self._left.get(key, 0) is not None:
            return False
        del self._left[key]
        return True

    def take(self, key: str, form: Form) -> Any:
        """A value that a form allows."""
        return self._fit(key, self._take(key), form)

    def take_all(self, key: str, form: Form) -> list[Any]:
        """A list of values that a form allows."""
        return [self._fit(key, value, form) for value in self.items(key)]

    def text(self, key: str, pattern: re.Pattern[str] | None = None, most: int = MAX_TEXT) -> str:
        """A text in printable characters, from 1 of them to `most`."""
        return str(self.take(key, Text(most, pattern=pattern)))

    def any_text(self, key: str, most: int) -> str:
        """A text of any characters, at most `most` of them."""
        return str(self.take(key, Text(most, 0, anything=True)))

    def any_texts(self, key: str, most: int) -> list[str]:
        """A list of texts of any characters, at most `most` of them in each."""
        return self.take_all(key, Text(most, 0, anything=True))

    def choice(self, key: str, allowed: Collection[str]) -> str:
        return str(self.take(key, Choice(allowed)))

    def whole(self, key: str, low: int, high: int) -> int:
        return int(self.take(key, Whole(low, high)))

    def number(self, key: str, low: float, high: float) -> float:
        return float(self.take(key, Number(low, high)))

    def numbers(self, key: str, low: float, high: float) -> list[float]:
        return self.take_all(key, Number(low, high))

    def truth(self, key: str) -> bool:
        value = self._take(key)
        if not isinstance(value, bool):
            raise self.wrong(key, f"{shown(value)} is not true or false")
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
        """An object that is stored unchanged, for people to read."""
        value = self._take(key)
        if not isinstance(value, dict):
            raise self.wrong(key, f"{shown(value)} is not an object")
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
            raise self.wrong(key, f"{shown(value)} is not a list")
        return value

    def _fit(self, key: str, value: Any, form: Form) -> Any:
        try:
            return form.of(value)
        except Unfit as why:
            raise self.wrong(key, str(why)) from None


COUNT: Final = Whole(0, MAX_SEED)
"""A seed, or a count in a file."""
SOME: Final = Whole(1, MAX_SEED)
"""A count of at least one."""
SHARE: Final = Number(0, 1)
"""A part of a whole, or a probability."""
Reader: TypeAlias = Callable[[Fields, str], Any]
"""Takes a value out of an object."""


def declared(read: Form | Reader, default: Any = MISSING) -> Any:
    """A field of a part; one with a default may be missing, and is not written where it has that.

    Args:
        read: the form of its value, or a function that reads it.
        default: what it is if it is missing.
    """
    reader = read if callable(read) else lambda given, key: given.take(key, read)
    return field(default=default, metadata={"read": reader})


def nested_all(kind: "type[Part]", default: Any = MISSING) -> Any:
    """A field that is a list of parts."""
    return declared(lambda given, key: tuple(map(kind.read, given.objects(key))), default)


def nullable(other: Any) -> Any:
    """Such a field, or null."""
    read = other.metadata["read"]
    return declared(lambda given, key: None if given.is_null(key) else read(given, key))


@dataclass(frozen=True, slots=True)
class Part:
    """An object of a file: a dataclass whose fields say how they are read."""

    def as_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        optional = {f.name: f.default for f in fields(self) if f.default is not MISSING}
        return {
            key: plain
            for key, plain in asdict(self).items()
            if key not in optional or getattr(self, key) != optional[key]
        }

    @classmethod
    def read(cls, given: Fields) -> Self:
        """Read what `as_dict` wrote."""
        values = {
            f.name: f.metadata["read"](given, f.name)
            for f in fields(cls)
            if f.default is MISSING or given.has(f.name)
        }
        part = cls(**values)
        part.check(given)
        given.finish()
        return part

    def check(self, given: Fields) -> None:
        """Raise `given.wrong` if fields disagree."""
