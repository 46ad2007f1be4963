"""The findings of an experiment: tables next to the paper's, curves, and tested predictions."""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from phantomgo.estimates import mean_error, rate_error
from phantomgo.files import write_atomically
from phantomgo.terminal import markdown

FAR: Final = 2.0
"""Two figures differ if they are more than this many combined standard errors apart."""
MARK: Final = "*"
_STATE: Final = re.compile(r"<!-- (.*) -->")


class Rate(NamedTuple):
    """A rate in % and its standard error; 0 where a paper states none."""

    value: float
    error: float = 0.0

    @classmethod
    def of(cls, share: float, error: float = 0.0) -> "Rate":
        """A share of 1 as a rate in %."""
        return cls(100 * share, 100 * error)

    @classmethod
    def of_games(cls, share: float, games: int) -> "Rate":
        """The rate of a share of independent games, with an error that is never 0."""
        return cls.of(share, float(rate_error(share, games)))

    @classmethod
    def of_scores(cls, scores: Sequence[float]) -> "Rate | None":
        """The rate of the scores of independent games; None without any."""
        return cls.of_games(sum(scores) / len(scores), len(scores)) if scores else None

    @classmethod
    def mean(cls, shares: ArrayLike) -> "Rate":
        """The mean of independent shares, with the error of their spread."""
        return cls.of(float(np.mean(np.asarray(shares))), float(mean_error(shares)))

    @classmethod
    def means(cls, rows: ArrayLike) -> list["Rate"]:
        """The mean of each column of independent rows of shares."""
        return [cls.mean(column) for column in np.transpose(np.asarray(rows))]

    def __str__(self) -> str:
        return f"{self.value:.1f} ± {self.error:.1f}" if self.error else f"{self.value:.1f}"


class Cell(NamedTuple):
    """Our figure and the paper's; None where there is none."""

    ours: Rate | None
    paper: Rate | None = None

    @property
    def differs(self) -> bool:
        """True if both are known and differ by more than their errors explain."""
        if self.ours is None or self.paper is None:
            return False
        apart = abs(self.ours.value - self.paper.value)
        return bool(apart > FAR * math.hypot(self.ours.error, self.paper.error))

    def __str__(self) -> str:
        ours = "" if self.ours is None else str(self.ours)
        paper = "" if self.paper is None else f" [{self.paper}]"
        return ours + paper + MARK * self.differs


