"""Boards drawn large."""

import math

import pytest

from phantomgo.app.play.draw import plain
from phantomgo.app.play.large import QUADRANTS, disc, draw_large
from phantomgo.app.table.scene import view_scene
from phantomgo.points import BLACK
from tests.support.play_tools import Scripted, new_game, say, sit

MIRROR = str.maketrans("▘▝▖▗▌▐▞▚▛▜▙▟", "▝▘▗▖▐▌▚▞▜▛▟▙")
"""Characters of quarters, seen in a mirror."""


def test_a_large_board_to_read():
    chair = sit(new_game(size=3), Scripted("A3"))
    say(chair, "b2", "a3", "mark c1")
    scene = view_scene(chair.game.view(BLACK), 1 << 2)
    assert plain(draw_large(scene, 2)).splitlines() == [
        "    A   B   C",
        " 3 ▟▀▙──┬───┐  3",
        "   ▜▄▛  │   │",
        " 2  ├──▟●▙──┤  2",
        "    │  ▜█▛  │",
        " 1  └───┴───◌  1",
        "",
        "    A   B   C",
    ]


@pytest.mark.parametrize("lines", range(2, 12))
def test_stones_are_round(lines):
    """Symmetrical, and of the area of an ellipse within a quarter of a character an edge."""
    drawn = disc(lines)
    assert {len(line) for line in drawn} == {2 * lines - 1}
    filled = sum(QUADRANTS.index(char).bit_count() for line in drawn for char in line) / 4
    assert filled == pytest.approx(math.pi / 4 * lines * (2 * lines - 1), rel=0.1)
    assert [line.translate(MIRROR)[::-1] for line in drawn] == list(drawn)
