"""The papers' figures, from published.toml: texts, and the rates of CIG 2016, Table I."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from phantomgo.match.text import markdown
from phantomgo.portfolio.exploiter import EXPLOITERS
from phantomgo.portfolio.setup import AnySetup, Setup

ENOUGH: Final = 300
"""The fewest training seeds for which a table is compared with the paper's, which has 380."""


class Figure(NamedTuple):
    """A winning rate in %, and its standard error over 1000 repeats."""

    rate: float
    error: float


@cache
def _found() -> dict[str, Any]:
    """The papers' figures, by experiment."""
    return tomllib.loads((files("phantomgo.app") / "published.toml").read_text(encoding="utf-8"))


def published(setup: AnySetup, seeds: int) -> dict[tuple[str, int], Figure]:
    """The paper's figures by method and K'; none for games that it doesn't have.

    Nor are there any if too few seeds were learned on.
    """
    if not isinstance(setup, Setup) or seeds < ENOUGH:
        return {}
    return {
        (method, exploiter): Figure(*figure)
        for method, row in _found()["table1"].get(str(setup.rules.size), {}).items()
        for exploiter, figure in zip(EXPLOITERS, row, strict=True)
    }


def _shown(figure: Sequence[float]) -> str:
    """A rate and its error; nothing where the text of a paper lacks it."""
    return " ± ".join(map(str, figure))


def printed(experiment: str, size: int) -> str:
    """A paper's figures of an experiment on a board, in Markdown."""
    found = _found()[experiment]
    if isinstance(found, str):
        return found
    table = found[str(size)]
    if isinstance(table, str):
        return table
    rows = ([name, *map(_shown, row)] for name, row in table.items())
    return "\n".join(markdown(["method", *(f"K'={k}" for k in EXPLOITERS)], rows))
