"""Packed matrices: the results of a store in a small JSON file, to be kept beside the books.

The format is described in books/matrices/schema.json. Like a book it is read field by field, so
that every error names the field that is wrong.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, Self

import numpy as np

from phantomgo.errors import BadStore, BadText
from phantomgo.fields import Fields, Kind
from phantomgo.files import NAME
from phantomgo.portfolio.matrix import Cell, SeedMatrix, Wins, cells
from phantomgo.portfolio.setup import AnySetup, read_setup
from phantomgo.portfolio.shelf import Shelf, folder

FORMAT: Final = 3
KIND: Final = Kind("matrix", BadStore)
MAX_BYTES: Final = 4 << 20
"""The greatest length of a file, enough for 4,900 seeds against each other."""
MAX_SEEDS: Final = 20_000


class Survivors(NamedTuple):
    """The seeds of each colour that successive halving left, ascending and as many of each."""

    black: tuple[int, ...]
    white: tuple[int, ...]


class Counts(NamedTuple):
    """Counts of games, of Black's wins and of draws."""

    games: int
    black_wins: int
    draws: int


@dataclass(frozen=True, eq=False)
class Packed:
    """A seed matrix and what it is of.

    Attributes:
        name: the file's name without `.json`.
        setup: what the games are of; rules of Phantom Go are those of their profile.
        won: where Black won.
        drawn: where the game was drawn; the same shape.
        seeds: the number of own seeds per colour, which are 0 to `seeds` - 1.
        survivors: those of them that are in the matrix; None for all. Games of two survivors count
            twice, once for each.
    """

    name: str
    setup: AnySetup
    won: SeedMatrix
    drawn: SeedMatrix
    seeds: int
    survivors: Survivors | None = None

    @property
    def counts(self) -> Counts:
        won, drawn = (self._cells(matrix) for matrix in (self.won, self.drawn))
        black_wins, draws = (sum(int(row.sum()) for row in rows) for rows in (won, drawn))
        return Counts(sum(map(len, won)), black_wins, draws)

    def _cells(self, matrix: SeedMatrix) -> list[Wins]:
        """A row for each of Black's seeds, and with survivors one for each of White's then."""
        if self.survivors is not None:
            return [*matrix.black, *matrix.white.T]
        return [*matrix.white, *matrix.black[matrix.opponents :]]

    @property
    def whole(self) -> SeedMatrix:
        """The whole matrix of Black's wins, to be split into training and test seeds.

        Raises:
            BadText: the seeds are survivors of halving, for which no test seed is fresh.
        """
        if self.survivors is not None:
            raise BadText(
                f"matrix {self.name} is of seeds that halving left, chosen by all of its games;"
                " only fresh games test them (evaluate fresh)"
            )
        return self.won

    def first(self, own: int, opponents: int) -> Self:
        """The results of the first `own` seeds against the first `opponents`."""
        won, drawn = (matrix.first(own, opponents) for matrix in (self.won, self.drawn))
        return type(self)(self.name, self.setup, won, drawn, own)

    def results(self) -> Iterator[tuple[Cell, str]]:
        """The games in the order in which they are learned, with results without margin: `B+`."""
        won, drawn = self._cells(self.won), self._cells(self.drawn)
        for (row, column), game in self._order():
            if won[row][column]:
                yield game, "B+"
            else:
                yield game, "0" if drawn[row][column] else "W+"

    def rows(self, matrix: SeedMatrix) -> list[str]:
        """A text for each row: its games' bits in base64, against opponent seed 0, 1, 2, ..."""
        return [
            base64.b64encode(np.packbits(row).tobytes()).decode() for row in self._cells(matrix)
        ]

    def _order(self) -> Iterator[tuple[tuple[int, int], Cell]]:
        """Row and column of `_cells`, and whose game it is."""
        if self.survivors is None:
            yield from ((cell, cell) for cell in cells(self.won.own, self.won.opponents))
            return
        for row, seed in enumerate(self.survivors.black):
            yield from (((row, j), (seed, j)) for j in range(self.won.opponents))
        for row, seed in enumerate(self.survivors.white, len(self.survivors.black)):
            yield from (((row, i), (i, seed)) for i in range(self.won.opponents))


