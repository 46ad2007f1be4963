"""Plays a game in GoGui and takes the pictures of docs/gogui.md.

    python docs/pictures/gogui.py CLASSES FOLDER

CLASSES is GoGui's jar, or a folder of its compiled classes (1.5.2 or later); FOLDER is where the
pictures go. Needed besides: java, Xvfb, xdotool, xwd and openbox (Debian: default-jre, xvfb,
xdotool, x11-apps, openbox). GoGui runs on a display of its own, with preferences of its own.

A person plays Black on 7x7 by clicks, the bot White: some attempts are refused, stones are taken,
and both pass at the end. On the way the script goes back three moves and on again. It fails if the
game does not go on.
"""

import contextlib
import json
import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from gtp.sharing import Sharing
from phantomgo.points import parse_move
from phantomgo.rng import Stream

Shown = dict[str, str]

DISPLAY = ":87"
SIZE, KOMI, TURNS = 7, 2.5, 16
LEFT, BOTTOM, STEP = 103, 311, 34
"""Where A1 is in GoGui's window, and how far its points are apart, in pixels."""
BACK, END = (410, 60), (518, 60)
"""Buttons of the tool bar."""
NOT_AGAIN, CLOSE = (48, 202), (308, 235)
"""The box to tick and the button in the window that says that the program passed."""


class Window:
    """GoGui on a display of its own."""

    def __init__(self, classes: str, command: str, home: Path) -> None:
        java = ["java", f"-Djava.util.prefs.userRoot={home}", "-cp", classes]
        self._environment = {**os.environ, "DISPLAY": DISPLAY}
        self._processes = [
            self._start("Xvfb", DISPLAY, "-screen", "0", "640x400x24"), self._start("openbox"),
            self._start(*java, "net.sf.gogui.gogui.Main", "-size", str(SIZE), "-komi", str(KOMI),
                        "-program", command),
        ]  # fmt: skip

    def _start(self, *words: str) -> subprocess.Popen[bytes]:
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(words, env=self._environment, stdout=quiet, stderr=quiet)
        time.sleep(1)
        return process

    def do(self, *words: str) -> None:
        subprocess.run(["xdotool", *words], env=self._environment, check=True)
        time.sleep(0.3)

    def press(self, place: tuple[int, int]) -> None:
        self.do("mousemove", *map(str, place), "click", "1")

    def click(self, where: str) -> None:
        """Try a point, or pass."""
        if where == "pass":
            self.do("key", "F2")
            return
        row, column = divmod(parse_move(where, SIZE), SIZE)
        self.press((LEFT + column * STEP, BOTTOM - row * STEP))

    def picture(self, file: Path) -> None:
        time.sleep(1)
        words = ["xwd", "-root", "-silent"]
        dump = subprocess.run(words, env=self._environment, capture_output=True, check=True).stdout
        file.write_bytes(png(dump, 626, 368))

    def close(self) -> None:
        for process in reversed(self._processes):
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)


def png(dump: bytes, width: int, height: int) -> bytes:
    """The upper left of a dump of xwd, 24 bits deep, with five bits a colour."""
    header = struct.unpack(">25I", dump[:100])
    pixels, row_bytes = dump[header[0] + 12 * header[19] :], header[12]
    lines = []
    for y in range(height):
        row = pixels[y * row_bytes : y * row_bytes + 4 * width]
        line = bytearray(3 * width)
        for channel in range(3):
            line[channel::3] = bytes(value & 0xF8 for value in row[2 - channel :: 4])
        lines.append(b"\0" + line)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(lines), 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


