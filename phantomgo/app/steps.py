"""Studies of `phantomgo reproduce` as steps: a step is a command line that prints a table."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

FLAT: Final = "flatmc:playouts=200"
KOMI: Final = {5: 2.5, 7: 3.5, 9: 5.5}
"""Komi by size with which both sides win about equally often."""
SECONDS: Final = {5: 0.0011, 7: 0.0040, 9: 0.018}
"""Processor time of a game of FLAT against itself, by size (docs/bench.md)."""
TEST_SEEDS: Final = 20
"""Seeds that methods are tested against."""


class Step(NamedTuple):
    """A command.

    Attributes:
        name: the name of its table, without `.md`.
        command: its words, as typed after `phantomgo`.
        seconds: its processor time, roughly.
    """

    name: str
    command: str
    seconds: float


class Terms(NamedTuple):
    """The options of an experiment.

    Attributes:
        size: points per side.
        seeds: own seeds to play; None to use the shipped matrix.
        repeats: random splits into training and test seeds.
        jobs: games to play in parallel.
        plots: whether figures are drawn.
    """

    size: int
    seeds: int | None
    repeats: int
    jobs: int
    plots: bool

    @property
    def name(self) -> str:
        """The name of the files of these games."""
        return f"flat{self.size}" + ("" if self.seeds is None else f"-{self.seeds}")

    @property
    def board(self) -> str:
        """The options for a game on this board."""
        return f"--size {self.size} --komi {KOMI[self.size]}"

    def plot(self, name: str) -> str:
        return f" --plot {name}.svg" if self.plots else ""

    def learn(
        self,
        name: str,
        games: str,
        seeds: int,
        seconds: float,
        *,
        method: str = "nash",
        tests: int = 0,
        store: str | None = None,
    ) -> Step:
        """The command that learns NAME.json and keeps its games.

        Args:
            name: the name of the book.
            games: the options that say what is played.
            seeds: own seeds per colour.
            seconds: of processor time, roughly.
            method: how the book is learned.
            tests: fresh seeds that the book is measured against; the step has the book's name if
                there are any, since its table is then a result.
            store: the name of the store (default: the book's).
        """
        return Step(
            name if tests else f"{name}-games",
            f"learn {games} --seeds {seeds} --method {method} --test-seeds {tests}"
            f" --jobs {self.jobs} --store {store or name}.db --out {name}.json",
            seconds,
        )


class Study(NamedTuple):
    """An experiment.

    Attributes:
        paper: the publication, or our question.
        sizes: the possible boards, the default first.
        steps: its commands.
        printed: the paper's figures for a size, in Markdown; "" for a question of ours.
        own: whether the number of seeds can be chosen.
    """

    paper: str
    sizes: tuple[int, ...]
    steps: Callable[[Terms], Iterator[Step]]
    printed: Callable[[int], str] = lambda _size: ""
    own: bool = False
