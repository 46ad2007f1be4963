"""Seats two people in GoGui's windows, has them play, and takes the pictures of docs/gogui.md.

    python docs/pictures/gogui_two.py CLASSES FOLDER

The arguments and what is needed are those of gogui.py. `phantomgo match` is the referee. Black sits
at `gogui-display`, White at another one behind `gogui-server`, which the referee reaches through
`gogui-client`. This script is their mouse: what it may click it reads from what each window was
told, which is written down on the way. It fails if the games do not go on.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from gogui import png

from phantomgo.points import vertex
from phantomgo.rng import Stream

DISPLAY, PORT = ":88", 5087
SIZE, KOMI, TURNS = 7, 2.5, 24
WIDTH, HEIGHT = 420, 470
"""Of each window, in pixels."""
LEFT, BOTTOM, STEP = 57, 395, 51
"""Where A1 is in a window, and how far its points are apart."""


class Person:
    """Somebody at a window: what their window was told, and what they may click."""

    def __init__(self, log: Path, left: int) -> None:
        self.log, self.left = log, left

    @property
    def told(self) -> list[str]:
        """The commands so far, and `=` for each answer."""
        return self.log.read_text().splitlines() if self.log.exists() else []

    @property
    def asked(self) -> bool:
        """Whether the window waits for a click."""
        return bool(self.told) and "genmove" in self.told[-1]

    @property
    def free(self) -> list[int]:
        """The points where the window shows no stone."""
        shown: set[str] = set()
        for line in self.told:
            words = line.split()
            if "clear_board" in words:
                shown.clear()
            elif "play" in words:
                shown.add(words[-1])
        return [p for p in range(SIZE * SIZE) if vertex(p, SIZE) not in shown]


def listen(log: str, command: list[str]) -> None:
    """Between the referee and a window: pass everything on, and write down what is asked."""
    window = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert window.stdin is not None
    assert window.stdout is not None
    with open(log, "a", buffering=1) as written:
        for line in sys.stdin:
            window.stdin.write(line)
            window.stdin.flush()
            written.write(line)
            sys.stdout.write(answer(window.stdout))
            sys.stdout.flush()
            written.write("=\n")


def answer(stream: IO[str]) -> str:
    text = ""
    while not text.endswith("\n\n") and (line := stream.readline()):
        text += line
    return text


class Room:
    """The screen with both windows, and the referee."""

    def __init__(self, classes: str, home: Path) -> None:
        self._environment = {**os.environ, "DISPLAY": DISPLAY}
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("Xvfb", DISPLAY, "-screen", "0", f"{2 * WIDTH + 40}x{HEIGHT + 60}x24")
        self._start("openbox")
        java = f"java -Djava.util.prefs.userRoot={home} -cp {classes} net.sf.gogui.tools"
        server = f"{java}.server.Server -port {PORT} -loop".split()
        self._start(*server, f"{java}.display.Main")
        listening = f"{sys.executable} {Path(__file__).resolve()} --listen"
        self.people = [Person(home / "black", 10), Person(home / "white", WIDTH + 30)]
        black = f"gtp:{listening} {home}/black {java}.display.Main"
        white = f"gtp:{listening} {home}/white {java}.client.Main localhost {PORT}"
        self.referee = subprocess.Popen(
            [sys.executable, "-m", "phantomgo", "match", "--black", black, "--white", white,
             "--size", str(SIZE), "--komi", str(KOMI), "--games", "2", "--patience", "3600",
             "--json"],
            env=self._environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def _start(self, *words: str) -> None:
        quiet = subprocess.DEVNULL
        self._processes.append(
            subprocess.Popen(words, env=self._environment, stdout=quiet, stderr=quiet)
        )
        time.sleep(1.5)

    def do(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self._environment, check=True, capture_output=True, text=True
        )
        time.sleep(0.2)
        return done.stdout

    def arrange(self) -> None:
        """Put the windows side by side."""
        windows = self.do("search", "--sync", "--onlyvisible", "--name", "^gogui-display$").split()
        for person, window in zip(self.people, windows[:2], strict=True):
            self.do("windowsize", window, str(WIDTH), str(HEIGHT))
            self.do("windowmove", window, str(person.left), "30")

    def swap(self) -> None:
        """The left window is not Black's but White's: the first click finds out."""
        black, white = self.people
        black.left, white.left = white.left, black.left

    def click(self, person: Person, point: int | None) -> None:
        """Try a point, or pass: a click with the control key."""
        row, column = divmod(person.free[0] if point is None else point, SIZE)
        x, y = person.left + LEFT + column * STEP, BOTTOM - row * STEP + 30
        if point is None:
            self.do("keydown", "ctrl", "mousemove", str(x), str(y), "click", "1", "keyup", "ctrl")
        else:
            self.do("mousemove", str(x), str(y), "click", "1")

    def picture(self, file: Path) -> None:
        time.sleep(1)
        words = ["xwd", "-root", "-silent"]
        dump = subprocess.run(words, env=self._environment, capture_output=True, check=True).stdout
        file.write_bytes(png(dump, 2 * WIDTH + 40, HEIGHT + 55))

    def close(self) -> None:
        self.referee.terminate()
        for process in reversed(self._processes):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)


def play(room: Room, folder: Path) -> dict[str, int]:
    """Both games: one of random attempts, one of passes. What happened."""
    stream, attempts, turns, passes = Stream(2), 0, 0, 0
    latest: Person | None = None
    while room.referee.poll() is None:
        person = waiting(room)
        if person is None:
            break
        turns += person is not latest
        latest = person
        if turns == 1 and attempts == 0:
            room.arrange()
        if turns == TURNS and attempts and not (folder / "gogui-two.png").exists():
            room.picture(folder / "gogui-two.png")
        where = None if turns > TURNS else person.free[stream.below(len(person.free))]
        before = len(person.told)
        for _ in range(5):
            room.click(person, where)
            if answered(person, before):
                break
            if attempts == 0:
                room.swap()
        else:
            room.picture(folder / "gogui-stuck.png")
            raise TimeoutError("a window does not take a click")
        attempts, passes = attempts + 1, passes + (where is None)
    return {"attempts": attempts, "turns": turns, "passes": passes}


def waiting(room: Room) -> Person | None:
    """Whoever is asked for a move; None once the referee has ended."""
    for _ in range(600):
        if room.referee.poll() is not None:
            return None
        for person in room.people:
            if person.asked:
                time.sleep(0.4)  # the window has yet to show it
                return person
        time.sleep(0.1)
    raise TimeoutError("the referee asks nobody")


def answered(person: Person, before: int) -> bool:
    for _ in range(20):
        if len(person.told) > before:
            return True
        time.sleep(0.1)
    return False


def main(classes: str, folder: str) -> None:
    with tempfile.TemporaryDirectory() as home:
        room = Room(classes, Path(home))
        try:
            happened = play(room, Path(folder))
            out, _ = room.referee.communicate(timeout=60)
        finally:
            room.close()
    games = json.loads(out)
    refused = [side["refused_per_game"] for side in games["players"]]
    sys.stdout.write(json.dumps({**happened, "refused": refused, "endings": games["endings"]}))
    sys.stdout.write("\n")


if __name__ == "__main__":
    if sys.argv[1] == "--listen":
        listen(sys.argv[2], sys.argv[3:])
    else:
        main(*sys.argv[1:])
