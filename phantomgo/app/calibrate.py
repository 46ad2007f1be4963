"""How much thinking takes bots the same processor time.

All bots decide in the same positions, in turn, again and again, and each one's budget (its
playouts, or what it counts instead) is corrected by what that took. On a machine that others use
only times taken so, in the same minute, can be compared.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from statistics import median
from typing import Final, NamedTuple

from bots import Bot, make, parameters
from phantomgo.app.bench.sample import Work, interleaved, timed
from phantomgo.app.workers import spare_the_collector
from phantomgo.points import Colour
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from phantomgo.view import View

PLAYERS: Final = ("flatmc:playouts=100", "phantom:playouts=100")
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


def calibrated(
    specs: Sequence[str], rules: Rules, milliseconds: float, first: Timing | None = None
) -> list[Timing]:
    """The bots with budgets that take so much processor time a decision.

    Args:
        specs: the bots, each once. One without a budget is only measured.
        rules: of the positions.
        milliseconds: what a decision is to take.
        first: the timing of the first bot if that is settled: the others are then tuned to what
            it takes now, and all times are told as if it took what it took then.
    """
    budgets = {spec: n for spec in specs if (n := _budget(make(spec, 0))) is not None}
    if first is not None and first.budget is not None:
        budgets[specs[0]] = first.budget
    tuned = [spec for spec in budgets if first is None or spec != specs[0]]
    for _ in range(STEPS):
        taken = _measured({s: _with_budget(s, budgets.get(s)) for s in specs}, rules, REPEATS)
        target = milliseconds if first is None else taken[specs[0]]
        for spec in tuned:
            budgets[spec] = _scaled(spec, budgets[spec], target / taken[spec])
    for spec in tuned:
        budgets[spec] = _rounded(budgets[spec])
    settled = {spec: _with_budget(spec, budgets.get(spec)) for spec in specs}
    taken = _measured(settled, rules, FINAL_REPEATS)
    unit = 1 if first is None else first.milliseconds / taken[specs[0]]
    return [Timing(settled[s], budgets.get(s), round(unit * taken[s], 4)) for s in specs]


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


def _measured(specs: Mapping[str, str], rules: Rules, repeats: int) -> dict[str, float]:
    """Milliseconds a decision takes each bot, the median of several rounds through all positions.

    Args:
        specs: under a name for each bot, the spec that is measured.
        rules: of the positions.
        repeats: rounds.
    """
    views = positions(rules)
    cases = {name: _decisions(spec, views) for name, spec in specs.items()}
    for spec in specs.values():
        make(spec, 0).propose(views[0])  # what is compiled or loaded is so now
    spare_the_collector()
    samples = interleaved(cases, repeats)
    return {
        name: 1000 * median(s.seconds / s.done for s in taken) for name, taken in samples.items()
    }


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
    allowed = next(f.metadata for f in parameters(type(bot)) if f.name == bot.budget)
    return int(min(max(budget * factor, allowed["low"]), allowed["high"]))


def _rounded(budget: int) -> int:
    """Two digits are as much as such a measurement says."""
    return int(round(budget, 1 - int(math.log10(budget))))
