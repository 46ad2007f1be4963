"""The table of learners, and their specs: `ucb:games=3200`, `halving`, `topk:k=8`."""

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from phantomgo.errors import BadText
from phantomgo.lab.learners.halving import FIRST, Halving
from phantomgo.lab.learners.learner import Learner, SeedTerms
from phantomgo.lab.learners.rates import RateOracle
from phantomgo.lab.learners.widening import Ucb
from phantomgo.portfolio.methods import METHODS, parse_method
from phantomgo.portfolio.packed import MAX_SEEDS
from phantomgo.values import Keys, Number, Value, Whole, kind_of, options_or_defaults, written


class LearnerKind(NamedTuple):
    """A learner that chooses which games it needs.

    Attributes:
        make: creates the learner from its terms and parameters.
        keys: its parameters.
        ends: whether it ends by itself.
        alike: whether own seeds play each other, so that all of them are opponents.
    """

    make: Callable[..., Learner]
    keys: Keys
    ends: bool = True
    alike: bool = True


SEEDS: Final = Whole(1, MAX_SEEDS)
TOGETHER: Final = Whole(1, 1000)
GAMES: Final[Keys] = {"games": (0, Whole(1, 100_000_000))}
"""The largest number of games it may ask for; bandits need it."""
OFF: Final = ("games", "opponents", "model")
"""Keys that specs omit when their value is 0."""

LEARNERS: Final[Mapping[str, LearnerKind]] = {
    "ucb": LearnerKind(
        Ucb,
        {
            "exploration": (0.2, Number(0, 10, 3)),
            "together": (40, TOGETHER),
            "widening": (100.0, Number(0, 10_000, 3)),
            "root": (3, Whole(1, 10)),
            "k": (1, SEEDS),
        },
        ends=False,
        alike=False,
    ),
    "halving": LearnerKind(
        Halving,
        {
            "first": (FIRST, SEEDS),
            "keep": (2, Whole(1, 1000)),
            "more": (2, Whole(2, 1000)),
            "k": (1, SEEDS),
        },
        alike=False,
    ),
    "rates": LearnerKind(
        RateOracle,
        {
            "rounds": (2, Whole(0, 100)),
            "join": (6, Whole(1, 100)),
            "first": (8, SEEDS),
            "cell": (8, SEEDS),
            "extra": (400, Whole(0, 1_000_000)),
            "opponents": (0, Whole(0, 100)),
            "model": (0.0, Number(0, 1, 3)),
        },
    ),
}
"""The learners, which choose the games they need; the methods of portfolio/methods.py take all."""


class LearningMethod(NamedTuple):
    """A way to learn a portfolio: by a learner, or from the whole matrix.

    Attributes:
        text: its spec, as books and tables print it.
        games: the most games a learner may ask for; 0 if not given.
        kind: the kind of learner; None for a method of the whole matrix.
        values: a learner's parameters.
    """

    text: str
    games: int
    kind: LearnerKind | None
    values: Mapping[str, Value]

    @property
    def name(self) -> str:
        """The spec without parameters."""
        return self.text.partition(":")[0]

    @property
    def whole_matrix(self) -> bool:
        """True if it learns from the whole matrix, rather than asking for the games it needs."""
        return self.kind is None

    def begin(self, terms: SeedTerms) -> Learner:
        """The learner on these terms."""
        assert self.kind is not None
        name = self.name
        if self.kind.alike and terms.opponents != terms.own:
            raise BadText(
                f"opponent seeds {terms.opponents}: {name} plays its {terms.own} seeds against each"
                " other"
            )
        if not self.kind.ends and not self.games:
            raise BadText(f"{name} never ends: say how many games it may play, {name}:games=51200")
        return self.kind.make(terms, **self.values)


def parse_learning_method(text: str) -> LearningMethod:
    """Read `ucb:games=3200`, `halving`, or a method of the whole matrix, `topk:k=8`."""
    name, tail = kind_of(text, (*METHODS, *LEARNERS), "method")
    if name in METHODS:
        return LearningMethod(parse_method(text).text, 0, None, {})
    kind = LEARNERS[name]
    given = options_or_defaults(name, tail, {**GAMES, **kind.keys})
    said = [f"{key}={written(value)}" for key, value in given.items() if value or key not in OFF]
    games = int(given.pop("games"))
    return LearningMethod(f"{name}:{','.join(said)}", games, kind, given)
