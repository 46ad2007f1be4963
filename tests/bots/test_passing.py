"""What a pass is worth."""

import numpy as np
import pytest

from bots.belief import presume_refused
from bots.passing import WORLDS, pass_value
from bots.worlds import FIRST, Statistics, Worlds
from phantomgo.messages import Passed, Placed
from phantomgo.points import BLACK, PASS, point_set
from phantomgo.rules import Rules
from phantomgo.view import View


@pytest.fixture
def lead() -> View:
    """Black's only stone makes the whole board theirs, as long as White does not play."""
    return View(Rules(size=5, komi=0.5), BLACK).after(Placed(BLACK, point_set([12])))


def test_a_pass_is_worth_no_more_than_the_games_that_follow_it(lead):
    worlds = Worlds(presume_refused(lead), lead.rules, BLACK)
    stats = Statistics(1)
    worlds.play_out(np.array([PASS]), FIRST, WORLDS, 9, 0, stats)
    assert worlds.standing(9, WORLDS) == 1
    assert pass_value(lead, worlds, 9) == stats.win_rate(0) < 0.9


def test_after_the_opponents_pass_the_board_counts_as_it_stands(lead):
    view = lead.after(Passed())
    worlds = Worlds(presume_refused(view), view.rules, BLACK)
    assert pass_value(view, worlds, 9) == 1
