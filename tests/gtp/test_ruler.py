"""GoGui's ruler: two processes of one command, one game, driven as GoGui drives them."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gtp.session import Session
from gtp.sharing import Sharing
from phantomgo.game.points import WHITE, parse_move
from phantomgo.rng import Stream
from tests.support.commands import started
from tests.support.gtp_tools import hosting, session
from tests.support.waiting import PATIENCE

LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has names that leave no file"
)


class GoGui:
    """GoGui 1.6 with a program and its ruler (GoGui.java, GenericBoard.java)."""

    def __init__(self, program: Session) -> None:
        self.program = program
        self.ruler = session({}, program=lambda line: program.show(line.encode()))
        self.ask(self.ruler, "phantom-seat ruler")
        self.moves: list[str] = []
        self.ask(self.ruler, "clear_board")
        self.to_move = self.rule("side_to_move")

    @staticmethod
    def ask(session: Session, line: str) -> str:
        response = session.run(line)
        assert response.startswith("="), f"{line}: {response}"
        return response[1:].strip()

    def rule(self, what: str) -> str:
        return self.ask(self.ruler, f"gogui-rules_{what}")

    @property
    def board(self) -> list[str]:
        return self.rule("board").replace(" ", "").split("\n")

    def click(self, where: str) -> None:
        """A human's move, and the computer's after it."""
        legal = self.rule("legal_moves").split()
        assert where in legal, f"{where}: illegal move"
        self.ask(self.program, f"play {self.to_move[0]} {where}")
        self.moved(where)
        if self.rule("legal_moves") and self.to_move == "white":
            self.moved(self.ask(self.program, "genmove w"), times=2)

    def moved(self, where: str, times: int = 1) -> None:
        """A move enters the tree; the ruler gets a program's move twice."""
        self.moves.append(f"play {self.to_move[0]} {where}")
        for _ in range(times):
            self.ask(self.ruler, self.moves[-1])
        self.to_move = self.rule("side_to_move")

    def go_to(self, number: int) -> list[str]:
        """Show the position after this number of moves of the tree."""
        self.ask(self.ruler, "clear_board")
        for line in self.moves[:number]:
            self.ask(self.ruler, line)
        return self.board

    def synchronize(self) -> None:
        """Bring a program without `undo` to the position that is shown."""
        for line in ("boardsize 5", "clear_board", *self.moves):
            self.ask(self.program, line)


def gogui(*white: str) -> GoGui:
    moves = {WHITE: [parse_move(word, 5) for word in white]}
    return GoGui(session(moves))


def test_a_game_as_gogui_shows_it():
    gui = gogui("C4", "D4", "A1", "B1", "E1", "pass")
    gui.click("C3")
    assert gui.rule("board_gfx") == "TEXT White has moved."
    gui.click("C4")
    assert (gui.to_move, gui.board[1]) == ("black", "..O.."), "a refused point holds a stone"
    assert "C4" not in gui.rule("legal_moves")
    for where in ("B4", "D4"):
        gui.click(where)
    assert gui.board[1] == ".XOO."
    gui.click("A2")
    gui.click("C5")
    gui.click("pass")
    assert gui.to_move == "black", "the bot has answered: GoGui would not ask after two passes"
    gui.click("pass")
    assert gui.rule("legal_moves") == ""
    assert gui.rule("final_result") == "W+8.5 (both players passed; White wins by 8.5)"
    assert gui.board == ["..X..", ".XOO.", "..X..", "X....", "OO..O"]


def test_stones_taken_are_counted_and_gone():
    gui = gogui("A1", "B2", "C1", "pass")
    for where in ("B1", "A2", "E5"):
        gui.click(where)
    assert gui.rule("captured_count") == "1 0"
    assert gui.board[3:] == ["X....", ".X..."]
    gui = gogui("A2", "B1", "pass")
    gui.click("A1")
    gui.click("E5")
    assert gui.rule("captured_count") == "0 1"
    assert "SQUARE A1" in gui.rule("board_gfx")
    assert gui.board[3:] == ["O....", ".O..."]


def test_back_and_on_and_further():
    gui = gogui("C4", "D4", "A1", "B1")
    for where in ("C3", "C4", "B4"):
        gui.click(where)
    shown = [gui.go_to(number) for number in range(len(gui.moves) + 1)]
    assert shown[0] == ["....."] * 5
    assert [board[1] for board in shown] == [".....", ".....", ".....", "..O..", ".XO..", ".XO.."]
    assert gui.go_to(2)[2] == "..X.."
    assert len(gui.rule("legal_moves").split()) == 25, "all but the own stone, and pass"
    assert "An earlier position: a move here begins a new game" in gui.rule("board_gfx")
    gui.go_to(len(gui.moves))
    gui.synchronize()
    gui.click("D4")
    assert gui.board[1] == ".XOO."
    assert hosting(gui.program).referee.view(WHITE).turn == 2


def test_a_game_with_a_pass_of_ours_is_repeated():
    """GoGui does not know of the bot's move after it."""
    gui = gogui("C4", "D4", "A1", "B1")
    for where in ("C3", "pass", "B4"):
        gui.click(where)
    gui.synchronize()
    gui.click("E5")
    assert hosting(gui.program).referee.view(WHITE).turn == 4
    assert gui.go_to(len(gui.moves))[2:] == ["..X..", ".....", "....."]


