"""CIG 2016, Table I: the paper's winning rates after learning on K = 380 of 400 seeds."""

from typing import Final, NamedTuple

from phantomgo.match.text import markdown
from phantomgo.portfolio.exploit import ALPHAS, BEST_SPARSE
from phantomgo.portfolio.setup import AnySetup, Setup


class Figure(NamedTuple):
    """A winning rate in %, and its standard error over 1000 repeats."""

    rate: float
    error: float


def _figures(text: str) -> tuple[Figure, ...]:
    """`50 30.5±0.9`: a figure for each of K' = 1, 2, 4, 8, 16."""
    pairs = (word.partition("±") for word in text.split())
    return tuple(Figure(float(rate), float(error or 0)) for rate, _, error in pairs)


# The rows: one seed (called baseline there), bestseed, nash, sparse for each alpha.
_ROWS: Final = ("oneseed", "bestseed", "nash", *ALPHAS)
_TABLE: Final = {
    5: """
        50        30.5±0.9  12.5±0.7   0.5±0.2   0.0±0.0
        70.7±1.0  49.8±1.1  23.4±0.9   4.8±0.4   0.2±0.1
        63.8±0.3  56.1±0.2  50.3±0.2  45.4±0.2  41.3±0.2
        68.3±0.6  56.4±0.6  43.9±0.5  32.8±0.4  24.4±0.3
        74.7±0.8  57.7±0.9  36.7±0.9  20.2±0.6   9.0±0.4
        76.2±0.9  55.2±1.1  31.9±1.0   8.7±0.6   0.9±0.2
    """,
    7: """
        50        23.0±0.9   8.5±0.6   0.5±0.2   0.5±0.2
        66.5±1.0  44.1±1.1  19.9±0.9   3.9±0.4   0.1±0.1
        58.3±0.2  52.8±0.2  48.1±0.2  44.2±0.1  41.1±0.1
        59.6±0.3  51.1±0.3  44.0±0.2  38.7±0.2  33.2±0.2
        58.7±0.6  44.1±0.6  30.9±0.5  21.4±0.4  14.5±0.3
        56.4±1.1  33.0±1.0  13.7±0.8   1.7±0.3   0.0±0.0
    """,
    9: """
        50        27.0±1.0   4.0±0.4   1.0±0.2   0.0±0.0
        54.4±1.1  32.8±1.0  12.2±0.7   2.8±0.4   0.1±0.0
        51.9±0.1  48.4±0.1  45.6±0.1  43.5±0.1  41.6±0.1
        52.2±0.3  45.3±0.2  39.4±0.2  35.3±0.2  31.1±0.2
        52.4±0.6  38.6±0.5  27.6±0.4  18.4±0.4  12.5±0.3
        52.9±1.1  27.3±1.0   8.2±0.6   1.2±0.2   0.1±0.1
    """,
}
_EXPLOITERS: Final = (1, 2, 4, 8, 16)
ENOUGH: Final = 300
"""The fewest training seeds for which a table is compared with the paper's."""


def published(setup: AnySetup, seeds: int) -> dict[tuple[str, int], Figure]:
    """The paper's figures by method and K'; none for games that it doesn't have.

    Nor are there any if too few seeds were learned on. For BEST_SPARSE they are the highest of the
    sparse rows, chosen after the test.
    """
    if not isinstance(setup, Setup) or setup.rules.size not in _TABLE or seeds < ENOUGH:
        return {}
    rows = map(_figures, _TABLE[setup.rules.size].strip().splitlines())
    found = {
        (method, exploiter): figure
        for method, row in zip(_ROWS, rows, strict=True)
        for exploiter, figure in zip(_EXPLOITERS, row, strict=True)
    }
    for exploiter in _EXPLOITERS:
        found[BEST_SPARSE, exploiter] = max(found[method, exploiter] for method in ALPHAS)
    return found


def printed(size: int) -> str:
    """Return the paper's table of a board, in Markdown."""
    figures = zip(_ROWS, map(_figures, _TABLE[size].strip().splitlines()), strict=True)
    rows = ([method, *(f"{one.rate} ± {one.error}" for one in row)] for method, row in figures)
    return "\n".join(markdown(["method", *(f"K'={k}" for k in _EXPLOITERS)], rows))
