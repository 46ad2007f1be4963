"""The papers' figures, drawn with matplotlib (the optional extra `plot`)."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from phantomgo.errors import BadText, MissingExtra, PhantomGoError
from phantomgo.lab.measure.adaptation import Curve
from phantomgo.lab.measure.compare import Comparison
from phantomgo.portfolio.book import Book
from phantomgo.portfolio.exploit import Strengths, Table
from phantomgo.portfolio.exploiter import EXPLOITERS

Paper: TypeAlias = Mapping[tuple[str, int], float]
"""Published rates in %, by method and K'."""
COLOURS: Final = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
"""Ten that colour-blind readers can tell apart (Petroff, arXiv 2107.02270)."""
SIZE: Final = (7.0, 4.5)
"""Of a figure, in inches."""
NEXT: Final = 4.0
"""Percent between the names of two curves."""


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
    """Draw each figure into a file of its own: NAME-nash.svg for NAME.svg, and so on.

    For each method the winning rate against K, a curve for each K' (CIG 2016, figures 1 and 2);
    `strengths`, the sorted strengths of the seeds (Fast seeds, figure 1); `exploitability`, the
    winning rate of all methods against the exploiter's tries; and `frontier`, between the fewest
    tries and the most.

    Args:
        path: what the files are called, and their format (png, svg, pdf).
        title: what was played.
        tables: the tables for growing K, with the same methods and exploiters.
        spread: the seeds' strengths.
        paper: the published rates in % of this board, by method and K'; there may be none.

    Raises:
        PhantomGoError: a file cannot be written.
    """
    pyplot = load_pyplot()
    what = f"{title}, {len(tables[-1].rates)} repeats"
    figures: dict[str, Callable[[Any], None]] = {
        method: partial(_draw_learning, title=f"{method}: {what}", row=row, tables=tables)
        for row, method in enumerate(tables[-1].methods)
    }
    figures["exploitability"] = partial(_draw_exploitability, title=what, table=tables[-1])
    figures["frontier"] = partial(_draw_frontier, title=what, table=tables[-1], paper=paper)
    figures["strengths"] = partial(_draw_strengths, title=what, spread=spread)
    for name, drawn in figures.items():
        figure, panel = pyplot.subplots(figsize=SIZE, layout="constrained")
        panel.set_prop_cycle(color=COLOURS)
        drawn(panel)
        slug = re.sub(r"[^a-z0-9.]+", "-", name)
        _save(pyplot, figure, path.with_name(f"{path.stem}-{slug}{path.suffix}"))


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
    panel.legend(fontsize="small", ncols=2)
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
            panels[column].legend(fontsize="x-small", ncols=2)
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
        _label_frontier(panel, f"{size}x{size}", EXPLOITERS[0], EXPLOITERS[-1])
        panel.legend(fontsize="x-small", ncols=2, loc="lower center")
    _save(pyplot, figure, path)


def _draw_learning(panel: Any, title: str, row: int, tables: Sequence[Table]) -> None:
    """Winning rate against K, a curve for each K'; bars are standard deviations of the mean."""
    sizes, ends = [table.own for table in tables], {}
    for column, exploiter in enumerate(tables[-1].exploiters):
        means = np.array([100 * table.mean[row, column] for table in tables])
        errors = np.array([100 * table.error[row, column] for table in tables])
        panel.errorbar(sizes, means, errors, marker=".", capsize=2)
        ends[f"K'={exploiter}"] = means[-1]
    _frame(panel, title, "K, seeds learned on")
    _label_ends(panel, sizes[-1], ends)


def _draw_exploitability(panel: Any, title: str, table: Table) -> None:
    for row, _ in enumerate(table.methods):
        means, errors = 100 * table.mean[row], 100 * table.error[row]
        style = ("-", "--")[row // len(COLOURS) % 2]
        panel.errorbar(table.exploiters, means, errors, marker=".", capsize=2, linestyle=style)
    panel.set_xscale("log", base=2)
    panel.set_xticks(table.exploiters, [str(k) for k in table.exploiters])
    _frame(panel, f"{title}, K={table.own}", "K', seeds the opponent tries")
    ends = dict(zip(table.methods, 100 * table.mean[:, -1], strict=True))
    _label_ends(panel, table.exploiters[-1], ends)


def _draw_frontier(panel: Any, title: str, table: Table, paper: Paper) -> None:
    """Rates against the fewest tries and against the most: upper right is better."""
    few, many = table.exploiters[0], table.exploiters[-1]
    means, errors = 100 * table.mean[:, [0, -1]], 100 * table.error[:, [0, -1]]
    for method, (one, most), (up, across) in zip(table.methods, means, errors, strict=True):
        panel.errorbar(most, one, up, across, marker="o", capsize=2, linestyle="")
        panel.annotate(method, (most, one), (5, 5), textcoords="offset points")
    _draw_paper(panel, paper, few, many)
    _label_frontier(panel, f"{title}, K={table.own}", few, many)


def _label_ends(panel: Any, across: float, ends: Mapping[str, float]) -> None:
    """Name each curve at its right end, in its colour, one name above another."""
    colours = dict(zip(ends, (COLOURS * len(ends))[: len(ends)], strict=True))
    place = -NEXT
    for name, height in sorted(ends.items(), key=lambda end: end[1]):
        place = max(place + NEXT, height)
        panel.annotate(
            name, (across, height), (1.02, place), textcoords=panel.get_yaxis_transform(),
            color=colours[name], verticalalignment="center", annotation_clip=False,
        )  # fmt: skip


def _draw_paper(panel: Any, paper: Paper, few: int, many: int) -> None:
    printed = [method for method, tries in paper if tries == few and (method, many) in paper]
    if printed:
        across, up = ([paper[method, k] for method in printed] for k in (many, few))
        panel.plot(across, up, "k*", label="CIG 2016, Table I")
        panel.legend(fontsize="small", loc="lower right")


def _label_frontier(panel: Any, title: str, few: int, many: int) -> None:
    panel.set_title(title, fontsize="small")
    panel.set(xlabel=f"winning rate in %, K'={many}", ylabel=f"winning rate in %, K'={few}")


def _draw_strengths(panel: Any, title: str, spread: Strengths) -> None:
    rates, places = 100 * spread.rates, np.arange(1, len(spread.rates) + 1)
    panel.plot(places, rates, label="seeds, worst to best")
    middle, noise = rates.mean(), 100 * spread.noise
    panel.axhspan(middle - noise, middle + noise, alpha=0.25, label="standard deviation by chance")
    _frame(panel, f"strength of the seeds: {title}", "place of the seed")
    panel.legend(fontsize="small")
    panel.set_ylim(max(0, rates.min() - 5), min(100, rates.max() + 5))


def _frame(panel: Any, title: str, below: str, beside: str = "winning rate in %") -> None:
    panel.set_title(title, fontsize="small")
    panel.set(xlabel=below, ylabel=beside, ylim=(0, 100))
    panel.axhline(50, color="black", linestyle="--", linewidth=0.8)


def _save(pyplot: Any, figure: Any, path: Path) -> None:
    try:
        figure.savefig(path)
    except OSError as error:
        raise PhantomGoError(f"--plot {path} cannot be written: {error.strerror}") from error
    finally:
        pyplot.close(figure)
