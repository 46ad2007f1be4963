"""Bots that break the contract, each in its way."""

import math
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import phantomgo as pg


def choice(bot: pg.Bot, view: pg.View) -> pg.Move:
    points = list(pg.members(pg.candidates(view)))
    return points[bot.stream(view).below(len(points))] if points else pg.PASS


@dataclass(frozen=True)
class Good(pg.Bot):
    depth: int = pg.parameter(3, 1, 10, "makes no difference")

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        return pg.Decision(choice(self, view))


@dataclass(frozen=True)
class Dice(pg.Bot):
    """Not a function of its view."""

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        points = list(pg.members(pg.candidates(view)))
        return pg.Decision(random.choice(points) if points else pg.PASS)


@dataclass(frozen=True)
class Wrapping(pg.Bot):
    """Asks another bot and forgets to pass its seed on."""

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        return pg.decide(view, "flatmc:playouts=30")


@dataclass(frozen=True)
class Passing(pg.Bot):
    """Asks another bot with its own seed."""

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        return pg.decide(view, "flatmc:playouts=30", self.seed)


@dataclass(frozen=True)
class Slow(pg.Bot):
    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        time.sleep(0.01)
        return pg.Decision(choice(self, view))


@dataclass(frozen=True)
class Counting(pg.Bot):
    """Keeps something from move to move."""

    asked: list[int] = field(default_factory=list)

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        self.asked.append(1)
        points = list(pg.members(pg.candidates(view)))
        return pg.Decision(points[len(self.asked) % len(points)] if points else pg.PASS)


@dataclass(frozen=True)
class Peeking(pg.Bot):
    """Looks for a referee among its callers, and avoids the stones that it must not see."""

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        frame = sys._getframe()
        while frame is not None:
            for value in frame.f_locals.values():
                if isinstance(value, pg.Referee):
                    stones = value.board.stones(view.colour.other)
                    free = list(pg.members(pg.candidates(view) & ~stones))
                    return pg.Decision(free[-1] if free else pg.PASS)
            frame = frame.f_back
        return pg.Decision(choice(self, view))


@dataclass(frozen=True)
class Raising(pg.Bot):
    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        if view.turn < 2:
            return pg.Decision(choice(self, view))
        raise ZeroDivisionError("one\nby none")


@dataclass(frozen=True)
class Leaving(pg.Bot):
    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        raise SystemExit


@dataclass(frozen=True)
class Unready(Good):
    """Breaks down beside its decisions."""

    def with_budget(self, times: int) -> None:
        pass

    def warm_up(self) -> None:
        raise RuntimeError("no net")


@dataclass(frozen=True)
class Absorbed(Good):
    """Never ready."""

    def warm_up(self) -> None:
        Path("begun").touch()
        time.sleep(100_000)


@dataclass(frozen=True)
class Printing(pg.Bot):
    """Writes where its author wants to see it, as in a first version."""

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        sys.stdout.write("here\n")
        return pg.Decision(pg.PASS)


@dataclass(frozen=True)
class Outside(pg.Bot):
    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        return pg.Decision(view.rules.size**2)


@dataclass(frozen=True)
class Sure(Good):
    """Believes more than it can."""

    def stone_probabilities(self, view: pg.View) -> dict[int, float]:
        return {0: 1.5}


@dataclass(frozen=True)
class ByTheClock(Dice):
    """Says of itself that it does not repeat itself."""

    @property
    def deterministic(self) -> bool:
        return False


class Unmade(Good):
    def __init__(self) -> None:
        super().__init__(pg.Game(pg.Rules()), 0)


class Undecorated(pg.Bot):
    depth: int = pg.parameter(3, 1, 10, "makes no difference")

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        return pg.Decision(choice(self, view))


class Empty(pg.Bot):
    pass


class Timeless(Good):
    def decide(self, view: pg.View) -> pg.Decision:  # type: ignore[override]
        return pg.Decision(pg.PASS)


class Named(Good):
    name = "x"


@dataclass(frozen=True)
class Boasting(Good):
    """Breaks down where it is asked what it considered, or told how its game ended."""

    def decide(self, view: pg.View, seconds: float = math.inf) -> pg.Decision:
        return pg.Decision(pg.PASS, lambda: (view.rules.size,))  # type: ignore[arg-type, return-value]

    def hear_end(self, view: pg.View) -> None:
        raise RuntimeError("no more")


class Stranger:
    pass
