"""`phantomgo gtp` as a process: pipes, ends, and two of them playing each other."""

import math
import subprocess

import pytest

from gtp.channel import ProcessChannel
from gtp.engine import EnginePlayer
from gtp.syntax import MAX_LINE
from phantomgo.game.outcome import Ending
from phantomgo.game.player import Decision
from phantomgo.game.playing import play_game
from phantomgo.game.record import Record
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from tests.support.commands import COMMAND, phantomgo
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

SERVER = [*COMMAND, "gtp"]
PLAIN = ("--bot", "random")
"""A bot that needs no kernels, for which the server starts in a third of the time."""


def serve(given: bytes, *options: str) -> subprocess.CompletedProcess:
    return phantomgo("gtp", *options, input=given, text=False)


def test_what_a_bot_prints_is_no_response():
    done = serve(b"genmove b\nquit\n", "--bot", "tests.support.bad_bots:Printing")
    assert (done.stdout, done.stderr) == (b"= pass\n\n= \n\n", b"here\n")


LONG = b"x" * 10_000_000
ODD = [
    (b"\x00\xff\n\x1b[A\n\r\n", b"? unknown command\n\n" * 2),
    (b"3 name " + LONG + b"\n4 name\n", b"?3 line too long\n\n=4 phantomgo\n\n"),
    (b"3 name #" + LONG + b"\n4 name\n", b"=3 phantomgo\n\n=4 phantomgo\n\n"),
    (b"name " + b" " * (MAX_LINE - 5) + b"\nname\n", b"? line too long\n\n= phantomgo\n\n"),
    (b"name\nquit\nname\n", b"= phantomgo\n\n= \n\n"),
]
"""Lines, and what is answered; the last ones end the process."""


@pytest.mark.parametrize(
    ("given", "answered"),
    [
        (b"", b""),
        (b"name", b"= phantomgo\n\n"),
        (b"1" * 10_000_000, b""),
        (bytes(range(256)) * 20 + b"\n0 name\n", None),
        tuple(map(b"".join, zip(*ODD, strict=True))),
    ],
    ids=["end", "no newline", "digits", "bytes", "one after another"],
)
def test_whatever_comes_the_process_ends_well(given, answered):
    done = serve(given, *PLAIN)
    assert (done.returncode, done.stderr) == (0, b"")
    if answered is None:
        assert done.stdout.endswith(b"=0 phantomgo\n\n")
    else:
        assert done.stdout == answered


def test_a_reader_that_goes_away():
    pipe = subprocess.PIPE
    process = subprocess.Popen([*SERVER, *PLAIN], stdin=pipe, stdout=pipe, stderr=pipe, cwd=ROOT)
    process.stdout.close()
    try:
        process.stdin.write(b"list_commands\n" * 1000)
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.wait(PATIENCE) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_files_are_read(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "my game.sgf").write_text("(;SZ[5];B[cc];W[cb])")
    (tmp_path / "long.sgf").write_bytes(b"(;SZ[5]C[" + b"a" * (2 << 20) + b"])")
    asked = ["loadsgf ~/my game.sgf", "phantom-view w", f'loadsgf "{tmp_path}/my game.sgf" 2']
    asked += ["phantom-view w", f"loadsgf {tmp_path}", "loadsgf lost.sgf", "loadsgf ~/long.sgf"]
    said = serve("\n".join(asked).encode(), *PLAIN).stdout.decode()
    assert said.split("\n\n") == [
        "= ",
        "= \n. . . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .",
        "= ",
        "= \n. . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .",
        f"? cannot load file: {str(tmp_path)[:80]}: it is not a regular file",
        "? cannot load file: lost.sgf: No such file or directory",
        "? cannot load file: SGF of 2097163 bytes; at most 1048576 are read",
        "",
    ]


class Restarting(EnginePlayer):
    """A `phantomgo gtp` that is ended before some of its moves, and told the game again."""

    def decide(self, view: View, seconds: float = math.inf) -> Decision:
        if view.turn in (2, 5):
            self.close()
        return super().decide(view, seconds)


def game_of_processes(kind: type[EnginePlayer]) -> Record:
    players = []
    for seed, name in enumerate(("black", "white"), 1):
        player = kind(lambda: ProcessChannel([*SERVER, *PLAIN], folder=str(ROOT)), name)
        player.new_game(seed)
        players.append(player)
    black, white = players
    record = play_game(Rules(size=5, komi=0.5), black, white)
    for player in players:
        player.close()
    return record


def test_two_players_under_a_referee_and_the_same_again_with_restarts():
    record = game_of_processes(EnginePlayer)
    assert record.outcome.ending is Ending.SCORE
    assert any(step.reason is not None for step in record.steps)
    again = game_of_processes(Restarting)
    assert [step.move for step in again.steps] == [step.move for step in record.steps]
