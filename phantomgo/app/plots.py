"""The papers' figures, each in a file, drawn with matplotlib (the optional extra `plot`)."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from phantomgo.errors import BadText, MissingExtra, PhantomGoError
from phantomgo.portfolio.exploit import Strengths, Table

Paper: TypeAlias = Mapping[tuple[str, int], float]
"""Published rates in %, by method and K'."""
COLOURS: Final = (
    "#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6",
    "#a96b59", "#e76300", "#b9ac70", "#717581", "#92dadd",
)  # fmt: skip
"""Ten colours that colour-blind readers can tell apart (Petroff, arXiv 2107.02270)."""
INK: Final = {"light": ("#1c1c1c", "#ffffff"), "dark": ("#e4e4e4", "#131416")}
"""The colours of lines and text, and of the background, by theme."""
STYLE: Final = {
    "font.size": 10,
    "axes.titlesize": 10,
    "legend.fontsize": 10,
    "lines.markersize": 5,
    "errorbar.capsize": 2,
    "svg.hashsalt": "phantomgo",
}
"""One size of text for matplotlib, and a fixed salt, so that equal figures are equal files."""
SIZE: Final = (8.0, 4.5)
"""Width and least height of a figure, in inches."""
NEXT: Final = 0.045
"""Least distance between two labels, as a share of the height in `SIZE`."""
ADAPTED: Final = """<style type="text/css">@media (prefers-color-scheme: dark) {{
[style*="stroke: {0}"] {{ stroke: {2} !important }} [style*="fill: {0}"] {{ fill: {2} !important }}
[style*="fill: {1}"] {{ fill: {3} !important }} }}</style>
"""
"""A style sheet that makes an SVG follow the reader's light or dark mode."""

Drawn: TypeAlias = Callable[[Any], None]
"""A function that draws into the axes it is given."""


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
    """Check that a figure can be drawn into this file, before the work for it begins.

    Raises:
        BadText: its suffix is not a picture format, or its folder does not exist.
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
        path: the name and format of the files (png, svg, pdf).
        title: the games and players.
        tables: the tables for growing K, with the same methods and exploiters.
        spread: the seeds' strengths.
        paper: the published rates for this board in %, by method and K'; may be empty.

    Raises:
        PhantomGoError: a file cannot be written.
    """
    what = f"{title}, {len(tables[-1].rates)} repeats"
    for row, method in enumerate(tables[-1].methods):
        drawn = partial(_draw_learning, title=f"{method}: {what}", row=row, tables=tables)
        _save(_named(path, method), drawn)
    last = tables[-1]
    _save(
        _named(path, "exploitability"), partial(_draw_exploitability, title=what, table=last),
        len(last.methods),
    )  # fmt: skip
    frontier = partial(_draw_frontier, title=what, table=last, paper=paper)
    _save(_named(path, "frontier"), frontier, len(last.methods) + len({name for name, _ in paper}))
    _save(_named(path, "strengths"), partial(_draw_strengths, title=what, spread=spread))


def _draw_learning(panel: Any, title: str, row: int, tables: Sequence[Table]) -> None:
    """Draw the winning rate against K, a curve for each K'; bars are standard errors."""
    sizes, ends = [table.own for table in tables], {}
    for column, exploiter in enumerate(tables[-1].exploiters):
        means = np.array([100 * table.mean[row, column] for table in tables])
        errors = np.array([100 * table.error[row, column] for table in tables])
        panel.errorbar(sizes, means, errors, marker=".")
        ends[f"K'={exploiter}"] = sizes[-1], means[-1]
    _frame(panel, title, "K, seeds learned on")
    _label(panel, ends)


def _draw_exploitability(panel: Any, title: str, table: Table) -> None:
    for row, _ in enumerate(table.methods):
        means, errors = 100 * table.mean[row], 100 * table.error[row]
        panel.errorbar(table.exploiters, means, errors, marker=".", linestyle=_line(row))
    panel.set_xscale("log", base=2)
    panel.set_xticks(table.exploiters, [str(k) for k in table.exploiters])
    _frame(panel, f"{title}, K={table.own}", "K', seeds the opponent tries")
    tries = table.exploiters[-1]
    ends = zip(table.methods, 100 * table.mean[:, -1], strict=True)
    _label(panel, {method: (tries, rate) for method, rate in ends})


def _draw_frontier(panel: Any, title: str, table: Table, paper: Paper) -> None:
    """Draw rates against the most tries over rates against the fewest: upper right is better."""
    few, many = table.exploiters[0], table.exploiters[-1]
    means, errors = 100 * table.mean[:, [0, -1]], 100 * table.error[:, [0, -1]]
    points = {}
    for method, (one, most), (up, across) in zip(table.methods, means, errors, strict=True):
        panel.errorbar(most, one, up, across, marker="o", linestyle="")
        points[method] = most, one
    for method, k in paper:
        if k == few and (method, many) in paper:
            star = points[f"{method}, CIG 2016"] = paper[method, many], paper[method, few]
            panel.plot(*star, "*", color=panel.xaxis.label.get_color())
    panel.set_title(f"{title}, K={table.own}", loc="left")
    panel.set(xlabel=f"winning rate in %, K'={many}", ylabel=f"winning rate in %, K'={few}")
    _label(panel, points, len(table.methods))


