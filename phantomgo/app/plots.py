"""The papers' figures, drawn with matplotlib (the optional extra `plot`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from phantomgo.errors import BadText, MissingExtra, PhantomGoError
from phantomgo.lab.measure.adaptation import Curve
from phantomgo.lab.measure.compare import Comparison
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.exploit import Strengths, Table
from phantomgo.portfolio.exploiter import EXPLOITERS

Paper: TypeAlias = Mapping[tuple[str, int], float]
"""Published rates in %, by method and K'."""


def load_pyplot() -> Any:
    """matplotlib.pyplot, set to draw into files.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: PLC0415  (an optional extra)
        from matplotlib import pyplot  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("--plot", "matplotlib", "plot") from error
    matplotlib.use("Agg")
    return pyplot


def check(path: Path) -> None:
    """See that a figure can be drawn into this file, before the work for it begins.

    Raises:
        BadText: its ending is not a picture format, or its folder is not there.
        MissingExtra: matplotlib is not installed.
    """
    pyplot = load_pyplot()
    figure = pyplot.figure()
    formats = figure.canvas.get_supported_filetypes()
    pyplot.close(figure)
    if path.suffix[1:] not in formats:
        raise BadText(f"--plot {path} ends in no format; there are {', '.join(sorted(formats))}")
    if not path.parent.is_dir():
        raise BadText(f"--plot: there is no folder {path.parent}")


def draw(
    path: Path,
    title: str,
    tables: Sequence[Table],
    spread: Strengths,
    paper: Paper,
) -> None:
    """Draw every figure into one file, whose ending says the format (png, svg, pdf).

    For each method the winning rate against K, a curve for each K' (CIG 2016, figures 1 and 2);
    the sorted strengths of the seeds (Fast seeds, figure 1); the winning rate of all methods
    against the exploiter's tries, which shows how exploitable each is; and the frontier between
    the fewest tries and the most.

    Args:
        path: the file to write.
        title: what was played.
        tables: the tables for growing K, with the same methods and exploiters.
        spread: the seeds' strengths.
        paper: the published rates in % of this board, by method and K'; there may be none.

    Raises:
        PhantomGoError: the file cannot be written.
    """
    pyplot = load_pyplot()
    methods = tables[-1].methods
    columns = 3
    rows = -(-(len(methods) + 3) // columns)
    figure, axes = pyplot.subplots(
        rows, columns, figsize=(5 * columns, 3.6 * rows), layout="constrained", squeeze=False
    )
    panels = list(axes.flat)
    for row, method in enumerate(methods):
        _draw_learning(panels[row], method, row, tables)
    _draw_exploitability(panels[len(methods)], tables[-1])
    _draw_frontier(panels[len(methods) + 1], tables[-1], paper)
    _draw_strengths(panels[len(methods) + 2], spread)
    for panel in panels[len(methods) + 3 :]:
        panel.set_visible(False)
    figure.suptitle(f"{title} ({len(tables[-1].rates)} repeats)")
    _save(pyplot, figure, path)


def draw_learners(path: Path, title: str, curves: Mapping[str, Curve]) -> None:
    """Draw the losing rates of online learners against the logarithm of their games.

    As Reinforcing has them, figures 6 to 8.

    Args:
        path: the file to write.
        title: what was played.
        curves: each with the opponent and the colour.

    Raises:
        PhantomGoError: the file cannot be written.
    """
    pyplot = load_pyplot()
    figure, panel = pyplot.subplots(figsize=(9, 6), layout="constrained")
    for name, found in curves.items():
        games = np.unique(np.geomspace(1, len(found.lost), 60).astype(int))
        panel.plot(games, 100 * found.lost[games - 1], label=name)
    panel.set_xscale("log", base=2)
    _frame(panel, title, "games", "losing rate in %")
    _save(pyplot, figure, path)


def draw_comparison(path: Path, found: Mapping[str, Comparison]) -> None:
    """Draw winning rates against the games a learner asked for: a row for each board.

    Args:
        path: the file to write.
        found: the comparisons by title.

    Raises:
        PhantomGoError: the file cannot be written.
    """
    pyplot = load_pyplot()
    columns = max(len(done.exploiters) for done in found.values())
    figure, axes = pyplot.subplots(
        len(found),
        columns,
        figsize=(7 * columns, 5 * len(found)),
        layout="constrained",
        squeeze=False,
    )
    for panels, (title, done) in zip(axes, found.items(), strict=True):
        for column, exploiter in enumerate(done.exploiters):
            for row, learner in enumerate(done.learners):
                means, errors = 100 * done.mean[row, :, column], 100 * done.error[row, :, column]
                style = ("-", "--", ":")[row // 10 % 3]  # ten colours, then again
                panels[column].errorbar(
                    done.budgets, means, errors, marker=".", linestyle=style, label=learner
                )
            panels[column].set_xscale("log")
            _frame(panels[column], f"{title}\nK'={exploiter}", "games asked for")
            highest = 100 * done.mean[:, :, column].max()
            panels[column].set_ylim(100 * done.mean[:, :, column].min() - 2, highest + 2)
    _save(pyplot, figure, path)


def draw_books(
    path: Path, boards: Mapping[int, Sequence[Book]], papers: Mapping[int, Paper]
) -> None:
    """Draw the frontier of measured books, between the fewest tries and the most: a panel a board.

    A filled mark is a book as it is played, a hollow one the same book without symmetries.

    Args:
        path: the file to write.
        boards: the books by size.
        papers: the published rates of each size; there may be none.

    Raises:
        PhantomGoError: the file cannot be written.
    """
    pyplot = load_pyplot()
    figure, axes = pyplot.subplots(
        1, len(boards), figsize=(6 * len(boards), 5), layout="constrained", squeeze=False
    )
    for panel, (size, books) in zip(axes.flat, boards.items(), strict=True):
        for number, book in enumerate(books):
            assert book.evaluation is not None
            measured = book.evaluation.played, book.evaluation.plain
            for scores, fill, label in zip(
                measured, ("full", "none"), (book.name, None), strict=True
            ):
                one, most = scores[0], scores[-1]
                panel.errorbar(
                    100 * most.rate, 100 * one.rate, 100 * one.error, 100 * most.error,
                    marker="o", fillstyle=fill, color=f"C{number}", linestyle="", label=label,
                )  # fmt: skip
        _draw_paper(panel, papers[size], EXPLOITERS[0], EXPLOITERS[-1])
        _label_frontier(panel, f"{size}x{size}", EXPLOITERS[0], EXPLOITERS[-1], "lower center")
    _save(pyplot, figure, path)


def _draw_learning(panel: Any, method: str, row: int, tables: Sequence[Table]) -> None:
    """Winning rate against K, a curve for each K'; bars are standard deviations of the mean."""
    sizes = [table.own for table in tables]
    for column, exploiter in enumerate(tables[-1].exploiters):
        means = np.array([100 * table.mean[row, column] for table in tables])
        errors = np.array([100 * table.error[row, column] for table in tables])
        panel.errorbar(sizes, means, errors, marker=".", capsize=2, label=f"K'={exploiter}")
    _frame(panel, method, "K, seeds learned on")


