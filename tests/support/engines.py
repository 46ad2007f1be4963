"""Engines for tests of controllers: ordinary ones, and the misbehaving ones of tests/engines."""

import shutil
import subprocess
import sys
from collections.abc import Callable

from gtp import syntax
from gtp.channel import Channel
from phantomgo.game.board import Board, Played
from phantomgo.game.points import PASS, members, vertex
from tests.support.places import TESTS

BAD = TESTS / "engines" / "bad.py"
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
OURS = f"gtp:{sys.executable} -m phantomgo gtp --bot random"
"""The spec of an engine that is our server."""


def argv(*kind: str) -> list[str]:
    return [sys.executable, "-S", str(BAD), *kind]


def engine(*kind: str) -> str:
    """The spec of a misbehaving engine."""
    return f"gtp:{sys.executable} -S '{BAD}' {' '.join(kind)}"


def processes() -> list[tuple[int, str]]:
    """Process group and command line of every process except zombies."""
    done = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True
    )
    found = (line.split(None, 2) for line in done.stdout.splitlines())
    return [(int(words[0]), words[2]) for words in found if len(words) == 3 and words[1][0] != "Z"]


class LocalChannel(Channel):
    """A session in this process, without deadlines."""

    def __init__(self, run: Callable[[str], str | None]) -> None:
        """`run` takes a command line and returns the response with its empty line."""
        super().__init__()
        self._run = run

    def _exchange(self, line: str, seconds: float) -> bytes:  # noqa: ARG002
        return (self._run(line) or "").removesuffix("\n\n").encode()

    def kill(self) -> None:
        pass

    def close(self) -> None:
        pass


class Plain:
    """An ordinary Go engine in this process, without the phantom commands."""

    def __init__(self, size, moves=()):
        self.board, self.moves, self.sent = Board(size), list(moves), []
        self.closed = False

    def run(self, text):
        command = syntax.parse(text.encode())
        self.sent.append(text.split(" ", 1)[1].strip())
        try:
            return syntax.success(command.id, self.answer(command.name, command.arguments) or "")
        except syntax.Failure as failure:
            return syntax.failure(command.id, str(failure))

    def answer(self, name, words):
        size = self.board.size
        match name:
            case "list_commands":
                return "boardsize\nclear_board\nkomi\nplay\ngenmove\nlist_commands"
            case "boardsize":
                self.board = Board(int(words[0]))
            case "clear_board":
                self.board = Board(size)
            case "play":
                self.place(syntax.colour(words[0]), syntax.move(words[1], size))
            case "genmove":
                return self.moves.pop(0) if self.moves else self.first(syntax.colour(words[0]))
            case "komi":
                pass
            case _:
                raise syntax.Failure("unknown command")
        return None

    def place(self, colour, move):
        if move == PASS:
            return
        played = Board(self.board.size, self.board.black, self.board.white).play(colour, move)
        if not isinstance(played, Played):
            raise syntax.Failure("illegal move")
        assert not played.captured, "a position set up takes no stones"
        self.board = played.board

    def first(self, colour):
        """The first legal point, rarely an own eye; else pass."""
        size = self.board.size
        taken = self.board.black | self.board.white
        for point in members(((1 << size * size) - 1) & ~taken):
            legal = isinstance(self.board.play(colour, point), Played)
            if legal and (point + taken.bit_count()) % 5:
                return vertex(point, size)
        return "pass"


class Tap:
    """A session and the commands it was sent."""

    def __init__(self, server):
        self.server, self.sent = server, []

    def run(self, text):
        self.sent.append(text.split(" ", 1)[1].strip())
        return self.server.run(text)
