"""The experiments of `phantomgo reproduce`, those of the papers, from experiments.toml.

A step of an experiment is a command line that prints a table. The papers' figures, which are
printed beside the tables, are in published.toml.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Final, NamedTuple

from bots.deployed import even_komi
from phantomgo.portfolio.exploit import FRESH

SEEDS: Final = 400
"""Seeds of each colour, unless they are chosen: as many as the shipped matrices have."""
RATIO: Final = 10
"""Own seeds for each seed of the opponents, where a rectangle is learned."""
OPTIONS: Final = (
    (",net=stones1", ",net=none"),
    *(("", option) for option in (",amaf=0", ",narrow=2", ",fold=on", ",retry=off")),
)
VARIANTS: Final = ["".join(("phantom:playouts=20,book=none", *each)) for each in product(*OPTIONS)]
"""The bots of the experiment `variants`."""


class ExperimentCommand(NamedTuple):
    """A command of an experiment.

    Attributes:
        name: the name of its table, without `.md`.
        command: its words, as typed after `phantomgo`.
    """

    name: str
    command: str


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

    def words(self) -> dict[str, object]:
        """The values of the fields in braces of experiments.toml."""
        shipped, matrix = self.seeds is None, f"flat{self.size}"
        return {
            **self._asdict(),
            "seeds": self.seeds or SEEDS,
            "opponents": self.opponents,
            "board": f"--size {self.size} --komi {even_komi(self.size)}",
            "matrix": matrix if shipped else f"{matrix}-{self.seeds}",
            "source": f"--matrix {matrix}"
            if shipped
            else f"--store {matrix}.db --seeds {self.seeds}",
            "local": "" if isinstance(self.workers, str) else f" --workers {self.workers}",
            "variants": " ".join(VARIANTS),
        }

    @property
    def opponents(self) -> int:
        """The opponents' seeds of a rectangle: a tenth of the own ones, as in *Fast seed-learning
        algorithms*, and those that test.
        """
        return (self.seeds or SEEDS) // RATIO + FRESH


class Experiment(NamedTuple):
    """An experiment.

    Attributes:
        paper: the publication.
        sizes: the possible boards, the default first.
        steps: its commands: name and command, `own` if it is only for chosen seeds, and the values
            that take turns as `each`.
        own: whether the number of seeds can be chosen.
    """

    paper: str
    sizes: Sequence[int]
    steps: Sequence[Mapping[str, Any]]
    own: bool = False

    def commands(self, scope: Scope) -> Iterator[ExperimentCommand]:
        """Its commands, in their order."""
        words = scope.words()
        for step in self.steps:
            if not step.get("own") or scope.seeds is not None:
                for each in step.get("each", [""]):
                    name, command = (
                        step[key].format(each=each, **words) for key in ("name", "command")
                    )
                    yield ExperimentCommand(name, command)


@cache
def experiments() -> dict[str, Experiment]:
    """Experiments by the names that `phantomgo reproduce` takes."""
    text = (files("phantomgo.app") / "experiments.toml").read_text(encoding="utf-8")
    return {name: Experiment(**given) for name, given in tomllib.loads(text).items()}
