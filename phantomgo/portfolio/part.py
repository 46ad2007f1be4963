"""Parts of books: dataclasses whose fields say how they are read from JSON."""

from collections.abc import Callable
from dataclasses import MISSING, asdict, dataclass, field, fields
from re import Pattern
from typing import Any, Self, TypeAlias

from phantomgo.fields import Fields
from phantomgo.rng import MAX_SEED

Reader: TypeAlias = Callable[[Fields, str], Any]
"""Takes a value out of an object."""


def value(read: Reader, default: Any = MISSING) -> Any:
    """A field; with a default it is left out of JSON where it has that."""
    return field(default=default, metadata={"read": read})


def whole(low: int = 0, high: int = MAX_SEED, default: Any = MISSING) -> Any:
    return value(lambda given, key: given.whole(key, low, high), default)


def number(high: float = 1, low: float = 0) -> Any:
    return value(lambda given, key: given.number(key, low, high))


def text(pattern: Pattern[str] | None = None, default: Any = MISSING) -> Any:
    return value(lambda given, key: given.text(key, pattern), default)


def part(kind: "type[Part]", default: Any = MISSING) -> Any:
    return value(lambda given, key: kind.read(given.object(key)), default)


def parts(kind: "type[Part]", default: Any = MISSING) -> Any:
    return value(lambda given, key: tuple(map(kind.read, given.objects(key))), default)


def nullable(other: Any) -> Any:
    """Such a field, or null."""
    read = other.metadata["read"]
    return value(lambda given, key: None if given.is_null(key) else read(given, key))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a book."""

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
        found = cls(
            **{
                f.name: f.metadata["read"](given, f.name)
                for f in fields(cls)
                if f.default is MISSING or given.has(f.name)
            }
        )
        found.check(given)
        given.finish()
        return found

    def check(self, given: Fields) -> None:
        """Raise `given.wrong` if fields disagree."""
