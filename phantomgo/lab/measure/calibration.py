"""How much thinking takes bots the same processor time.

All bots decide in the same positions, in turn, again and again, and each one's budget (its
playouts, or what it counts instead) is corrected by what that took. On a machine that others use
only times taken so, in the same minute, can be compared.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from statistics import median
from typing import ClassVar, Final, NamedTuple, TypeAlias

from bots import Bot, make, parameters
from phantomgo.identity import Identity
from phantomgo.lab.measure.timing import Work, interleaved, timed
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.store import Memory
from phantomgo.lab.run.tasks import Workers
from phantomgo.lab.run.workers import spare_the_collector
from phantomgo.points import Colour
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYERS: Final = ("flatmc:playouts=100", "phantom:playouts=100,net=stones1")
"""The positions are from two games between these, one with each colour."""
EVERY: Final = 9
"""One in so many of their decisions is measured, refused attempts among them."""
STEPS: Final = 4
"""Corrections, each after `REPEATS` rounds through the positions."""
REPEATS: Final = 3
FINAL_REPEATS: Final = 9


class Timing(NamedTuple):
    """A bot with its budget set.

    Attributes:
        spec: of the bot.
        budget: None if it has no such parameter, or plays by the clock.
        milliseconds: processor time of a decision, on average.
    """

    spec: str
    budget: int | None
    milliseconds: float


class Round(NamedTuple):
    """What a calibration asks for: its number, the bots' specs, and how often to go through."""

    number: int
    specs: tuple[str, ...]
    repeats: int


@dataclass(frozen=True)
class Stopwatch:
    """The contest of a calibration: bots decide in the positions of games by these rules."""

    rules: Rules
    players: tuple[Identity, ...] = ()
    engines: ClassVar[bool] = False

    @property
    def terms(self) -> Mapping[str, object]:
        return {"game": "stopwatch", **self.rules.as_dict()}

    def play(self, games: Sequence[Round]) -> list[Result]:
        return [Result(json.dumps(self._milliseconds(asked))) for asked in games]

    def certain(self, text: str) -> None:
        """Nothing: times differ."""
        del text

    def _milliseconds(self, asked: Round) -> list[float]:
        """What a decision takes each bot, the median of several rounds through all positions."""
        views = positions(self.rules)
        cases = {str(place): _decisions(spec, views) for place, spec in enumerate(asked.specs)}
        for spec in asked.specs:
            make(spec, 0).propose(views[0])  # what is compiled or loaded is so now
        spare_the_collector()
        samples = interleaved(cases, asked.repeats)
        return [
            1000 * median(s.seconds / s.done for s in samples[str(place)])
            for place in range(len(asked.specs))
        ]


Budgets: TypeAlias = list[int | None]


class Calibration:
    """Asks how long decisions take, and corrects the budgets by it.

    Attributes:
        timings: what was found, once it is settled.
    """

    ahead = 1

    def __init__(
        self, specs: Sequence[str], milliseconds: float, first: Timing | None = None
    ) -> None:
        """Begin a calibration.

        Args:
            specs: the bots, each once. One without a budget is only measured.
            milliseconds: what a decision is to take.
            first: the timing of the first bot if that is settled: the others are then tuned to
                what it takes now, and all times are told as if it took what it took then.
        """
        self._specs, self._target, self._first = tuple(specs), milliseconds, first
        self._budgets: Budgets = [_budget(make(spec, 0)) for spec in specs]
        if first is not None:
            self._budgets[0] = first.budget
        self._asked = 0
        self.timings: list[Timing] = []

    @property
    def settled(self) -> bool:
        return bool(self.timings)

    def ask(self) -> Round:
        self._asked += 1
        repeats = REPEATS if self._asked <= STEPS else FINAL_REPEATS
        return Round(self._asked, self._set(), repeats)

    def tell(self, game: Round, result: str) -> None:
        taken: list[float] = json.loads(result)
        if game.number > STEPS:
            unit = 1 if self._first is None else self._first.milliseconds / taken[0]
            self.timings = [
                Timing(spec, budget, round(unit * time, 4))
                for spec, budget, time in zip(game.specs, self._budgets, taken, strict=True)
            ]
            return
        target = self._target if self._first is None else taken[0]
        for place, (spec, budget) in enumerate(zip(self._specs, self._budgets, strict=True)):
            if budget is not None and (place or self._first is None):
                scaled = _scaled(spec, budget, target / taken[place])
                self._budgets[place] = _rounded(scaled) if game.number == STEPS else scaled

    def _set(self) -> tuple[str, ...]:
        """The specs with the budgets of now."""
        return tuple(
            _with_budget(spec, budget)
            for spec, budget in zip(self._specs, self._budgets, strict=True)
        )


def calibrated(
    specs: Sequence[str],
    rules: Rules,
    milliseconds: float,
    workers: Workers,
    first: Timing | None = None,
) -> list[Timing]:
    """The bots with budgets that take so much processor time a decision; see `Calibration`.

    The workers have to be this machine: times of several cannot be compared.
    """
    study = Calibration(specs, milliseconds, first)
    run(study, Stopwatch(rules), workers, Memory())
    return study.timings


@cache
def positions(rules: Rules) -> tuple[View, ...]:
    """Views of whoever was to decide, from the first attempt of games to the last."""
    views = []
    for game in range(len(PLAYERS)):
        referee = Referee(rules)
        players = {c: make(PLAYERS[(game + c) % len(PLAYERS)], game) for c in Colour}
        while referee.outcome is None:
            view = referee.view(referee.to_move)
            views.append(view)
            referee.attempt(view.colour, players[view.colour].propose(view))
    return tuple(views[::EVERY])


def _decisions(spec: str, views: Sequence[View]) -> Work:
    def decide() -> tuple[int, int]:
        for seed, view in enumerate(views):
            make(spec, seed).propose(view)
        return len(views), 0

    return partial(timed, decide)


def _budget(bot: Bot) -> int | None:
    names = [field.name for field in parameters(type(bot))]
    return int(getattr(bot, bot.budget)) if bot.budget in names and bot.pure else None


def _with_budget(spec: str, budget: int | None) -> str:
    bot = make(spec, 0)
    return bot.name if budget is None else replace(bot, **{bot.budget: budget}).name


def _scaled(spec: str, budget: int, factor: float) -> int:
    bot = make(spec, 0)
    form = next(f.metadata["form"] for f in parameters(type(bot)) if f.name == bot.budget)
    return int(min(max(budget * factor, form.low), form.high))


def _rounded(budget: int) -> int:
    """Two digits are as much as such a measurement says."""
    return int(round(budget, 1 - int(math.log10(budget))))
