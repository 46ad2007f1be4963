"""Games and decisions that might be compiled: docs/notes/compiled_decision.md.

PYTHONPATH=. python docs/notes/compiled_decision.py parts|games|first [CASE...]
"""

import random
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack
from pkgutil import resolve_name
from statistics import median
from time import process_time
from typing import Any
from unittest.mock import patch

from bots import make
from phantomgo.game.beginning import Game
from phantomgo.game.playing import play_game
from phantomgo.game.points import BLACK
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.lockstep.batch import play_batch
from phantomgo.portfolio.line import Step

SPECS = "flatmc:playouts=200", "phantom:playouts=200,book=none", "phantom:playouts=3000,book=none"
CASES = [(spec, Rules(size, komi)) for spec in SPECS for size, komi in ((5, 2.5), (9, 5.5))]
PARTS = """kernels worlds.play_out worlds.best_candidate worlds.best_of worlds.scaled features.mark
kernels kernels.positions.write_position nets.evaluate judge.evaluate judge.show
belief deciding.presume_refused deciding.candidates phantom.presume_nothing
passing deciding.better_pass phantom.Phantom.instead_of_pass
worlds worlds.Worlds.__init__ worlds.Worlds._run
nets phantom.log_odds phantom.judged phantom.prior_visits
fold fold.Fold.of fold.Fold.stats fold.Fold.mean
frame deciding.Decider.decide"""
"""Parts of a game, and their functions in `bots`; all else is `game`."""


def one_by_one(spec: str, rules: Rules, seeds: range, by: Any = make) -> list[Any]:
    """The outcomes of games one by one, by seed of Black."""
    pairs = [(by(spec, Game(rules), seed), by(spec, Game(rules), seed + 1)) for seed in seeds]
    return [play_game(rules, *pair).outcome for pair in pairs]


def one_batch(spec: str, rules: Rules, seeds: range) -> list[Any]:
    """The same in a batch."""
    lines = [((Step(spec, seed),), (Step(spec, seed + 1),)) for seed in seeds]
    return [game.outcome for game in play_batch(rules, spec, spec, 0, lines)]


def batches_of_one(spec: str, rules: Rules, seeds: range) -> list[Any]:
    return [one_batch(spec, rules, range(seed, seed + 1))[0] for seed in seeds]


def timed(work: Callable[..., Any], *given: Any) -> float:
    began = process_time()
    work(*given)
    return process_time() - began


def games(spec: str, rules: Rules, *forms: Any) -> str:
    """How many times as fast as one by one: minimum / median / maximum of six rounds."""
    forms = one_by_one, *(forms or (batches_of_one, one_batch))
    count, rounds, told = 20 if rules.size == 5 else 5, [], ""
    assert len({tuple(form(spec, rules, range(5))) for form in forms}) == 1
    for begin in range(0, 600, 100):
        case = spec, rules, range(begin, begin + count)
        rounds.append({form: timed(form, *case) for form in random.sample(forms, len(forms))})
    for form in forms:
        gains = [times[one_by_one] / times[form] for times in rounds]
        spread = " / ".join(f"{value(gains):.2f}" for value in (min, median, max))
        told += (
            f"\n  {form.__name__} {1e3 * median(t[form] for t in rounds) / count:.1f} ms, x{spread}"
        )
    return told


def parts(spec: str, rules: Rules) -> str:
    """Where games one by one spend their time; `decision` is what of decisions is in Python."""
    spent: dict[str, float] = defaultdict(float)
    inner, total, seeds = 0.0, 0.0, range(60 if rules.size == 5 else 24)

    def watched(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            nonlocal inner
            before, inner, began = inner, 0.0, process_time()
            found, took = function(*given), process_time() - began
            spent[part], inner = spent[part] + took - inner, before + took
            return found

        return call

    one_by_one(spec, rules, range(3))
    for seed in seeds:
        total += timed(one_by_one, spec, rules, range(seed, seed + 1))
        with ExitStack() as stack:
            for part, *places in map(str.split, PARTS.splitlines()):
                for where, _, name in (place.rpartition(".") for place in places):
                    owner = resolve_name(f"bots.{where}")
                    new: Any = watched(part, getattr(owner, name))
                    new = staticmethod(new) if name == "of" else new  # a class method is bound
                    stack.enter_context(patch.object(owner, name, new))
            watched("game", one_by_one)(spec, rules, range(seed, seed + 1))
    kernels, game = (100 * spent.pop(part) / total for part in ("kernels", "game"))
    decision, inside = 100 - kernels - game, sum(spent.values())
    told = {part: round(decision * each / inside, 1) for part, each in spent.items()}
    return f"{kernels:.1f} % kernels, {game:.1f} game, {decision:.1f} decision: {told}"


def first(spec: str, rules: Rules, by: Any = make) -> str:
    """Seconds to the first decision of a bot."""
    return f"{timed(lambda: by(spec, Game(rules), 1).decide(View(rules, BLACK, enemies=1))):.2f} s"


if __name__ == "__main__":
    what, *numbers = sys.argv[1:]
    for spec, rules in [CASES[int(number)] for number in numbers] or CASES:
        told = {"parts": parts, "games": games, "first": first}[what](spec, rules)
        sys.stdout.write(f"{spec} {rules.size}x{rules.size}: {told}\n")