@dataclass(frozen=True)
class RateTable:
    """Figures in rows and columns.

    Attributes:
        title: what they are, in a clause.
        head: the name of the first column, and those of the others.
        rows: for each row its name and its cells.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[tuple[str, Sequence[Cell]]]

    def __str__(self) -> str:
        rows = ([name, *map(str, cells)] for name, cells in self.rows)
        return "\n".join([f"{self.title}:", "", *markdown(list(self.head), rows)])

    @property
    def compared(self) -> list[Cell]:
        """The cells for which the paper has a figure and we have one."""
        cells = (cell for _, row in self.rows for cell in row)
        return [cell for cell in cells if cell.ours is not None and cell.paper is not None]


Line: TypeAlias = Sequence[tuple[float, Rate]]
"""The points of a curve: x and the rate."""


@dataclass(frozen=True)
class Figure:
    """Curves with a common x axis.

    Attributes:
        title: what they are, in a clause; also names its file.
        x: what the axis counts.
        lines: the curves by name.
        logarithmic: whether the axis is.
    """

    title: str
    x: str
    lines: Mapping[str, Line]
    logarithmic: bool = False

    def __str__(self) -> str:
        every = sorted({x for line in self.lines.values() for x, _ in line})
        shown = (
            every
            if len(every) <= MOST
            else [every[i * (len(every) - 1) // (MOST - 1)] for i in range(MOST)]
        )
        rows = []
        for name, line in self.lines.items():
            known = dict(line)
            rows.append([name, *(str(known.get(x, "")) for x in shown)])
        return "\n".join(
            [f"{self.title}:", "", *markdown([self.x, *(f"{x:g}" for x in shown)], rows)]
        )


MOST: Final = 9
"""The number of points of a curve that are printed."""


class Check(NamedTuple):
    """A prediction, stated before the run, and whether it held; None if the run did not tell."""

    prediction: str
    held: bool | None


@dataclass
class Findings:
    """The findings of an experiment.

    Attributes:
        reached: the size that was run, as a clause, next to the paper's.
        tables: its tables.
        figures: its figures.
        checks: its predictions.
        missing: the number of games that could not be played in the time.
    """

    reached: str
    tables: list[RateTable] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    missing: int = 0

    @property
    def agreement(self) -> str:
        """The numbers of figures that agree with the paper's, and of predictions that held."""
        cells = [cell for table in self.tables for cell in table.compared]
        same, held = sum(not cell.differs for cell in cells), [check.held for check in self.checks]
        words = [f"{same} of {len(cells)} figures"] if cells else []
        if held:
            words.append(f"{held.count(True)} of {len(held)} predictions")
        return ", ".join(words)

    @staticmethod
    def state(folder: Path, name: str) -> str:
        """The state of an experiment, read from its report in a folder; empty if there is none."""
        file = folder / f"{name}.md"
        if not file.is_file():
            return ""
        first = file.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
        found = _STATE.fullmatch(first)
        return "" if found is None else found[1]

    def text(self, about: str) -> str:
        """The report as Markdown; `about` names its subject."""
        state = f"{self.agreement or 'done'}{'; games are missing' * bool(self.missing)}"
        parts = [f"<!-- {state} -->", f"**{about}** {self.reached}."]
        if self.missing:
            parts.append(f"{self.missing} games were not played: the same command plays them.")
        if any(table.compared for table in self.tables):
            parts.append(
                "Rates in % ± standard error, in brackets the paper's;"
                f" {MARK}: further apart than twice the error of both together."
            )
        parts += [*map(str, self.tables), *map(str, self.figures)]
        words = {True: "held", False: "did not hold", None: "not found out"}
        if self.checks:
            parts.append(
                "\n".join(f"- {check.prediction}: {words[check.held]}." for check in self.checks)
            )
        return "\n\n".join(parts) + "\n"

    def write(self, folder: Path, name: str, about: str) -> None:
        """Write NAME.md and NAME.csv, and NAME.svg if there are figures and matplotlib is
        installed.
        """
        write_atomically(folder / f"{name}.md", self.text(about))
        sheet = io.StringIO()
        writer = csv.writer(sheet, lineterminator="\n")
        writer.writerow(["of", "row", "column", "rate", "error", "paper", "paper's error"])
        writer.writerows(self._records())
        write_atomically(folder / f"{name}.csv", sheet.getvalue())
        if self.figures and (drawn := _svg(self.figures)) is not None:
            write_atomically(folder / f"{name}.svg", drawn)

    def _records(self) -> Iterator[list[object]]:
        for table in self.tables:
            for row, cells in table.rows:
                for column, (ours, paper) in zip(table.head[1:], cells, strict=True):
                    yield [table.title, row, column, *(ours or ("", "")), *(paper or ("", ""))]
        for figure in self.figures:
            for name, line in figure.lines.items():
                for x, rate in line:
                    yield [figure.title, name, x, *rate, "", ""]


def _svg(figures: Sequence[Figure]) -> str | None:
    """The figures below each other; None if matplotlib is not installed."""
    try:
        import matplotlib as mpl  # noqa: PLC0415  (optional)
        from matplotlib.figure import Figure as Canvas  # noqa: PLC0415
    except ModuleNotFoundError:
        return None
    mpl.rcParams["svg.hashsalt"] = "phantomgo"  # the same curves are the same file
    canvas = Canvas(figsize=(8, 4.5 * len(figures)), layout="constrained")
    for axes, figure in zip(
        canvas.subplots(len(figures), squeeze=False)[:, 0], figures, strict=True
    ):
        for name, line in figure.lines.items():
            xs, rates = [x for x, _ in line], [rate for _, rate in line]
            values, errors = [rate.value for rate in rates], [rate.error for rate in rates]
            axes.errorbar(xs, values, yerr=errors, label=name, capsize=2)
        axes.set(title=figure.title, xlabel=figure.x, ylabel="%")
        if figure.logarithmic:
            axes.set_xscale("log", base=2)
        axes.legend(fontsize="small")
    drawn = io.StringIO()
    canvas.savefig(drawn, format="svg", metadata={"Date": None})
    return drawn.getvalue()
