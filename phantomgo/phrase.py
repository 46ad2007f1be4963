"""English texts that keep their pattern and values, so that they can be translated."""

import re
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Final, Self

from phantomgo.game.points import Colour


class Phrase(str):
    """A text made of a pattern and values: `Phrase("{name} is to move", name="Ann")`.

    To code that reads, compares or stores it, it is the English text.

    Attributes:
        pattern: a key of the catalogues of other languages.
        values: what its fields are filled with; phrases and colours among them are translated, too.
    """

    __slots__ = ("pattern", "values")
    pattern: str
    values: Mapping[str, object]

    def __new__(cls, pattern: str, /, **values: object) -> Self:
        self = super().__new__(cls, pattern.format(**values) if values else pattern)
        self.pattern, self.values = pattern, values
        return self

    def translated(self, catalogue: Mapping[str, str]) -> str:
        """Return it by the patterns of a catalogue; those that are missing there stay English."""
        pattern = catalogue.get(self.pattern, self.pattern)
        if not self.values:
            return pattern
        return pattern.format(**{key: _in(catalogue, it) for key, it in self.values.items()})


def _in(catalogue: Mapping[str, str], value: object) -> object:
    if isinstance(value, Colour):
        return catalogue.get(str(value), str(value))
    if isinstance(value, Phrase):
        return value.translated(catalogue)
    if isinstance(value, str) and re.fullmatch(r"\d+\.\d+", value):
        return value.replace(".", DECIMAL.translated(catalogue)[1])
    return value


DECIMAL: Final = Phrase("1.5")
"""A number, as a language writes it."""


def sentences(texts: Iterable[str]) -> str:
    """Join sentences; empty ones are omitted."""
    return reduce(lambda a, b: Phrase("{a} {b}", a=a, b=b) if a and b else a or b, texts, "")


def enumerated(texts: Iterable[str]) -> str:
    """Join texts with commas; empty ones are omitted."""
    return reduce(lambda a, b: Phrase("{a}, {b}", a=a, b=b) if a and b else a or b, texts, "")
