"""The phases of a console, its seats, and the end of its game."""

import math

import pytest

from phantomgo.app.play import commands
from phantomgo.app.play.console import Console
from phantomgo.app.play.page import status
from phantomgo.app.table.players import HUMAN, ThreadedPlayers
from phantomgo.app.table.table import Table
from phantomgo.app.table.viewer import Phase
from phantomgo.game.player import Decision
from phantomgo.game.points import BLACK, PASS, WHITE
from phantomgo.game.recording import verify
from tests.support.play_tools import Scripted, Slow, new_game, say, seen, settle, sit


def test_a_bot_that_thinks_can_be_left_to_it():
    slow, time = Slow(), [1000.0]
    chair = sit(new_game(), slow, now=lambda: time[0])
    commands.run(chair, "c3")
    assert chair.work is not None
    time[0] += 7
    assert status(chair, "|") == "| White thinks 7 s (Ctrl-C: back to the prompt)"
    chair.interrupt()
    assert chair.answer == "White thinks on; Enter waits for it."
    before = chair.game.record()
    for line in ("d4", "pass", "resign", "hint", "mark e5", "log", "help", "board"):
        commands.run(chair, line)
        assert chair.work is None
    assert chair.game.record() == before
    commands.run(chair, "")
    assert chair.work is not None
    slow.let.set()
    settle(chair)
    assert slow.asked == 1  # the same thought was waited for
    assert chair.game.to_move is BLACK
    say(chair, "d4")
    assert chair.game.view(WHITE).opponent_turn == 2


def test_a_game_that_can_no_longer_be_saved_is_not_said_to_be(tmp_path):
    file = tmp_path / "games" / "1.json"
    chair = sit(new_game(), Scripted(), autosave=file)
    say(chair, "c3")
    assert chair.resume_hint == "The game is saved: `phantomgo play --resume` continues it."
    file.unlink()
    file.parent.rmdir()
    file.parent.touch()
    assert say(chair, "d4").startswith("The game cannot be saved any more: ")
    assert chair.resume_hint == ""


class Broken:
    name = "broken"

    def __init__(self, error):
        self.error = error

    def decide(self, _view, _seconds=math.inf):
        if self.error is not None:
            error, self.error = self.error, None
            raise error
        return Decision(PASS)


def test_a_bot_that_fails_is_a_message_and_can_be_asked_again():
    chair = sit(new_game(), Broken(ZeroDivisionError("by zero")))
    answer = say(chair, "c3")
    assert answer == "White failed: by zero. Enter asks again; the game is as it was."
    assert (len(chair.game.steps), chair.game.to_move) == (1, WHITE)
    say(chair, "")
    assert chair.game.to_move is BLACK


def test_time_runs_out():
    now = [0.0]
    chair = sit(new_game(time=60), Scripted(), now=lambda: now[0])
    now[0] = 25.0
    say(chair, "c3")
    now[0] = 45.0
    assert "Black (you), 0:15 left" in seen(chair)
    assert chair.game.left(WHITE) == pytest.approx(60, abs=1)
    now[0] = 85.1
    chair.table.tick()
    assert chair.answer.startswith("You lost on time. Black ran out of time")
    assert "Black (you): 1 stone, 0 lost, 0 of the enemy's hidden, 0:00 left" in seen(chair)
    verify(chair.game.record())


def test_two_people_do_not_see_each_other():
    chair = sit(new_game(HUMAN, HUMAN))
    say(chair, "c3")
    assert (chair.phase, "X" in seen(chair)) == (Phase.HANDOVER, True)
    assert say(chair, "d4") == "White (human) is to move; Enter continues."
    say(chair, "")
    assert (chair.phase, "White, take your seat." in seen(chair)) == (Phase.CURTAIN, True)
    assert "C3" not in seen(chair) + status(chair)
    say(chair, "log")  # anything lifts the curtain, and is nothing more
    assert (chair.phase, chair.page) == (Phase.PLAY, [])
    assert (chair.facing, "(X)" in seen(chair)) == (WHITE, False)
    say(chair, "mark c3", "d4", "", "")
    assert chair.facing is BLACK
    assert "your guess" not in seen(chair)
    say(chair, "pass", "", "", "pass", "pass")
    assert chair.phase is Phase.OVER
    assert "White's view" in seen(chair)


def test_watching_stops_and_goes_on():
    slow = Slow()
    chair = sit(new_game("random", "random"), slow)
    assert "Full board" in seen(chair)
    chair.interrupt()
    slow.let.set()
    say(chair, "")
    assert len(chair.game.steps) == 1  # Enter: one attempt
    assert say(chair, "d4") == "White (random) is to move; Enter continues."
    assert say(chair, "belief") == "That is for players; you are watching."
    say(chair, "go")
    assert chair.phase is Phase.OVER


def test_the_ending_shows_the_area():
    chair = sit(new_game(komi=0.5, handicap=0b11110_11111_00000_11111_11110), Scripted())
    say(chair, "pass", "pass")
    assert chair.answer.startswith("You won by 24.5. Both players passed; Black wins by 24.5")
    assert "Black has 25 points, White 0 and 0.5 komi." in chair.answer
    board = seen(chair).splitlines()
    assert board[4].startswith(" 3 x x x x x 3")
    assert "x Black's area" in seen(chair)


def test_a_rematch_changes_colours_and_overwrites_no_file_of_the_game_before():
    tables = []

    def lay(game):
        tables.append(Table(game, ThreadedPlayers(game)))
        return tables[-1]

    first = new_game()
    chair = Console(Table(first, ThreadedPlayers(first)), set_up=lay)
    chair.begin()
    assert say(chair, "rematch") == "`rematch` is for after the game."
    assert say(chair, "resign", "resign").startswith(
        "You lost by resignation. Black resigns (W+R)."
    )
    say(chair, "save one", "rematch")
    assert say(chair, "save one") == "one.json exists already."
    assert chair.game.name(BLACK) == "random"
    assert chair.facing is WHITE
    settle(chair)
    assert chair.their_turn
    assert len(chair.game.steps) == 1
    assert say(chair, "resign", "resign").startswith(
        "You lost by resignation. White resigns (B+R)."
    )