def dumps(packed: Packed) -> str:
    """The matrix as JSON text; the same matrix is always the same text."""
    fields = {
        "format": FORMAT,
        "name": packed.name,
        **packed.setup.as_dict(),
        "seeds": packed.seeds,
        "opponent_seeds": packed.won.opponents,
        "survivors": None if packed.survivors is None else packed.survivors._asdict(),
        **packed.counts._asdict(),
        "matrix": packed.won.digest(),
        "won": packed.rows(packed.won),
        "drawn": packed.rows(packed.drawn) if packed.counts.draws else None,
    }
    return json.dumps(fields, indent=1, allow_nan=False) + "\n"


def loads(text: str) -> Packed:
    """Read and check a packed matrix.

    Raises:
        BadStore: the text is not a matrix; the message names the field that is wrong.
    """
    top = Fields.of_file(text, KIND, MAX_BYTES, FORMAT)
    name, setup = top.text("name", NAME), read_setup(top)
    seeds = top.whole("seeds", 1, MAX_SEEDS)
    opponents = top.whole("opponent_seeds", 1, MAX_SEEDS)
    survivors = None
    if not top.is_null("survivors"):
        survivors = _survivors(top.object("survivors"), seeds)
    elif opponents > seeds:
        raise top.wrong("opponent_seeds", f"{opponents} is more than seeds, {seeds}")
    own = seeds if survivors is None else len(survivors.black)
    said = Counts(*(top.whole(key, 0, 2 * MAX_SEEDS**2) for key in Counts._fields))
    digest = top.text("matrix", re.compile(r"[0-9a-f]{64}"))
    read = _matrix if survivors is None else _halved
    won = read(top, "won", own, opponents)
    if top.is_null("drawn"):
        drawn = SeedMatrix(*(np.zeros_like(side) for side in (won.black, won.white)))
    else:
        drawn = read(top, "drawn", own, opponents)
    packed = Packed(name, setup, won, drawn, seeds, survivors)
    top.finish()
    for key, there, counted in zip(Counts._fields, said, packed.counts, strict=True):
        if there != counted:
            raise top.wrong(key, f"{there} is not the {counted} of the results")
    if digest != won.digest():
        raise top.wrong("matrix", f"is not the digest of the results, {won.digest()}")
    if (packed.won.black & packed.drawn.black).any() or (won.white & packed.drawn.white).any():
        raise top.wrong("drawn", "has a game that Black won")
    return packed


SHELF: Final = Shelf(KIND, lambda: folder() / "matrices", MAX_BYTES, loads, dumps)
matrix_names, read_matrix, write_matrix = SHELF.names, SHELF.read, SHELF.write


def _survivors(fields: Fields, seeds: int) -> Survivors:
    found = Survivors(*(tuple(fields.wholes(key, 0, seeds - 1)) for key in Survivors._fields))
    for key, side in found._asdict().items():
        if not side or any(a >= b for a, b in pairwise(side)):
            raise fields.wrong(key, "is empty, or not ascending without repetition")
    if len(found.black) != len(found.white):
        raise fields.wrong("white", f"has {len(found.white)} seeds, black {len(found.black)}")
    fields.finish()
    return found


def _halved(top: Fields, key: str, own: int, opponents: int) -> SeedMatrix:
    """The matrix of survivors: Black's rows, then White's."""
    rows = _read_rows(top, key, [opponents] * 2 * own)
    return SeedMatrix(np.stack(rows[:own]), np.stack(rows[own:], axis=1))


def _matrix(top: Fields, key: str, own: int, opponents: int) -> SeedMatrix:
    """The matrix of all seeds: Black's rows, longer where White's own seeds are opponents too."""
    rows = _read_rows(top, key, [own] * opponents + [opponents] * (own - opponents))
    black = np.stack([row[:opponents] for row in rows])
    return SeedMatrix(black, black if own == opponents else np.stack(rows[:opponents]))


def _read_rows(top: Fields, key: str, lengths: list[int]) -> list[Wins]:
    texts = top.any_texts(key, MAX_BYTES)
    if len(texts) != len(lengths):
        raise top.wrong(key, f"has {len(texts)} rows, not {len(lengths)}")
    rows = []
    for number, (text, length) in enumerate(zip(texts, lengths, strict=True)):
        row = _row(text, length)
        if row is None:
            raise top.wrong(f"{key}[{number}]", f"is not {length} bits in base64")
        rows.append(row)
    return rows


def _row(text: str, length: int) -> Wins | None:
    """The bits of a text; None if it is not exactly what `rows` writes."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(data) != -(-length // 8) or base64.b64encode(data).decode() != text:
        return None
    bits = np.unpackbits(np.frombuffer(data, np.uint8))
    return None if bits[length:].any() else bits[:length]