def _draw_exploitability(panel: Any, table: Table) -> None:
    for row, method in enumerate(table.methods):
        means, errors = 100 * table.mean[row], 100 * table.error[row]
        panel.errorbar(table.exploiters, means, errors, marker=".", capsize=2, label=method)
    panel.set_xscale("log", base=2)
    panel.set_xticks(table.exploiters, [str(k) for k in table.exploiters])
    _frame(panel, f"exploitability, K={table.own}", "K', seeds the opponent tries")


def _draw_frontier(panel: Any, table: Table, paper: Paper) -> None:
    """Rates against the fewest tries and against the most: upper right is better."""
    few, many = table.exploiters[0], table.exploiters[-1]
    means, errors = 100 * table.mean[:, [0, -1]], 100 * table.error[:, [0, -1]]
    for method, (one, most), (up, across) in zip(table.methods, means, errors, strict=True):
        panel.errorbar(most, one, up, across, marker="o", capsize=2, linestyle="", label=method)
    _draw_paper(panel, paper, few, many)
    _label_frontier(panel, f"frontier, K={table.own}", few, many)


def _draw_paper(panel: Any, paper: Paper, few: int, many: int) -> None:
    printed = [method for method, tries in paper if tries == few and (method, many) in paper]
    if printed:
        across, up = ([paper[method, k] for method in printed] for k in (many, few))
        panel.plot(across, up, "k*", label="CIG 2016, Table I")


def _label_frontier(panel: Any, title: str, few: int, many: int, where: str = "best") -> None:
    panel.set(title=title, xlabel=f"winning rate in %, K'={many}")
    panel.set_ylabel(f"winning rate in %, K'={few}")
    panel.legend(fontsize="x-small", ncols=2, loc=where)


def _draw_strengths(panel: Any, spread: Strengths) -> None:
    rates, places = 100 * spread.rates, np.arange(1, len(spread.rates) + 1)
    panel.plot(places, rates, label="seeds, worst to best")
    middle, noise = rates.mean(), 100 * spread.noise
    panel.axhspan(middle - noise, middle + noise, alpha=0.25, label="standard deviation by chance")
    _frame(panel, "strength of the seeds", "place of the seed")
    panel.set_ylim(max(0, rates.min() - 5), min(100, rates.max() + 5))


def _frame(panel: Any, title: str, below: str, beside: str = "winning rate in %") -> None:
    panel.set(title=title, xlabel=below, ylabel=beside, ylim=(0, 100))
    panel.axhline(50, color="black", linestyle="--", linewidth=0.8)
    panel.legend(fontsize="x-small", ncols=2)


def _save(pyplot: Any, figure: Any, path: Path) -> None:
    try:
        figure.savefig(path)
    except OSError as error:
        raise PhantomGoError(f"--plot {path} cannot be written: {error.strerror}") from error
    finally:
        pyplot.close(figure)
