"""Budgets with which decisions take the same processor time."""

import math
from dataclasses import dataclass
from typing import ClassVar

from bots import Bot, make
from bots.book import without_opening
from bots.bot import parameter
from phantomgo.game.beginning import Game
from phantomgo.game.player import Decision
from phantomgo.game.points import PASS
from phantomgo.game.rules import Rules
from phantomgo.lab.measure import calibration, timing
from phantomgo.lab.measure.calibration import at_equal_time, decision_times, positions

RULES = Rules(size=5, komi=2.5)
GAME = Game(RULES)


class Costs:
    """A machine on which a decision takes each bot so long, and a playout so long, in ms."""

    def __init__(self, monkeypatch) -> None:
        self.costs = {"random": (0.05, 0), "flatmc": (0.2, 0.002), "phantom": (0.4, 0.005)}
        self.slowness = 1.0
        monkeypatch.setattr(calibration, "decision_times", self.times)

    def times(self, specs, _rules, _repeats):
        return [self.cost(spec) for spec in specs]

    def cost(self, spec):
        fixed, each = self.costs[spec.partition(":")[0]]
        return self.slowness * (
            fixed + each * getattr(without_opening(make(spec, GAME, 0)), "playouts", 0)
        )


def budgets(specs, milliseconds):
    return at_equal_time(specs, RULES, milliseconds)


def test_budgets_take_the_time_that_is_asked_for(monkeypatch):
    Costs(monkeypatch)
    specs = ["flatmc", "random", "phantom:net=none", "flatmc:time=1"]
    expected = ["flatmc:playouts=900", "random", "phantom:playouts=320,net=none", "flatmc:time=1"]
    assert budgets(specs, 2) == expected


def test_a_bot_too_slow_for_the_time_plays_with_the_least(monkeypatch):
    Costs(monkeypatch)
    assert budgets(["phantom"], 0.1) == ["phantom:playouts=1"]


@dataclass(frozen=True)
class Levels(Bot):
    kind: ClassVar[str] = "levels"
    budget: ClassVar[str] = "levels"
    levels: int = parameter(2, 1, 9, "how deep")

    def decide(self, view, _seconds=math.inf):  # noqa: ARG002
        return Decision(PASS)


def test_what_counts_as_a_budget():
    assert calibration._budget(Levels(GAME, 0, 5)) == 5
    assert calibration._budget(make("flatmc:playouts=70", GAME, 0)) == 70
    assert calibration._budget(make("flatmc:playouts=70,time=1", GAME, 0)) is None
    assert calibration._budget(make("random", GAME, 0)) is None


def test_positions_are_of_whole_games():
    views = positions(RULES)
    assert len(views) >= 8
    assert {view.colour.letter for view in views} == {"b", "w"}
    assert any(view.refusals for view in views)
    assert max(view.turn for view in views) > 8


def test_a_time_is_the_median_of_a_decision_in_milliseconds(monkeypatch):
    clock = [0.0]

    class Slow:
        def __init__(self, spec, *_):
            self.seconds = float(spec)

        def decide(self, _):
            clock[0] += self.seconds

    positions(RULES)
    monkeypatch.setattr(calibration, "make", Slow)
    monkeypatch.setattr(timing, "thread_time", lambda: clock[0])
    assert decision_times(("0.25", "2"), RULES, 3) == [250, 2000]
