"""Packed matrices: the results of a store in a small JSON file, to be kept beside the books.

The format is described in books/README.md. Like a book it is read field by field, and whatever is
wrong with one is refused with a message naming the field.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple, Self

import numpy as np

from phantomgo.errors import BadStore
from phantomgo.fields import Fields, Kind, parse_json
from phantomgo.portfolio import shelf
from phantomgo.portfolio.matrix import Cell, SeedMatrix, Wins, cells
from phantomgo.portfolio.setup import Setup
from phantomgo.portfolio.shelf import NAME, folder

FORMAT: Final = 2
KIND: Final = Kind("matrix", BadStore)
MAX_BYTES: Final = 4 << 20
"""No file is longer; it would hold 4,900 seeds against each other."""
MAX_SEEDS: Final = 20_000


class Counts(NamedTuple):
    """How many games there are, how many Black won, and how many were drawn."""

    games: int
    black_wins: int
    draws: int


@dataclass(frozen=True, eq=False)
class Packed:
    """A seed matrix and what it is of.

    Attributes:
        name: the file's name without `.json`.
        setup: what the games are of; its rules are those of its profile.
        won: where Black won.
        drawn: where nobody did; the same shape.
    """

    name: str
    setup: Setup
    won: SeedMatrix
    drawn: SeedMatrix

    @property
    def counts(self) -> Counts:
        games = 2 * self.won.own * self.won.opponents - self.won.opponents**2
        return Counts(games, _count(self.won), _count(self.drawn))

    def first(self, own: int, opponents: int) -> Self:
        """The results of the first `own` seeds against the first `opponents`."""
        sides = (matrix.first(own, opponents) for matrix in (self.won, self.drawn))
        return type(self)(self.name, self.setup, *sides)

    def results(self) -> Iterator[tuple[Cell, str]]:
        """The games in the order they are learned, with results that tell no margin: `B+`."""
        for i, j in cells(self.won.own, self.won.opponents):
            if _cell(self.won, i, j):
                yield (i, j), "B+"
            else:
                yield (i, j), "0" if _cell(self.drawn, i, j) else "W+"


def dumps(packed: Packed) -> str:
    """The matrix as JSON text; the same matrix is always the same text."""
    fields = {
        "format": FORMAT,
        "name": packed.name,
        **packed.setup.as_dict(),
        "seeds": packed.won.own,
        "opponent_seeds": packed.won.opponents,
        **packed.counts._asdict(),
        "matrix": packed.won.digest(),
        "won": _rows(packed.won),
        "drawn": _rows(packed.drawn) if packed.counts.draws else None,
    }
    return json.dumps(fields, indent=1, allow_nan=False) + "\n"


def loads(text: str) -> Packed:
    """Read and check a packed matrix.

    Raises:
        BadStore: the text is none; the message names the field that is wrong.
    """
    if len(text) > MAX_BYTES:
        raise BadStore(f"longer than {MAX_BYTES} characters")
    top = Fields(parse_json(text, KIND), KIND)
    top.whole("format", FORMAT, FORMAT)
    name, setup = top.text("name", NAME), Setup.read(top)
    own = top.whole("seeds", 1, MAX_SEEDS)
    opponents = top.whole("opponent_seeds", 1, own)
    said = Counts(*(top.whole(key, 0, 2 * MAX_SEEDS**2) for key in Counts._fields))
    digest = top.text("matrix", re.compile(r"[0-9a-f]{64}"))
    won = _matrix(top, "won", own, opponents)
    if top.is_null("drawn"):
        none = SeedMatrix(*(np.zeros_like(side) for side in (won.black, won.white)))
        packed = Packed(name, setup, won, none)
    else:
        packed = Packed(name, setup, won, _matrix(top, "drawn", own, opponents))
    top.finish()
    for key, there, counted in zip(Counts._fields, said, packed.counts, strict=True):
        if there != counted:
            raise top.wrong(key, f"{there} is not the {counted} of the results")
    if digest != won.digest():
        raise top.wrong("matrix", f"is not the digest of the results, {won.digest()}")
    if (packed.won.black & packed.drawn.black).any() or (won.white & packed.drawn.white).any():
        raise top.wrong("drawn", "has a game that Black won")
    return packed


def read_matrix(name_or_file: str) -> Packed:
    """The matrix of a name in the folder of matrices, or in a file.

    Raises:
        BadStore: there is no such matrix, or it is not a good one.
    """
    return shelf.read(name_or_file, folder() / "matrices", KIND, MAX_BYTES, loads)


def matrix_names() -> list[str]:
    """The shipped matrices, sorted."""
    return shelf.names(folder() / "matrices")


def write_matrix(packed: Packed, path: Path) -> None:
    """Write a file that is whole at every moment, or not there.

    Raises:
        BadStore: it would not be read back, or cannot be written.
    """
    text = dumps(packed)
    loads(text)
    shelf.write(path, text, KIND)


def _rows(matrix: SeedMatrix) -> list[str]:
    """A text for each Black seed: its games' bits in base64, against White seed 0, 1, 2, ..."""
    rows = [*matrix.white, *matrix.black[matrix.opponents :]]
    return [base64.b64encode(np.packbits(row).tobytes()).decode() for row in rows]


def _matrix(top: Fields, key: str, own: int, opponents: int) -> SeedMatrix:
    texts = top.any_texts(key, MAX_BYTES)
    if len(texts) != own:
        raise top.wrong(key, f"has {len(texts)} rows for {own} seeds")
    rows = []
    for number, text in enumerate(texts):
        length = own if number < opponents else opponents
        row = _row(text, length)
        if row is None:
            raise top.wrong(f"{key}[{number}]", f"is not {length} bits in base64")
        rows.append(row)
    black = np.stack([row[:opponents] for row in rows])
    return SeedMatrix(black, black if own == opponents else np.stack(rows[:opponents]))


def _row(text: str, length: int) -> Wins | None:
    """So many bits, or None if the text is not exactly how `_rows` writes them."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) != -(-length // 8) or base64.b64encode(data).decode() != text:
        return None
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    return None if bits[length:].any() else bits[:length]


def _cell(matrix: SeedMatrix, i: int, j: int) -> bool:
    return bool(matrix.white[i, j] if i < matrix.opponents else matrix.black[i, j])


def _count(matrix: SeedMatrix) -> int:
    """The games in it, those common to both arrays once."""
    return int(matrix.white.sum() + matrix.black[matrix.opponents :].sum())
