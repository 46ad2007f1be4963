"""The result of learning from outcomes: the weights after each step, and how often they win."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from phantomgo.match.stats import Interval, Verdict
from phantomgo.match.text import markdown

ENOUGH: Final = 0.52
"""The winning rate in a test that makes it worthwhile to go on."""
PATIENCE: Final = 10
"""Learning ends after this many steps without such a test."""

Weights: TypeAlias = tuple[float, ...]


class Step(NamedTuple):
    """A step.

    Attributes:
        number: its number, from 1.
        games: games played for it.
        won: the share of them that its first player won.
        length: how far the weights moved.
        weights: the weights after it.
    """

    number: int
    games: int
    won: float
    length: float
    weights: Weights


class Check(NamedTuple):
    """A test of the weights after a step.

    Attributes:
        number: the step's number.
        games: games against the initial player.
        won: the share that was won, with its interval.
        verdict: the verdict of the sequential test.
    """

    number: int
    games: int
    won: Interval
    verdict: Verdict

    @property
    def sentence(self) -> str:
        return (
            f"step {self.number}: {100 * self.won.value:.1f} % of {self.games} games against the"
            " initial player"
        )


@dataclass(frozen=True)
class Taught:
    """The result of learning.

    Attributes:
        names: the names of the weights.
        steps: the steps in order.
        tests: the tests in order.
        player: the spec of the player with the last weights.
    """

    names: Sequence[str]
    steps: Sequence[Step]
    tests: Sequence[Check]
    player: str

    def as_dict(self) -> dict[str, Any]:
        """The curve for JSON."""
        return {
            "player": self.player,
            "in_vain": in_vain(self.tests),
            "steps": [
                {**step._asdict(), "weights": dict(zip(self.names, step.weights, strict=True))}
                for step in self.steps
            ],
            "tests": [
                {**test._asdict(), "won": test.won._asdict(), "verdict": test.verdict.value}
                for test in self.tests
            ],
        }

    def text(self) -> str:
        """The final weights and the tests, in Markdown."""
        last = self.steps[-1].weights
        weights = markdown(["weight", "steps"], [*zip(self.names, last, strict=True)])
        rows = [
            [test.number, test.games, f"{100 * test.won.value:.1f}",
             f"{100 * test.won.low:.1f} to {100 * test.won.high:.1f}", test.verdict.value]
            for test in self.tests
        ]  # fmt: skip
        tests = markdown(["step", "games", "won", "95 %", "test"], rows)
        end = f"ended: {PATIENCE} steps without {100 * ENOUGH:g} %" if in_vain(self.tests) else ""
        return "\n".join([*weights, "", *tests, "", *filter(None, [end, self.player])])


def in_vain(tests: Sequence[Check]) -> bool:
    """True if no test in the last `PATIENCE` steps reached `ENOUGH`."""
    last = tests[-1].number
    late = [test.won.value for test in tests if test.number > last - PATIENCE]
    return last >= PATIENCE and max(late) < ENOUGH
