"""Calibrating budgets so that the decisions of bots take the same processor time.

All bots decide in the same positions in turn, and each one's budget (its playouts, or whatever it
counts) is corrected by the time it took. Times measured in the same minute are comparable even on
a shared machine.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import Any, ClassVar, Final, NamedTuple

from bots import Bot, make, parameters
from bots.naming import is_engine
from phantomgo.checks import number
from phantomgo.errors import BadText
from phantomgo.identity import Identity
from phantomgo.lab.measure.timing import Work, interleaved, timed
from phantomgo.lab.run.contest import Result
from phantomgo.lab.run.loop import run
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import MemoryStore, Store
from phantomgo.lab.run.workers import Crew, spare_the_collector
from phantomgo.points import Colour
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYERS: Final = ("flatmc:playouts=100", "phantom:playouts=100,net=stones1")
"""The players of the two games, one with each colour, that the positions are from."""
EVERY: Final = 9
"""One in this many of their decisions is used, including refused attempts."""
STEPS: Final = 4
"""Corrections, each after `REPEATS` rounds through the positions."""
REPEATS: Final = 3
FINAL_REPEATS: Final = 9
MOST_MILLISECONDS: Final = 1_000_000


class Timing(NamedTuple):
    """A bot with its budget set.

    Attributes:
        spec: the bot's spec, with its budget if it has one and no clock.
        milliseconds: mean processor time of a decision.
    """

    spec: str
    milliseconds: float


class TimingRound(NamedTuple):
    """A round of a calibration: its number, the bots' specs, and the repeats."""

    number: int
    specs: tuple[str, ...]
    repeats: int


@dataclass(frozen=True)
class TimingContest:
    """The contest of a calibration: bots decide in positions of games by these rules."""

    rules: Rules
    players: tuple[Identity, ...] = ()
    engines: ClassVar[bool] = False

    @property
    def terms(self) -> Mapping[str, object]:
        return {"game": "stopwatch", **self.rules.as_dict()}

    def play(self, games: Sequence[TimingRound]) -> list[Result]:
        return [Result(json.dumps(self._milliseconds(asked))) for asked in games]

    def _milliseconds(self, asked: TimingRound) -> list[float]:
        """Each bot's time per decision, the median of several rounds through all positions."""
        views = positions(self.rules)
        cases = {str(place): _decisions(spec, views) for place, spec in enumerate(asked.specs)}
        for spec in asked.specs:
            make(spec, 0).decide(views[0])  # what is compiled or loaded is so now
        spare_the_collector()
        samples = interleaved(cases, asked.repeats)
        return [
            1000 * median(s.seconds / s.done for s in samples[str(place)])
            for place in range(len(asked.specs))
        ]


class Calibration:
    """Measures how long decisions take, and corrects the budgets.

    Attributes:
        timings: the result, once it is settled.
    """

    ahead = 1

    def __init__(self, specs: Sequence[str], milliseconds: float) -> None:
        """Begin a calibration.

        Args:
            specs: the bots; those without a budget are only measured.
            milliseconds: the desired time of a decision.
        """
        self._specs, self._target = tuple(specs), milliseconds
        self._budgets = [_budget(make(spec, 0)) for spec in specs]
        self._asked = 0
        self.timings: list[Timing] = []

    @property
    def settled(self) -> bool:
        return bool(self.timings)

    def ask(self) -> TimingRound:
        self._asked += 1
        repeats = REPEATS if self._asked <= STEPS else FINAL_REPEATS
        return TimingRound(
            self._asked, tuple(map(with_budget, self._specs, self._budgets)), repeats
        )

    def tell(self, game: TimingRound, result: str) -> None:
        taken: list[float] = json.loads(result)
        if game.number > STEPS:
            self.timings = list(map(Timing, game.specs, taken))
            return
        for place, (spec, budget) in enumerate(zip(self._specs, self._budgets, strict=True)):
            if budget is not None:
                scaled = _scaled(spec, budget, self._target / taken[place])
                self._budgets[place] = _rounded(scaled) if game.number == STEPS else scaled


def at_equal_time(
    specs: Sequence[str],
    rules: Rules,
    milliseconds: float,
    store: str | Path | None = None,
    progress: Progress = SILENT,
) -> list[str]:
    """The bots with budgets at which their decisions take the same processor time here.

    Args:
        specs: the bots.
        rules: the rules of the games whose positions are used.
        milliseconds: processor time of a decision.
        store: the store of a match begun with such budgets, which are then reused.
        progress: receives the measured budgets.

    Raises:
        BadText: the time is not allowed, or a player is not one of our bots.
        BadStore: the store cannot be read.
    """
    number("milliseconds", milliseconds, 0.001, MOST_MILLISECONDS)
    for spec in specs:
        if is_engine(spec):
            raise BadText(f"{spec[:60]}: only the processor time of our own bots is known")
    begun = _begun(store)
    if begun and [with_budget(spec) for spec in begun] == [with_budget(spec) for spec in specs]:
        return begun
    study = Calibration(specs, milliseconds)
    with Crew().begin() as here:  # times of several machines cannot be compared
        run(study, TimingContest(rules), here, MemoryStore())
    for timing in study.timings:
        progress.note(f"{timing.spec}: {timing.milliseconds:.2f} ms a decision")
    return [timing.spec for timing in study.timings]


def _begun(store: str | Path | None) -> list[str]:
    """The players of an existing store."""
    if store is None or not Path(store).exists():
        return []
    with Store(store) as kept:
        return [player.name for player in kept.players]


@cache
def positions(rules: Rules) -> tuple[View, ...]:
    """The views of the players to move, from the first attempt of games to the last."""
    views = []
    for game in range(len(PLAYERS)):
        referee = Referee(rules)
        players = {c: make(PLAYERS[(game + c) % len(PLAYERS)], game) for c in Colour}
        while referee.outcome is None:
            view = referee.view(referee.to_move)
            views.append(view)
            referee.attempt(view.colour, players[view.colour].decide(view).move)
    return tuple(views[::EVERY])


def _decisions(spec: str, views: Sequence[View]) -> Work:
    def decide() -> tuple[int, int]:
        for seed, view in enumerate(views):
            make(spec, seed).decide(view)
        return len(views), 0

    return partial(timed, decide)


def _budget(bot: Bot) -> int | None:
    names = [field.name for field in parameters(type(bot))]
    return int(getattr(bot, bot.budget)) if bot.budget in names and bot.deterministic else None


def with_budget(spec: str, budget: int | None = None) -> str:
    """The spec with a budget, its default if none is given and it has one."""
    bot = make(spec, 0)
    if _budget(bot) is None:
        return bot.name
    default: Any = next(f.default for f in parameters(type(bot)) if f.name == bot.budget)
    return replace(bot, **{bot.budget: default if budget is None else budget}).name


def _scaled(spec: str, budget: int, factor: float) -> int:
    bot = make(spec, 0)
    form = next(f.metadata["form"] for f in parameters(type(bot)) if f.name == bot.budget)
    return int(min(max(budget * factor, form.low), form.high))


def _rounded(budget: int) -> int:
    """Rounded to two digits, as such a measurement is no more precise."""
    return int(round(budget, 1 - int(math.log10(budget))))
