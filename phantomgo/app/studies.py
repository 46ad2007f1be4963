"""The experiments of `phantomgo reproduce`, those of the papers.

A step of an experiment is a command line that prints a table. The papers' figures, which are
printed beside the tables, are in published.toml.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final, NamedTuple

from phantomgo.rules import EVEN_KOMI

FLAT: Final = "flatmc:playouts=200"
SECONDS: Final = {5: 0.0011, 7: 0.0040, 9: 0.018}
"""Processor time of a game of FLAT against itself, by size (docs/bench.md)."""
TEST_SEEDS: Final = 20
"""Seeds that methods are tested against."""
VARIANT, REPEATS = 20, 289
"""Playouts of a variant's decision, and games of two variants, as in the paper."""


class ExperimentCommand(NamedTuple):
    """A command of an experiment.

    Attributes:
        name: the name of its table, without `.md`.
        command: its words, as typed after `phantomgo`.
        seconds: its processor time, roughly.
    """

    name: str
    command: str
    seconds: float


class Scope(NamedTuple):
    """The size of an experiment, and how it is run.

    Attributes:
        size: points per side.
        seeds: own seeds to play; None to use the shipped matrix.
        repeats: random splits into training and test seeds.
        workers: games to play in parallel, or the address of a Dask cluster.
    """

    size: int
    seeds: int | None
    repeats: int
    workers: int | str

    @property
    def name(self) -> str:
        """The name of the files of these games."""
        return f"flat{self.size}" + ("" if self.seeds is None else f"-{self.seeds}")

    @property
    def board(self) -> str:
        """The options for a game on this board."""
        return f"--size {self.size} --komi {EVEN_KOMI[self.size]}"

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
    ) -> ExperimentCommand:
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
        return ExperimentCommand(
            name if tests else f"{name}-games",
            f"learn {games} --seeds {seeds} --method {method} --test-seeds {tests}"
            f" --workers {self.workers} --store {store or name}.db --out {name}.json",
            seconds,
        )


class Experiment(NamedTuple):
    """An experiment.

    Attributes:
        paper: the publication.
        sizes: the possible boards, the default first.
        steps: its commands.
        own: whether the number of seeds can be chosen.
    """

    paper: str
    sizes: tuple[int, ...]
    steps: Callable[[Scope], Iterator[ExperimentCommand]]
    own: bool = False


def _games(scope: Scope) -> Iterator[ExperimentCommand]:
    """Play the seed matrix, unless the shipped one is used."""
    if scope.seeds is not None:
        games, seconds = f"--bot {FLAT} {scope.board}", scope.seeds**2 * SECONDS[scope.size]
        yield scope.learn(scope.name, games, scope.seeds, seconds, store=f"flat{scope.size}")


def _evaluated(scope: Scope, name: str, words: str) -> ExperimentCommand:
    """Cross-validate on these games."""
    kept = f"--store flat{scope.size}.db --seeds {scope.seeds}"
    source = kept if scope.seeds else f"--matrix flat{scope.size}"
    learned = (scope.seeds or 400) / 400
    seconds = 2 + 0.1 * scope.repeats * learned**2
    return ExperimentCommand(
        f"{name}-{scope.name}",
        f"evaluate methods {source} --repeats {scope.repeats} {words}",
        seconds,
    )


def _table1(scope: Scope) -> Iterator[ExperimentCommand]:
    yield from _games(scope)
    methods = "oneseed bestseed nash sparse:alpha=0.5 sparse:alpha=0.75 sparse:alpha=1"
    workers = "" if isinstance(scope.workers, str) else f" --workers {scope.workers}"
    yield _evaluated(scope, "table1", f"--methods {methods}{workers}")


def _portfolios(scope: Scope) -> Iterator[ExperimentCommand]:
    yield from _games(scope)
    yield _evaluated(scope, "portfolios", "--methods nash bestseed besthalf --exploiters 1")


def _transfer(scope: Scope) -> Iterator[ExperimentCommand]:
    rules = "gtp:gnugo --mode gtp --chinese-rules"
    bot = f"{rules} --monte-carlo --mc-games-per-level 400 --level 1 --seed {{seed}}"
    games = f'--game go:size=5,komi=6.5 --bot "{bot}"'
    yield scope.learn("gnugo5", games, 100, 1200, method="bestseed")
    for level in range(1, 11):
        yield ExperimentCommand(
            f"transfer-level{level}",
            f"evaluate transfer gnugo5.json --code --games 100 --store level{level}.db"
            f' --opponent "{rules} --level {level} --seed {{seed}}"',
            30 + 20 * level,
        )


