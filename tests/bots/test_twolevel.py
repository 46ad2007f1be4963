"""The two-level player's formulas, and the hybrid."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bots import make
from bots.belief import presume_refused
from bots.infosets import Imagined, InfoSet
from bots.kernels.ucb import bonus, log
from bots.twolevel import TwoLevel, _bounds, _count
from bots.worlds import Statistics
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, RESIGN, WHITE
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from tests.support.views import views

GAME = Game(Rules())


def test_alpha_amaf_gives_way_to_a_candidates_own_games():
    bot, points = TwoLevel(GAME, 0, rave=10), np.array([3, 4, 5, 6])
    stats = Statistics(4, 9)
    stats.visits[:], stats.wins[:] = [0, 4, 20, 0], [0, 1, 5, 0]
    stats.amaf_visits[3:7], stats.amaf_wins[3:7] = [5, 5, 5, 0], [2, 3, 5, 0]
    alpha = Fraction(10 - 4, 10)
    mixed = alpha * Fraction(3, 5) + (1 - alpha) * Fraction(1, 4)
    values = bot._values(stats, points)
    assert values == pytest.approx([2 / 5, float(mixed), 1 / 4, 1 / 2])
    bounds = _bounds(values, stats.visits)
    assert bounds[0] == bounds[3] == math.inf
    assert bounds[1] == pytest.approx(float(mixed) + math.sqrt(2 * math.log(24) / 4), abs=1e-4)


def test_a_game_counts_for_its_candidate_and_for_what_was_played_later():
    view = views(5)["empty"]
    info = InfoSet.of(view, presume_refused(view))
    game, stats = Imagined(info, 1, 12), Statistics(2, 25)
    game.first = {12: BLACK, 3: BLACK, 4: WHITE, 7: BLACK}
    _count(stats, 1, info.rules.lead_to_exceed(info.colour) + 1, game, info, 12)
    _count(stats, 1, info.rules.lead_to_exceed(info.colour), game, info, 12)
    assert (stats.visits.tolist(), stats.wins.tolist()) == ([0, 2], [0, 1])
    assert stats.margins.tolist() == [0, 2 * info.rules.lead_to_exceed(info.colour) + 1]
    played = {p: (int(stats.amaf_visits[p]), int(stats.amaf_wins[p])) for p in range(25)}
    assert {p: counts for p, counts in played.items() if any(counts)} == {3: (2, 1), 7: (2, 1)}


def test_the_logarithm():
    numbers = [*range(1, 3000), 10**6, 10**9, 2**31 - 1, 2**31, 2**40 + 12345, 2**61]
    logs = [log(n) for n in numbers]
    assert logs == sorted(logs)
    assert logs == pytest.approx([math.log(n) for n in numbers], abs=2e-5)
    assert bonus(3, 100) == pytest.approx(math.sqrt(2 * math.log(100) / 3), abs=1e-4)


def test_hybrid_switches_at_a_number_of_hidden_stones():
    few, many = views(7)["empty"], views(7)["middle"]
    assert few.hidden < 3 <= many.hidden
    spec = "playouts=4,inner=2,horizon=9"
    for seed in range(4):
        hybrid = make(f"hybrid:{spec},hidden=3,flat=300", GAME, seed)
        assert (
            hybrid.decide(few).move
            == make("flatmc:playouts=300", Game.of(few), seed).decide(few).move
        )
        assert (
            hybrid.decide(many).move
            == make(f"twolevel:{spec}", Game.of(many), seed).decide(many).move
        )


def test_hybrid_resigns_however_it_searches():
    lost, seed = Game(Rules(size=5, komi=100)), 1
    view = View(lost.rules, BLACK)
    for hidden in (0, 1):
        spec = f"hybrid:playouts=2,inner=1,flat=50,resign=50,hidden={hidden}"
        assert make(spec, lost, seed).decide(view).move == RESIGN
