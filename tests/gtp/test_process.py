"""`phantomgo gtp` as a process: pipes, ends, and two of them playing each other."""

import subprocess
import sys

import pytest

from bots import make
from gtp.limits import DEFAULT_BOT
from gtp.syntax import MAX_LINE
from phantomgo import wording
from phantomgo.points import PASS, RESIGN, Colour, parse_move
from phantomgo.referee import Referee
from phantomgo.rules import Rules
from tests.support.commands import exit_code
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE

COMMAND = [sys.executable, "-m", "phantomgo", "gtp"]
PLAIN = ("--bot", "random")
"""A bot that needs no kernels, for which the server starts in a third of the time."""


@pytest.fixture(scope="module", autouse=True)
def _compiled():
    """Kernels in the cache: the server says so on stderr when it has to compile them."""
    for size in (5, 9):
        make(DEFAULT_BOT, 0).warm_up(size)


def serve(given: bytes, *options: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*COMMAND, *options],
        input=given,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
        cwd=ROOT,
    )


def test_the_first_session():
    done = serve(
        b"0 name\nboardsize 5\nclear_board\nkomi 0.5\nplay b C3\n7 genmove w\nshowboard\nquit\n"
    )
    assert (done.returncode, done.stderr) == (0, b"")
    responses = done.stdout.decode().split("\n\n")
    assert responses[:6] == ["=0 phantomgo", "= ", "= ", "= ", "= ", "=7 pass"]
    assert responses[6].startswith("= \nBlack's view\n   A B C D E\n 5 . . . . . 5\n")
    assert responses[7:] == ["= ", ""]


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
    process = subprocess.Popen(
        [*COMMAND, *PLAIN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )
    process.stdout.close()
    try:
        process.stdin.write(b"list_commands\n" * 1000)
        process.stdin.close()
    except BrokenPipeError:
        pass
    assert process.wait(PATIENCE) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_files_are_read(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[cc];W[cb])")
    given = f"loadsgf {file}\nphantom-view w\nloadsgf {tmp_path}\nloadsgf {file}x\n".encode()
    assert serve(given, *PLAIN).stdout.decode().split("\n\n")[1:] == [
        "= \n. . . . .\n. . O . .\n. . . . .\n. . . . .\n. . . . .",
        "? cannot load file",
        "? cannot load file",
        "",
    ]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--bot", "gnugo"], "no bot 'gnugo'"),
        (["--rules", "chess"], "no rules profile 'chess'"),
        (["--size", "25"], "size 25 is not a whole number from 2 to 19"),
        (["--komi", "nan"], "komi nan is not a number from -1000 to 1000"),
        (["--seed", "-1"], "seed -1 is not a whole number from 0"),
    ],
)
def test_wrong_options(options, error, capsys):
    assert exit_code("gtp", *options) == 2
    said = capsys.readouterr()
    assert (said.out, error in said.err) == ("", True)


def test_options():
    given = b"phantom-get_rules\nphantom-param\ngenmove b\n"
    done = serve(
        given, "--size", "7", "--rules", "ccgc", "--seed", "4", "--bot", "random", "--reveal"
    )
    rules, param, move = done.stdout.decode().split("\n\n")[:3]
    assert '"size": 7, "komi": 6.5' in rules
    assert (
        param
        == "= [list/pass/off] hide off\n[string] bot random\n[string] book none\n[string] seed 4"
    )
    assert move[2] in "ABCDEFG"


class Engine:
    """A `phantomgo gtp` process in player mode, and the log of its messages."""

    def __init__(self, colour: Colour, seed: int, size: int, log: list[str]) -> None:
        self.colour, self.seed, self.size, self.log = colour, seed, size, []
        self.process = subprocess.Popen(
            [*COMMAND, "--seed", str(seed), *PLAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
        self.ask(f"boardsize {size}")
        self.ask("komi 0.5")
        self.ask(f"phantom-seat {colour.letter}")
        for line in log:
            self.tell(line)

    def ask(self, line: str) -> str:
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        response = self.process.stdout.readline().decode().rstrip("\n")
        assert response.startswith("= "), f"{line}: {response}"
        assert self.process.stdout.readline() == b"\n"
        return response[2:]

    def tell(self, line: str) -> None:
        assert self.ask(line) == ""
        self.log.append(line)

    def close(self) -> None:
        self.ask("quit")
        assert self.process.wait(PATIENCE) == 0
        self.process.stdin.close()
        self.process.stdout.close()

    def restarted(self) -> "Engine":
        self.close()
        return Engine(self.colour, self.seed, self.size, self.log)


def referee_game(seeds: tuple[int, int], size: int, *restarts: int) -> Referee:
    """A small referee of one game between two engines, with messages as commands."""
    rules = Rules(size=size, komi=0.5)
    referee = Referee(rules)
    engines = {
        colour: Engine(colour, seed, size, []) for colour, seed in zip(Colour, seeds, strict=True)
    }
    heard = dict.fromkeys(Colour, 0)
    while referee.outcome is None:
        if len(referee.log) in restarts:
            engines = {colour: engine.restarted() for colour, engine in engines.items()}
        side = referee.to_move
        text = engines[side].ask(f"genmove {side.letter}")
        referee.attempt(side, RESIGN if text == "resign" else parse_move(text, size))
        for colour, engine in engines.items():
            events = referee.view(colour).events
            for message in events[heard[colour] :]:
                engine.tell(wording.line(message, colour, size))
            heard[colour] = len(events)
    for engine in engines.values():
        assert engine.ask("final_score") == referee.outcome.result
        engine.close()
    return referee


def test_two_players_under_a_referee_and_the_same_again_with_restarts():
    first = referee_game((1, 2), 5)
    assert first.log[-1].move == first.log[-2].move == PASS
    assert any(attempt.reason is not None for attempt in first.log)
    assert first.log == referee_game((1, 2), 5).log
    assert first.log == referee_game((1, 2), 5, 7, 30).log
