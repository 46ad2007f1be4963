"""Studies of `phantomgo reproduce` as steps: a step is a command line, whose output is a table."""

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

FLAT: Final = "flatmc:playouts=200"
KOMI: Final = {5: 2.5, 7: 3.5, 9: 5.5}
"""By size; with it the sides win about equally often."""
SECONDS: Final = {5: 0.0011, 7: 0.0040, 9: 0.018}
"""Of a core for a game of FLAT against itself (docs/bench.md)."""
SHOWN: Final = 20
"""Seeds that are not learned on."""


class Step(NamedTuple):
    """A command.

    Attributes:
        name: of its table, without `.md`.
        command: its words, as typed after `phantomgo`.
        seconds: of processor time that it takes, roughly.
    """

    name: str
    command: str
    seconds: float


class Terms(NamedTuple):
    """The experiment that is asked for.

    Attributes:
        size: points per side.
        seeds: own seeds to play games of; None for the games of the shipped matrix.
        repeats: how often training and test seeds are drawn.
        jobs: games at a time.
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
        paper: where it is published; or our question.
        sizes: the boards there are, the default first.
        steps: its commands.
        printed: what the paper prints for a size, in Markdown; "" for a question of ours.
        own: whether one may choose the number of seeds.
    """

    paper: str
    sizes: tuple[int, ...]
    steps: Callable[[Terms], Iterator[Step]]
    printed: Callable[[int], str] = lambda _size: ""
    own: bool = False
