"""A table and its viewers, without a front."""

from concurrent.futures import Future

import pytest

from phantomgo.app.table.game import TableGame
from phantomgo.app.table.players import HUMAN, Players
from phantomgo.app.table.scene import Scene
from phantomgo.app.table.table import BotFailed, Table
from phantomgo.app.table.viewer import Phase, Viewer
from phantomgo.game.outcome import Ending, Fault
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE
from tests.support.play_tools import new_game

C3, D4 = 12, 18


class Told(Players):
    """Players who answer when the test says so."""

    def __init__(self):
        self.asked = []
        self.heard = 0

    def ask(self, colour):
        self.asked.append((colour, Future()))
        return self.asked[-1][1]

    def hear_end(self):
        self.heard += 1


def scene(viewer: Viewer):
    [(_, only)] = viewer.scenes()
    return only


def test_two_viewers_of_one_table_see_their_own_stones():
    table = Table(new_game(HUMAN, HUMAN), Told())
    black, white = (Viewer(table, frozenset({colour})) for colour in (BLACK, WHITE))
    table.attempt(C3)
    table.attempt(D4)
    assert (scene(black).black, scene(black).white) == (1 << C3, 0)
    assert (scene(white).black, scene(white).white) == (0, 1 << D4)
    assert (black.phase, white.phase) == (Phase.PLAY, Phase.PLAY)
    assert black.their_turn
    assert not white.their_turn
    table.attempt(RESIGN)
    assert black.phase is white.phase is Phase.OVER
    assert [title for title, _ in white.scenes()] == ["Full board", "Black's view", "White's view"]


def test_the_numbers_of_a_heat_map_are_tens_of_per_cent():
    scene = Scene(5, heat=dict(enumerate((0.04, 0.05, 0.21, 0.36, 0.5, 0.94, 0.96, 1.0))))
    assert [scene.tens(point) for point in range(9)] == [0, 1, 2, 4, 5, 9, 10, 10, 0]


def test_heat_vanishes_when_the_view_changes():
    table = Table(new_game(HUMAN, HUMAN), Told())
    white = Viewer(table, frozenset({WHITE}))
    table.attempt(C3)
    white.heat, white.hint = {1: 0.5}, D4
    table.attempt(C3)  # refused: White's own attempt, so White knows more
    assert (white.heat, white.hint) == ({}, None)
    table.attempt(D4)
    white.heat = {1: 0.5}
    table.attempt(D4)  # Black is refused, which White does not hear
    assert white.heat == {1: 0.5}
    table.attempt(PASS)
    assert white.heat == {}


def test_a_curtain_hides_the_board_and_stops_the_clock():
    now = [0.0]
    table = Table(new_game(HUMAN, HUMAN, time=60), Told(), now=lambda: now[0])
    both = Viewer(table, frozenset({BLACK, WHITE}))
    now[0] = 10
    table.attempt(C3)
    now[0] = 30
    assert both.phase is Phase.HANDOVER
    both.change_seats()
    assert both.scenes() == []
    assert (table.clock(BLACK), table.clock(WHITE)) == (50, 60)
    both.change_seats()
    now[0] = 35
    assert table.clock(WHITE) == 55
    assert scene(both).black == 0


def test_a_thought_is_asked_for_once_and_taken_once():
    players = Told()
    table = Table(new_game(), players)
    changes = []
    table.watchers.append(lambda: changes.append(len(table.game.steps)))
    table.attempt(C3)
    assert table.think() is table.think()
    [(colour, future)] = players.asked
    future.set_result((C3, 0.5))
    table.take()
    assert (colour, table.thought, table.game.to_move) == (WHITE, None, WHITE)  # refused
    table.think().set_exception(ZeroDivisionError("by zero"))
    with pytest.raises(BotFailed, match="White failed: by zero"):
        table.take()
    assert table.paused
    table.think().set_exception(Fault(Ending.CRASH, "is gone"))
    table.take()
    assert table.game.outcome.result == "B+F"
    assert (changes, players.heard) == ([1, 2, 2], 1)


def test_a_table_that_cannot_be_saved_continues():
    def keep(_game):
        raise OSError(28, "No space left on device")

    table = Table(new_game(HUMAN, HUMAN), Told(), keep=keep)
    table.attempt(C3)
    assert table.trouble == "The game cannot be saved any more: No space left on device."
    table.attempt(D4)
    assert len(table.game.steps) == 2


def test_a_clock_stands_where_it_stood_when_a_turn_is_resumed():
    game = new_game(HUMAN, HUMAN, time=60)
    for move, seconds in ((C3, 5.0), (C3, 10.0), (D4, 1.0), (D4, 20.0)):
        game.attempt(move, seconds)  # both are refused once
    table = Table(TableGame.resumed(game.record()), Told(), now=lambda: 0.0)
    table.begin()
    assert [table.clock(colour) for colour in (BLACK, WHITE)] == [35, 49]


def test_a_resumed_game_of_two_people_at_one_screen_begins_behind_a_curtain():
    game = new_game(HUMAN, HUMAN)
    game.attempt(C3, 1.0)
    both = Viewer(Table(game, Told()), frozenset({BLACK, WHITE}))
    assert both.phase is Phase.CURTAIN
    assert both.scenes() == []
