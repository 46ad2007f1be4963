"""Boards as text."""

import pytest

from phantomgo.app.play.draw import ASCII, DRAWN, draw_board, width
from phantomgo.app.play.page import boards
from phantomgo.app.table.game import GameMoment
from phantomgo.app.table.scene import view_scene
from phantomgo.app.table.viewer import three_scenes
from phantomgo.game.points import BLACK, WHITE, Colour
from tests.support.strategies import played


@pytest.mark.parametrize("look", [ASCII, DRAWN])
@pytest.mark.parametrize("size", range(2, 20))
def test_boards_are_square_and_fit(size, look):
    referee = played(size, size, 3 * size)
    for colour in Colour:
        view = referee.view(colour)
        heat = dict.fromkeys(range(size * size), 0.5)
        for scene in (view_scene(view), view_scene(view, 7, heat, 5)):
            for columns in (2 * size + 5, 2 * size + 3, size + 3):
                board = draw_board(scene, look, columns)
                assert width(board) <= columns
                assert len({width([row]) for row in board[max(1, size - 8) : size + 1]}) == 1
    views = referee.view(BLACK), referee.view(WHITE)
    scenes = three_scenes(GameMoment(referee.board, views, referee.to_move))
    assert width(boards(scenes, look, 80)) <= 80
