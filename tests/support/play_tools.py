"""Sitting down at a game in tests, without a terminal."""

import threading
from concurrent.futures import wait

from phantomgo.app.play import commands, sitting
from phantomgo.app.play.draw import ASCII, plain
from phantomgo.app.play.game import ADJOURNED, Game
from phantomgo.app.play.page import page
from phantomgo.app.play.sitting import HUMAN, Sitting
from phantomgo.points import PASS, Move, parse_move
from phantomgo.record import Record, Side
from phantomgo.rules import Rules
from phantomgo.view import View


class Scripted:
    """An opponent who attempts what he was told to, then passes."""

    name = "scripted"

    def __init__(self, text: str = "") -> None:
        self.words = text.split()

    def propose(self, view: View) -> Move:
        word = self.words.pop(0) if self.words else "pass"
        return PASS if word == "pass" else parse_move(word, view.rules.size)


class Slow:
    """An opponent who passes as soon as he is let."""

    name = "slow"

    def __init__(self) -> None:
        self.let = threading.Event()
        self.asked = 0

    def propose(self, _view: View) -> Move:
        self.asked += 1
        self.let.wait(60)
        return PASS


def new_game(black=HUMAN, white="random", *, size=5, time=None, handicap=0, **rules) -> Game:
    sides = (Side(name, None if name == HUMAN else 1) for name in (black, white))
    return Game(Record(Rules(size, **rules), *sides, (), ADJOURNED, handicap, time))


def sit(game: Game, opponent=None, **options) -> Sitting:
    """Sit down; `opponent` takes the bots' seats."""
    chair = Sitting(game, **options)
    if opponent is not None:
        chair._maker = lambda _colour: lambda: opponent
    chair.begin()
    return chair


def settle(chair: Sitting) -> None:
    """Wait until nothing is waited for."""
    while chair.work is not None:
        wait([chair.work.future], 60)
        chair.finish()


def say(chair: Sitting, *lines: str) -> str:
    """Type lines; the answer to the last one."""
    settle(chair)
    for line in lines:
        commands.run(chair, line)
        settle(chair)
    return chair.answer


def seen(chair: Sitting, columns: int = 80) -> str:
    return plain(page(chair, ASCII, columns))


__all__ = ["Scripted", "Slow", "new_game", "say", "seen", "settle", "sit", "sitting"]
