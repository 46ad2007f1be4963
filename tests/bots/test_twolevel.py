"""The two-level player's formulas, and the hybrid."""

import math
from fractions import Fraction

import numpy as np
import pytest

from bots import make
from bots.kernels.ucb import bonus, log
from bots.twolevel import TwoLevel, _bounds
from bots.worlds import Tally
from phantomgo.app.bench.cases import views


def test_alpha_amaf_gives_way_to_a_candidates_own_games():
    bot, points = TwoLevel(0, rave=10), np.array([3, 4, 5, 6])
    tally = Tally(4, 9)
    tally.visits[:], tally.wins[:] = [0, 4, 20, 0], [0, 1, 5, 0]
    tally.amaf_visits[3:7], tally.amaf_wins[3:7] = [5, 5, 5, 0], [2, 3, 5, 0]
    alpha = Fraction(10 - 4, 10)
    mixed = alpha * Fraction(3, 5) + (1 - alpha) * Fraction(1, 4)
    values = bot._values(tally, points)
    assert values == pytest.approx([2 / 5, float(mixed), 1 / 4, 1 / 2])
    bounds = _bounds(values, tally.visits)
    assert bounds[0] == bounds[3] == math.inf
    assert bounds[1] == pytest.approx(float(mixed) + math.sqrt(2 * math.log(24) / 4), abs=1e-4)


def test_the_logarithm():
    numbers = [*range(1, 3000), 10**6, 10**9, 2**61]
    logs = [log(n) for n in numbers]
    assert logs == sorted(logs)
    assert logs == pytest.approx([math.log(n) for n in numbers], abs=2e-5)
    assert bonus(3, 100) == pytest.approx(math.sqrt(2 * math.log(100) / 3), abs=1e-4)


def test_hybrid_is_one_or_the_other():
    few, many = views(7)["empty"], views(7)["middle"]
    assert few.hidden < 3 <= many.hidden
    spec = "playouts=4,inner=2,horizon=9"
    for seed in range(4):
        hybrid = make(f"hybrid:{spec},hidden=3,flat=300", seed)
        assert hybrid.propose(few) == make("flatmc:playouts=300", seed).propose(few)
        assert hybrid.propose(many) == make(f"twolevel:{spec}", seed).propose(many)
