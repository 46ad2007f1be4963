"""Calibrating budgets so that the decisions of bots take the same processor time.

All bots decide in the same positions in turn, and each one's budget (its playouts, or whatever it
counts) is corrected by the time it took. Times measured in the same minute are comparable even on
a shared machine.
"""

import math
from collections.abc import Sequence
from dataclasses import Field, replace
from functools import cache, partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from bots import Bot, make, parameters
from bots.book import without_opening
from bots.bot import canonical
from bots.spec import BotSpec, is_engine, parse
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.points import Colour
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.measure.timing import Work, interleaved, timed
from phantomgo.lab.run.progress import SILENT, Progress
from phantomgo.lab.run.store import Store
from phantomgo.lab.run.workers import spare_the_collector

PLAYERS: Final = ("flatmc:playouts=100", "phantom:playouts=100,net=stones1")
"""The players of the two games, one with each colour, that the positions are from."""
EVERY: Final = 9
"""One in this many of their decisions is used, including refused attempts."""
STEPS: Final = 4
"""Corrections, each after `REPEATS` rounds through the positions."""
REPEATS: Final = 3
FINAL_REPEATS: Final = 9
MOST_MILLISECONDS: Final = 1_000_000


def decision_times(specs: Sequence[str], rules: Rules, repeats: int) -> list[float]:
    """The milliseconds of a decision of each bot: the median of rounds through all positions."""
    views = positions(rules)
    cases = {str(place): _decisions(spec, views) for place, spec in enumerate(specs)}
    for spec in specs:
        make(spec, Game(rules), 0).decide(views[0])  # what is compiled or loaded is so now
    spare_the_collector()
    samples = interleaved(cases, repeats)
    return [1000 * median(s.seconds / s.done for s in samples[case]) for case in cases]


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
    """
    for spec in specs:
        if is_engine(spec):
            raise BadText(f"{spec[:60]} is an engine; milliseconds is only for bots: use time")
    begun = _begun(store)
    game = Game(rules)
    named = partial(with_budget, game)
    if begun and [*map(named, begun)] == [*map(named, specs)]:
        return begun
    thinkers = [without_opening(make(spec, game, 0)) for spec in specs]
    fields = [*map(_budget_field, thinkers)]
    budgets = [*map(_budget, thinkers)]
    for step in range(1, STEPS + 1):
        taken = decision_times([*map(named, specs, budgets)], rules, REPEATS)
        for place, (field, budget) in enumerate(zip(fields, budgets, strict=True)):
            if field is not None and budget is not None:
                form = field.metadata["form"]
                scaled = min(max(int(budget * milliseconds / taken[place]), form.low), form.high)
                # At last to two digits, as such a measurement is no more precise.
                digits = 1 - int(math.log10(scaled)) if step == STEPS else 0
                budgets[place] = int(round(scaled, digits))
    final = [*map(named, specs, budgets)]
    for spec, time in zip(final, decision_times(final, rules, FINAL_REPEATS), strict=True):
        progress.note(f"{spec}: {time:.2f} ms per decision")
    return final


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
        players = {c: make(PLAYERS[(game + c) % len(PLAYERS)], Game(rules), game) for c in Colour}
        while referee.outcome is None:
            view = referee.view(referee.to_move)
            views.append(view)
            referee.attempt(view.colour, players[view.colour].decide(view).move)
    return tuple(views[::EVERY])


def _decisions(spec: str, views: Sequence[View]) -> Work:
    def decide(number: int) -> None:
        for seed, view in enumerate(views[:number]):
            make(spec, Game.of(view), seed).decide(view)

    return partial(timed, decide, len(views))


def _budget(bot: Bot) -> int | None:
    field = _budget_field(bot)
    return None if field is None else int(getattr(bot, field.name))


def _budget_field(bot: Bot) -> Field[Any] | None:
    """The parameter that is a bot's budget; None if it has none, or plays by the clock."""
    fields = {field.name: field for field in parameters(type(bot))}
    return fields.get(bot.budget) if bot.deterministic else None


def with_budget(game: Game, spec: str, budget: int | None = None) -> str:
    """The spec with a budget, its default if none is given and it has one."""
    named, made = parse(spec), make(spec, game, 0)
    bot = without_opening(made)
    field = _budget_field(bot)
    if field is None or not isinstance(named, BotSpec):
        return made.name
    values: dict[str, Any] = {field.name: field.default if budget is None else budget}
    bot = replace(bot, **values)
    return canonical(bot, bot.default_book if named.book is None else named.book)
