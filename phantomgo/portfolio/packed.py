"""Packed matrices: the results of a store in a small JSON file, shipped next to the books.

The format is described in books/matrices/schema.json. Like a book it is read field by field, so
that every error names the field that is wrong.
"""

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np

from phantomgo.errors import BadStore
from phantomgo.fields import Fields, Kind
from phantomgo.files import NAME
from phantomgo.library import Library, books_folder
from phantomgo.portfolio.matrix import Cells, SeedMatrix, Wins
from phantomgo.portfolio.setup import Setup, read_setup

FORMAT: Final = 4
KIND: Final = Kind("matrix", BadStore)
MAX_BYTES: Final = 4 << 20
"""The greatest length of a file, enough for 4,900 seeds against each other."""
MAX_SEEDS: Final = 20_000


class Counts(NamedTuple):
    """Counts of games, of Black's wins and of draws."""

    games: int
    black_wins: int
    draws: int


@dataclass(frozen=True, eq=False)
class Packed:
    """A seed matrix with its setup.

    Attributes:
        name: the file's name without `.json`.
        setup: the players and the game; rules of Phantom Go are those of their profile.
        won: where Black won.
        drawn: where the game was drawn; the same shape.
    """

    name: str
    setup: Setup
    won: SeedMatrix
    drawn: SeedMatrix

    @property
    def scores(self) -> SeedMatrix:
        """Black's scores: 1 for a win, 1/2 for a draw, which only some games have."""
        won, drawn = self.won, self.drawn
        if not self.counts.draws:
            return won
        black = won.black + drawn.black / 2
        return SeedMatrix(black, black if won.white is won.black else won.white + drawn.white / 2)

    @property
    def counts(self) -> Counts:
        won, drawn = self.won, self.drawn
        black_wins, draws = self._count(won), self._count(drawn)
        sizes = SeedMatrix(*(np.ones_like(side) for side in (won.black, won.white)))
        return Counts(self._count(sizes), black_wins, draws)

    def _count(self, matrix: SeedMatrix) -> int:
        """The sum over the games, each once."""
        shared = matrix.black[: matrix.opponents]
        return int(matrix.black.sum() + matrix.white.sum() - shared.sum())

    def first(self, own: int, opponents: int) -> Self:
        """The results of the first `own` seeds against the first `opponents`."""
        won, drawn = (matrix.first(own, opponents) for matrix in (self.won, self.drawn))
        return type(self)(self.name, self.setup, won, drawn)


def dumps(packed: Packed) -> str:
    """The matrix as JSON text; the same matrix is always the same text."""
    fields = {
        "format": FORMAT,
        "name": packed.name,
        **packed.setup.as_dict(),
        "seeds": packed.won.own,
        "opponent_seeds": packed.won.opponents,
        **packed.counts._asdict(),
        "matrix": packed.scores.digest(),
        "won": _rows(packed.won),
        "drawn": _rows(packed.drawn) if packed.counts.draws else None,
    }
    return json.dumps(fields, indent=1, allow_nan=False) + "\n"


def _rows(matrix: SeedMatrix) -> dict[str, list[str] | None]:
    """The bits of each own seed's games in base64, against opponent seed 0, 1, 2, ...

    White's are null where both colours have the same games: in a square matrix.
    """
    square = matrix.white is matrix.black
    return {"black": _texts(matrix.black), "white": None if square else _texts(matrix.white.T)}


def _texts(rows: Cells) -> list[str]:
    return [base64.b64encode(np.packbits(row).tobytes()).decode() for row in rows]


def loads(text: str) -> Packed:
    """Read and check a packed matrix; a BadStore names the field that is wrong."""
    top = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    name, setup = top.text("name", NAME), read_setup(top)
    seeds = top.whole("seeds", 1, MAX_SEEDS)
    opponents = top.whole("opponent_seeds", 1, MAX_SEEDS)
    if opponents > seeds:
        raise top.wrong("opponent_seeds", f"{opponents} is more than seeds, {seeds}")
    stated = Counts(*(top.whole(key, 0, 2 * MAX_SEEDS**2) for key in Counts._fields))
    digest = top.text("matrix", re.compile(r"[0-9a-f]{64}"))
    square = seeds == opponents
    won = _matrix(top.object("won"), seeds, opponents, square=square)
    if top.is_null("drawn"):
        black = np.zeros_like(won.black)
        drawn = SeedMatrix(black, black if won.white is won.black else np.zeros_like(won.white))
    else:
        drawn = _matrix(top.object("drawn"), seeds, opponents, square=square)
    if not square:
        for key, matrix in (("won", won), ("drawn", drawn)):
            if (matrix.black[:opponents] != matrix.white[:, :opponents]).any():
                raise top.wrong(key, "has two results of one game")
    packed = Packed(name, setup, won, drawn)
    top.finish()
    for key, count, actual in zip(Counts._fields, stated, packed.counts, strict=True):
        if count != actual:
            raise top.wrong(key, f"{count} is not the {actual} of the results")
    if (won.black * drawn.black).any() or (won.white * drawn.white).any():
        raise top.wrong("drawn", "has a game that Black won")
    if digest != packed.scores.digest():
        raise top.wrong("matrix", f"is not the digest of the results, {packed.scores.digest()}")
    return packed


LIBRARY: Final = Library(KIND, lambda: books_folder() / "matrices", MAX_BYTES, loads, dumps)
matrix_names, read_matrix, write_matrix = LIBRARY.names, LIBRARY.read, LIBRARY.write


def _matrix(fields: Fields, own: int, opponents: int, *, square: bool) -> SeedMatrix:
    """The matrix that `_rows` wrote; in a `square` one both colours have the same games."""
    black = _read_rows(fields, "black", own, opponents)
    if square and not fields.is_null("white"):
        raise fields.wrong("white", "is not null, though both colours have the same games")
    white = black if square else _read_rows(fields, "white", own, opponents).T
    fields.finish()
    return SeedMatrix(black, white)


def _read_rows(fields: Fields, key: str, count: int, length: int) -> Wins:
    texts = fields.any_texts(key, MAX_BYTES)
    if len(texts) != count:
        raise fields.wrong(key, f"has {len(texts)} rows, not {count}")
    rows = []
    for number, text in enumerate(texts):
        row = _row(text, length)
        if row is None:
            raise fields.wrong(f"{key}[{number}]", f"is not {length} bits in base64")
        rows.append(row)
    return np.stack(rows)


def _row(text: str, length: int) -> Wins | None:
    """The bits of a text; None if it is not exactly what `_texts` writes."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) != -(-length // 8) or base64.b64encode(data).decode() != text:
        return None
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    return None if bits[length:].any() else bits[:length]
