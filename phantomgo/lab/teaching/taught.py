"""Results of learning from outcomes: the weights step by step, and what they win."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from phantomgo.match.stats import Interval, Verdict
from phantomgo.match.text import markdown

ENOUGH: Final = 0.52
"""The share of a test's games that is worth going on for."""
PATIENCE: Final = 10
"""Steps without it after which learning ends."""

Weights: TypeAlias = tuple[float, ...]


class Step(NamedTuple):
    """A step.

    Attributes:
        number: from 1.
        games: that were played for it.
        won: the share of them that the first of its players won.
        length: how far the weights have moved.
        weights: after it.
    """

    number: int
    games: int
    won: float
    length: float
    weights: Weights


class Check(NamedTuple):
    """A test of the weights after a step.

    Attributes:
        number: of the step.
        games: against the player of the start.
        won: the share that was won, with its interval.
        verdict: of the sequential test.
    """

    number: int
    games: int
    won: Interval
    verdict: Verdict

    @property
    def sentence(self) -> str:
        return (
            f"step {self.number}: {100 * self.won.value:.1f} % of {self.games} games against the"
            " player of the start"
        )


@dataclass(frozen=True)
class Taught:
    """The result of learning.

    Attributes:
        names: of the weights.
        steps: in order.
        tests: in order.
        player: the player with the last weights.
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
        """The weights at the end and the tests, in Markdown."""
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
    """True if the last `PATIENCE` steps have not been worth it."""
    last = tests[-1].number
    late = [test.won.value for test in tests if test.number > last - PATIENCE]
    return last >= PATIENCE and max(late) < ENOUGH