class Game:
    """The game as its program shows it to a ruler; this script asks like GoGui's ruler."""

    def __init__(self, name: str) -> None:
        self._sharing = Sharing(name)
        self.lines: list[str] = []

    def shown(self, *lines: str) -> Shown | None:
        """What there was to see after these lines; None if the program does not know them yet."""
        answer = self._sharing.ask(" ".join(["phantom-shown", *lines]))
        return None if answer is None or answer[0] != "=" else json.loads(answer[1:])

    def ready(self) -> Shown:
        """Wait until GoGui has attached the program and its rulers, and asks no more."""
        shown = until(self.shown)
        time.sleep(15)
        return shown

    def answer(self, line: str, seconds: float = 60) -> Shown:
        """Wait for the program to be told this line or to answer it; what there is to see then."""
        shown = until(lambda: self.shown(*self.lines, line), seconds)
        self.lines.append(line)
        return shown


def until(asked: Callable[[], Shown | None], seconds: float = 60) -> Shown:
    """What is answered as soon as there is an answer."""
    deadline = time.monotonic() + seconds
    while (answer := asked()) is None:
        if time.monotonic() > deadline:
            raise TimeoutError("GoGui and its program do not go on")
        time.sleep(0.1)
    return answer


def choices(shown: Shown, stream: Stream, turn: int) -> Iterator[str]:
    """Points to try, in any order, and a pass late in the game."""
    legal = shown["legal"].split()[:-1]
    while legal and turn < TURNS:
        yield legal.pop(stream.below(len(legal)))
    yield "pass"


def play(window: Window, game: Game, folder: Path) -> dict[str, int | str]:
    """The whole game; returns what happened."""
    stream, turn, refused, shown = Stream(4), 0, 0, game.ready()
    while shown["legal"]:
        where = next(choices(shown, stream, turn))
        shown = tried(window, game, where)
        if where != "pass" and len(game.lines) > 1 and game.lines[-1] != "w pass":
            refused += 1
        if shown["to_move"] == "black" and game.lines[-1] == "w pass":
            turn += 1
        if turn == 1 and len(game.lines) == 2:
            time.sleep(2)
            window.press(NOT_AGAIN)
            window.press(CLOSE)
        if turn == TURNS // 2 and game.lines[-1] == "w pass":
            window.picture(folder / "gogui.png")
            look_back(window, game)
            turn += 1
    window.picture(folder / "gogui-end.png")
    return {"moves": len(game.lines), "refused": refused, "captured": shown["captured"],
            "passes": game.lines.count("b pass"), "result": shown["result"]}  # fmt: skip


def tried(window: Window, game: Game, where: str) -> Shown:
    """Click until GoGui takes the click, and wait for the bot's move after it."""
    for _ in range(5):
        window.click(where)
        try:
            after = game.answer(f"b {where}", 6)
            break
        except TimeoutError:  # GoGui was not ready for it, and may have said so in a window
            sys.stderr.write(f"{where} again; legal: {game.shown(*game.lines)}\n")
            window.do("key", "Escape")
    else:
        raise TimeoutError(f"GoGui does not take {where}")
    if after["to_move"] == "white" and after["legal"]:
        after = game.answer("w pass")
    time.sleep(0.7)  # GoGui has yet to hear what this script knows already
    return after


def look_back(window: Window, game: Game) -> None:
    """Three moves back, and on again to where the game is."""
    for _ in range(3):
        window.press(BACK)
    past = game.shown(*game.lines[:-3])
    assert past is not None, "the past can be seen"
    assert past["legal"] == "", "and not be changed"
    window.press(END)
    time.sleep(1)


def main(classes: str, folder: str) -> None:
    name = f"pictures-{os.getpid()}"
    command = (f"{sys.executable} -m phantomgo gtp --size {SIZE} --komi {KOMI} --seed 3"
               f" --bot phantom --session {name}")  # fmt: skip
    with tempfile.TemporaryDirectory() as home:
        window = Window(classes, command, Path(home))
        try:
            happened = play(window, Game(name), Path(folder))
        except TimeoutError:
            window.picture(Path(folder) / "gogui-stuck.png")
            raise
        finally:
            window.close()
    sys.stdout.write(json.dumps(happened) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
