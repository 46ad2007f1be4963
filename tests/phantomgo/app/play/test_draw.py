"""Boards as text, small and large."""

import pytest

from phantomgo.app.play.draw import ASCII, DRAWN, draw_board, width
from phantomgo.app.play.large import draw_large, most_lines
from phantomgo.app.play.page import boards
from phantomgo.app.table.game import GameMoment
from phantomgo.app.table.scene import view_scene
from phantomgo.app.table.viewer import three_scenes
from phantomgo.points import BLACK, WHITE, Colour
from tests.support.strategies import played


@pytest.mark.parametrize("look", [ASCII, DRAWN])
@pytest.mark.parametrize("size", range(2, 20))
def test_boards_are_square_and_fit(size, look):
    referee = played(size, size, 3 * size)
    for colour in Colour:
        view = referee.view(colour)
        heat = dict.fromkeys(range(size * size), 0.5)
        for scene in (view_scene(view), view_scene(view, 7, heat, 5)):
            for close in (False, True):
                board = draw_board(scene, look, close=close)
                rows = board[1 : size + 1]
                assert len({width([row if close else row[:-1]]) for row in rows}) == 1
                assert width(board) <= (size + 3 if close else 2 * size + 5)
            for high in (2, 3):
                large = draw_large(scene, high)
                rows = large[1 : high * size + 1]
                assert {width([row[:-1]]) for row in rows} == {2 * high * size + 3}
                assert most_lines(size, width(large), len(large)) == high
                assert most_lines(size, width(large) - 1, len(large)) == high - 1
    views = referee.view(BLACK), referee.view(WHITE)
    scenes = three_scenes(GameMoment(referee.board, views, referee.to_move))
    assert width(boards(scenes, look, 80)) <= 80