def _rectangles(scope: Scope) -> Iterator[ExperimentCommand]:
    seeds = scope.seeds or 400
    for game, title, seconds in (("domineering", "domineering", 4), ("atarigo", "atari-go", 26)):
        store = f"{title}{scope.size}"
        name, cost = f"{store}-{seeds}", seconds * (scope.size / 5) ** 4 * (seeds / 100) ** 2
        games = f"--game {game}:size={scope.size} --bot flatmc:playouts=100"
        yield scope.learn(name, games, seeds, cost, store=store)
        yield ExperimentCommand(
            name,
            f"evaluate methods --store {store}.db --seeds {seeds}"
            f" --methods uniform bestseed topk nash --repeats {scope.repeats}",
            10,
        )


def _moves(scope: Scope) -> Iterator[ExperimentCommand]:
    for method in ("mbm", "mvbm"):
        name = f"{method}{scope.size}"
        yield ExperimentCommand(
            f"{name}-games",
            f"book grow --bot {FLAT} {scope.board} --method {method} --games 3000"
            f" --workers {scope.workers} --store {name}.db --out {name}.json",
            30 * SECONDS[scope.size] / SECONDS[5],
        )
        yield ExperimentCommand(
            name,
            f"evaluate moves {name}.json --test-seeds 48 --own-seeds 24 --workers {scope.workers}",
            20 * SECONDS[scope.size] / SECONDS[5],
        )


def _thesis(scope: Scope) -> Iterator[ExperimentCommand]:
    yield ExperimentCommand(
        "twolevel7",
        "match --black twolevel:playouts=3 --white flatmc:playouts=31000 --size 7 --komi 3.5"
        f" --games 100 --seed 73001 --workers {scope.workers} --store twolevel7.db",
        3000,
    )


def _variants(scope: Scope) -> Iterator[ExperimentCommand]:
    base = f"phantom:playouts={VARIANT},book=none"
    options = ("", ",amaf=0"), ("", ",narrow=2"), ("", ",fold=on"), ("", ",retry=off")
    bots = ["".join(words) for words in product([base], (",net=stones1", ",net=none"), *options)]
    name = f"variants{scope.size}"
    yield ExperimentCommand(
        f"{name}-games",
        f"learn --bot {bots[0]} {scope.board} --movers {' '.join(bots)}"
        f" --method rates:rounds=0,cell={REPEATS},extra=0 --test-seeds 0"
        f" --workers {scope.workers} --store {name}.db --out {name}.json",
        REPEATS * len(bots) ** 2 * 0.01 * SECONDS[scope.size] / SECONDS[5],
    )
    yield ExperimentCommand(name, f"evaluate variants {name}.db", 5)


EXPERIMENTS: Final = {
    "table1": Experiment(
        "Cazenave et al., Learning opening books (CIG 2016): Table I, figures 1 and 2",
        (5, 7, 9),
        _table1,
        own=True,
    ),
    "portfolios": Experiment(
        "St-Pierre et al., Automatically reinforcing a game AI: Table I",
        (5, 7, 9),
        _portfolios,
        own=True,
    ),
    "transfer": Experiment(
        "St-Pierre et al.: Table II; Liu et al., Fast seed-learning algorithms: Table 2",
        (5,),
        _transfer,
    ),
    "rectangles": Experiment("Liu et al.: Table 3", (5, 7), _rectangles, own=True),
    "moves": Experiment(
        "Audouard et al., Grid coevolution for adaptive simulations (2009)", (5, 7, 9), _moves
    ),
    "thesis": Experiment(
        "Buron, A study of Monte Carlo methods for Phantom Go (2013): Table 1", (7,), _thesis
    ),
    "variants": Experiment(
        "St-Pierre et al., Automatically reinforcing a game AI: Table I, row Variants",
        (5, 7),
        _variants,
    ),
}
"""Experiments by the names that `phantomgo reproduce` takes."""