def _draw_strengths(panel: Any, title: str, spread: Strengths) -> None:
    rates, places = 100 * spread.rates, np.arange(1, len(spread.rates) + 1)
    panel.plot(places, rates)
    middle, noise = rates.mean(), 100 * spread.noise
    panel.axhspan(middle - noise, middle + noise, color=COLOURS[1], alpha=0.25)
    _frame(panel, f"strength of the seeds: {title}", "place of the seed, worst to best")
    panel.set_ylim(max(0, rates.min() - 5), min(100, rates.max() + 5))
    _label(panel, {"seeds": (places[-1], rates[-1]), "by chance alone": (places[-1], middle)})


def _line(row: int) -> str:
    """The line style of a curve; the ten colours repeat."""
    return ("-", "--", ":")[row // len(COLOURS) % 3]


def _label(panel: Any, ends: Mapping[str, tuple[float, float]], coloured: int = 100) -> None:
    """Label points at the right of the panel, one label above another, with a line to each.

    Args:
        panel: the panel, whose limits are set.
        ends: the points by label, in the order of their colours.
        coloured: the number of labels with colours of their own; the others have the text's.
    """
    panel.autoscale_view()
    ink = panel.xaxis.label.get_color()
    colours = [*(COLOURS * len(ends))[: min(coloured, len(ends))], *[ink] * len(ends)]
    place = panel.transData + panel.transAxes.inverted()
    found = [
        (float(place.transform(point)[1]), name, point, colour)
        for (name, point), colour in zip(ends.items(), colours, strict=False)
    ]
    gap = NEXT * SIZE[1] / panel.figure.get_figheight()
    heights: list[float] = []
    for height, *_ in sorted(found):
        heights.append(max(height, heights[-1] + gap) if heights else height)
    ceiling = 1.0
    for number in reversed(range(len(heights))):
        heights[number] = min(heights[number], ceiling)
        ceiling = heights[number] - gap
    for number, (_, name, point, colour) in enumerate(sorted(found)):
        panel.annotate(
            name, point, (1.05, heights[number]), textcoords="axes fraction",
            verticalalignment="center", annotation_clip=False,
            arrowprops={
                "arrowstyle": "-", "color": colour, "linewidth": 0.6, "relpos": (0, 0.5),
            },
        )  # fmt: skip


def _frame(panel: Any, title: str, below: str) -> None:
    panel.set_title(title, loc="left")
    panel.set(xlabel=below, ylabel="winning rate in %", ylim=(0, 100))
    panel.axhline(50, color=panel.xaxis.label.get_color(), linestyle="--", linewidth=0.8)


def _named(path: Path, figure: str) -> Path:
    """The file of one figure among several."""
    return path.with_name(f"{path.stem}-{re.sub(r'[^a-z0-9.]+', '-', figure)}{path.suffix}")


def _save(path: Path, drawn: Drawn, names: int = 0) -> None:
    """Draw a figure into its file; an SVG adapts to dark mode, other formats get a dark copy.

    Args:
        path: the file; NAME-dark.png is written beside NAME.png.
        drawn: draws the figure.
        names: labels that need room at its right.
    """
    pyplot = load_pyplot()
    for theme, (ink, paper) in INK.items():
        if theme == "dark" and path.suffix == ".svg":
            continue
        inked = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
        plain = ("figure.facecolor", "axes.facecolor")
        colours = dict.fromkeys(inked, ink) | dict.fromkeys(plain, paper)
        file = path if theme == "light" else path.with_name(f"{path.stem}-dark{path.suffix}")
        with pyplot.rc_context(STYLE | colours):
            size = SIZE[0], max(SIZE[1], 0.2 * names + 0.8)
            figure, panel = pyplot.subplots(figsize=size, layout="constrained")
            panel.set_prop_cycle(color=COLOURS)
            drawn(panel)
            try:
                figure.savefig(file)
                if file.suffix == ".svg":
                    _adapt(file)
            except OSError as error:
                raise PhantomGoError(
                    f"--plot {file} cannot be written: {error.strerror}"
                ) from error
            finally:
                pyplot.close(figure)


def _adapt(file: Path) -> None:
    """Let an SVG follow the reader's preference for dark mode."""
    text, style = file.read_text(), ADAPTED.format(*INK["light"], *INK["dark"])
    head, end, rest = text.partition("<defs>")
    file.write_text(f"{head}{style}{end}{rest}")
