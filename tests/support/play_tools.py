"""Sitting down at a game in tests, without a terminal."""

import math
import threading
import time
from concurrent.futures import wait
from functools import partial

from phantomgo.app.play import commands
from phantomgo.app.play.console import Console
from phantomgo.app.play.draw import ASCII, plain
from phantomgo.app.play.page import page
from phantomgo.app.table import saving
from phantomgo.app.table.game import ADJOURNED, TableGame
from phantomgo.app.table.players import HUMAN, ThreadedPlayers, make_player
from phantomgo.app.table.table import Table
from phantomgo.game.player import Decision
from phantomgo.game.points import PASS, parse_move
from phantomgo.game.record import PlayerInfo, Record
from phantomgo.game.rules import Rules
from phantomgo.game.view import View


class Scripted:
    """An opponent who attempts what they were told to, then passes."""

    name = "scripted"

    def __init__(self, text: str = "") -> None:
        self.words = text.split()

    def decide(self, view: View, _seconds: float = math.inf) -> Decision:
        word = self.words.pop(0) if self.words else "pass"
        return Decision(PASS if word == "pass" else parse_move(word, view.rules.size))


class Slow:
    """An opponent who passes as soon as they are let."""

    name = "slow"

    def __init__(self) -> None:
        self.let = threading.Event()
        self.asked = 0

    def decide(self, _view: View, _seconds: float = math.inf) -> Decision:
        self.asked += 1
        self.let.wait(60)
        return Decision(PASS)


def new_game(black=HUMAN, white="random", *, size=5, time=None, handicap=0, **rules) -> TableGame:
    first, second = (PlayerInfo(name, None if name == HUMAN else 1) for name in (black, white))
    return TableGame(Record(Rules(size, **rules), first, second, (), ADJOURNED, handicap, time))


def seated(game: TableGame, opponent=None, *, autosave=None, now=time.monotonic) -> Console:
    """Take a seat; `opponent` takes the bots'. The game waits for `begin`."""
    make = make_player if opponent is None else lambda *_: opponent
    keep = None if autosave is None else partial(saving.keep, file=autosave)
    table = Table(game, ThreadedPlayers(game, make=make), keep=keep, now=now)
    return Console(table, resumable=autosave is not None)


def sit(game: TableGame, opponent=None, **options) -> Console:
    """Sit down, and let the game begin."""
    chair = seated(game, opponent, **options)
    chair.begin()
    return chair


def settle(chair: Console) -> None:
    """Wait until nothing is waited for."""
    while chair.work is not None:
        wait([chair.work.future], 60)
        chair.finish()


def say(chair: Console, *lines: str) -> str:
    """Type lines; the answer to the last one."""
    settle(chair)
    for line in lines:
        commands.run(chair, line)
        settle(chair)
    return chair.answer


def seen(chair: Console, columns: int = 80) -> str:
    return plain(page(chair, ASCII, columns))
