"""The division of given minutes."""

import time
from argparse import Namespace
from typing import Any

import pytest

from phantomgo.game.points import Colour
from phantomgo.game.rules import Rules
from phantomgo.identity import Identity
from phantomgo.lab.learning import timetable
from phantomgo.portfolio.setup import Setup

SLOW = "tests.support.bad_bots:Slow"


@pytest.mark.parametrize("slow", list(Colour))
def test_time_to_identify_a_book_is_that_of_games_of_both_its_bots(slow, monkeypatch):
    def timed(black, white, _most):
        return 0.5 if SLOW in (black.name, white.name) else 0.001

    monkeypatch.setattr(timetable, "_timed", timed)
    monkeypatch.setattr(timetable, "games_to_know", lambda _: 100)
    black, white = (Identity(SLOW if colour is slow else "random") for colour in Colour)
    store: Any = Namespace(setup=Setup(black, white, "olympiad", Rules(size=2)), side=lambda: 0)
    workers: Any = Namespace(number=lambda: 1)
    progress: Any = Namespace(note=lambda _: None)
    division = timetable.Timetable.of(10, time.monotonic(), store, workers, progress)
    assert division.over - division.learned == pytest.approx(100 * 0.5 + 0.2 * 600)