def test_the_bot_moves_at_once_after_a_pass_of_ours():
    """GoGui takes the pass and the hidden move for two passes, and would not ask for it."""
    gui = gogui("C4", "D4")
    gui.click("C3")
    gui.ask(gui.program, "play b pass")
    assert hosting(gui.program).referee.view(WHITE).turn == 2


def test_the_ruler_shows_nothing_but_the_view():
    """In random games only the seat's view is shown."""
    for seed in range(20):
        stream = Stream(seed)
        gui = GoGui(session({WHITE: [stream.below(25) for _ in range(30)]}))
        for _ in range(12):
            legal = gui.rule("legal_moves").split()
            if not legal:
                break
            gui.click(legal[stream.below(len(legal))])
            if gui.rule("legal_moves"):
                view = gui.ask(gui.program, "phantom-view b").replace(" ", "").replace("?", ".")
                assert gui.board == view.split("\n")


def test_a_ruler_says_what_it_cannot_show():
    gui = gogui("C4")
    for line in ("komi much", "boardsize x", "play b Z99"):
        assert gui.ruler.run(line) == "? syntax error\n\n"
    assert gui.ruler.run("boardsize 20") == "? unacceptable size\n\n"
    assert gui.ruler.run("komi 6.5") == "= \n\n"
    gui.ask(gui.ruler, "play b E5")
    assert gui.ruler.run("gogui-rules_board") == "? the program does not know these moves\n\n"


class Process:
    """`phantomgo gtp` as GoGui starts it."""

    def __init__(self, name: str) -> None:
        words = ["gtp", "--bot", "random", "--seed", 3, "--size", 5, "--session", name]
        self.process = started("-m", "phantomgo", *words, stdin=subprocess.PIPE)

    def ask(self, line: str) -> str:
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        response = ""
        while not response.endswith("\n\n"):
            response += self.process.stdout.readline()
        return response.strip()

    def end(self, how: signal.Signals | None = None) -> None:
        if how is None:
            self.ask("quit")
        else:
            self.process.send_signal(how)
        self.process.wait(PATIENCE)
        self.process.stdin.close()
        self.process.stdout.close()


@LINUX
def test_program_and_ruler_find_each_other_and_leave_nothing(tmp_path):
    name = f"{tmp_path}-{os.getpid()}"
    program, ruler = Process(name), Process(name)
    for process in (program, ruler):
        assert process.ask("gogui-rules_game_id") == "= Phantomgo"
        assert process.ask("gogui-rules_board_size") == "= 5"
    assert ruler.ask("clear_board") == "="
    assert ruler.ask("gogui-rules_side_to_move") == "= black"
    assert program.ask("play b C3") == "="
    assert ruler.ask("play b C3") == "="
    assert ruler.ask("gogui-rules_side_to_move") == "= white"
    # The program is killed; a new one takes its place at once, and the ruler finds it.
    program.end(signal.SIGKILL)
    assert ruler.ask("gogui-rules_board") == "? there is no program whose game could be shown"
    program = Process(name)
    program.ask("gogui-rules_game_id")
    assert ruler.ask("gogui-rules_board") == "? the program does not know these moves"
    ruler.ask("clear_board")
    assert ruler.ask("gogui-rules_side_to_move") == "= black"
    program.end()
    ruler.end()
    assert name not in Path("/proc/net/unix").read_text()


@LINUX
def test_the_program_is_asked_while_it_thinks(tmp_path):
    """GoGui repaints its board meanwhile: the answer is the position before the command."""
    name = f"{tmp_path}-{os.getpid()}"
    program, ruler = Process(name), Process(name)
    program.ask("gogui-rules_game_id")
    program.ask("phantom-param bot flatmc:time=1000")
    program.ask("play b C3")
    ruler.ask("clear_board")
    ruler.ask("gogui-rules_side_to_move")
    ruler.ask("play b C3")
    program.process.stdin.write("genmove w\n")
    program.process.stdin.flush()
    time.sleep(0.2)
    assert ruler.ask("gogui-rules_side_to_move") == "= white"
    assert select.select([program.process.stdout], [], [], 0)[0] == [], "it has not moved yet"
    program.end(signal.SIGKILL)
    ruler.end()


@LINUX
def test_only_processes_of_the_same_user_are_answered(tmp_path, monkeypatch):
    """Every user of the machine can connect to an abstract name."""
    name, user = f"{tmp_path}-{os.getpid()}", os.getuid()
    program = Sharing(name)
    assert program.heard(b"gogui-rules_game_id", session({})) is None
    try:
        assert Sharing(name).ask("phantom-shown").startswith("= ")
        monkeypatch.setattr(os, "getuid", lambda: user + 1)
        with socket.socket(socket.AF_UNIX) as stranger, contextlib.suppress(ConnectionError):
            stranger.connect(f"\0{name}".encode())
            stranger.sendall(b"phantom-shown\n")
            assert stranger.recv(100) == b""
    finally:
        program.close()


@LINUX
def test_only_processes_of_the_same_user_are_asked(tmp_path, monkeypatch):
    """Every user of the machine can take an abstract name, and would learn the moves."""
    name, user = f"{tmp_path}-{os.getpid()}", os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    with socket.socket(socket.AF_UNIX) as stranger:
        stranger.bind(f"\0{name}".encode())
        stranger.listen()
        assert Sharing(name).ask("phantom-shown b C3") is None
        asked, _ = stranger.accept()
        with asked:
            assert asked.recv(100) == b""
