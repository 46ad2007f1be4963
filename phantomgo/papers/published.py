"""The papers' figures, from published.toml."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from phantomgo.papers.report import Rate


@cache
def _found() -> dict[str, Any]:
    return tomllib.loads((files("phantomgo.papers") / "published.toml").read_text(encoding="utf-8"))


def published(
    experiment: str, row: str, columns: int, part: str | None = None
) -> list[Rate | None]:
    """The paper's figures in a row, one for each column; None where it has none.

    Args:
        experiment: the section of published.toml.
        row: the row's name.
        columns: their number.
        part: a table of the section, if it has several.
    """
    rows = _found()[experiment]
    if part is not None:
        rows = rows.get(part, {})
    cells: Sequence[Any] = rows.get(row, ())
    found = [_rate(cell) for cell in cells]
    return [*found, *[None] * (columns - len(found))][:columns]


def _rate(cell: float | Sequence[float]) -> Rate | None:
    if isinstance(cell, Sequence):
        return Rate(*map(float, cell)) if cell else None
    return Rate(float(cell))
