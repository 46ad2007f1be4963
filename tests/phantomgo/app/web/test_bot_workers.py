"""Bots of many tables in few processes: bounded, in a fair order, as strong with a clock or not."""

import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from types import SimpleNamespace
from typing import cast

import pytest

from bots import Bot, book_checks, make
from bots.book import without_opening
from bots.deciding import MonteCarlo
from bots.deployed import LEVELS
from phantomgo.app.web import bot_workers
from phantomgo.app.web.bot_workers import NICE, BotWorkers, PooledPlayers, propose
from phantomgo.app.web.turn_time import LONGEST, PROBES, TurnPlan, probes
from phantomgo.errors import BadText
from phantomgo.game.beginning import Game
from phantomgo.game.points import BLACK, PASS, RESIGN, WHITE
from phantomgo.game.referee import Referee
from phantomgo.game.rules import Rules
from phantomgo.game.view import View
from phantomgo.lab.players import ready
from tests.support.phantom_books import looked_for_anew
from tests.support.play_tools import new_game
from tests.support.waiting import PATIENCE
from tests.support.web_tools import Inline

GAME = Game(Rules())

VIEW = View(Rules(size=9), BLACK)


class Inside:
    """A worker in the thread that asks it; the first task takes until the test ends it."""

    _processes = None

    def __init__(self):
        self.done, self.busy, self.free = [], threading.Event(), threading.Event()

    def submit(self, task, *arguments):
        def result():
            self.busy.set()
            self.free.wait(PATIENCE)
            self.done.append(arguments[0])
            return task(*arguments)

        return SimpleNamespace(result=result)

    def shutdown(self, **_options):
        pass


def busy() -> tuple[BotWorkers, Inside]:
    """A pool of one worker that is busy."""
    pool, worker = BotWorkers(1), Inside()
    pool._started = lambda: cast(ProcessPoolExecutor, worker)
    pool.ask(abs, -1, who="first")
    assert worker.busy.wait(PATIENCE)
    return pool, worker


def served(questions):
    """The order in which one worker gets (who, since) that were asked while it was busy."""
    pool, worker = busy()
    answers = [pool.ask(abs, n, who=who, since=t) for n, (who, t) in enumerate(questions)]
    worker.free.set()
    wait(answers, PATIENCE)
    pool.close()
    return worker.done[1:]


def test_an_address_with_many_tables_delays_the_others_by_one_attempt():
    many = [("crowd", n) for n in range(10)]
    assert served([*many, ("one", 99)])[:3] == [0, 10, 1]


def test_the_oldest_turn_of_an_address_comes_first():
    assert served([("a", 3), ("a", 1), ("a", 2)]) == [1, 2, 0]


def test_cancelled_questions_are_skipped():
    pool, worker = busy()
    pool.ask(abs, 2).cancel()
    last = pool.ask(abs, 3)
    worker.free.set()
    assert last.result(PATIENCE) == 3
    assert worker.done == [-1, 3]
    pool.close()


def test_closing_cancels_waiting_questions():
    pool, worker = busy()
    waiting = pool.ask(abs, 4)
    threading.Timer(0.1, worker.free.set).start()
    pool.close()
    assert waiting.cancelled()


def thinks():
    with bot_workers._bounded():
        while True:
            pass


def waits(seconds):
    with bot_workers._bounded():
        time.sleep(seconds)


def test_an_endless_thought_is_killed_and_not_one_that_waits_for_the_processor(monkeypatch):
    monkeypatch.setattr(bot_workers, "LONGEST", 0.01)
    pool = BotWorkers(1)
    endless = [pool.ask(thinks), pool.ask(waits, PATIENCE)]
    other = pool.ask(waits, 0.1)
    for thought in endless:
        with pytest.raises(BrokenProcessPool):
            thought.result(PATIENCE)
    assert other.result(PATIENCE) is None
    pool.close()


def test_a_book_is_checked_outside_of_the_bounded_thought(monkeypatch):
    bounded, checked = [False], []

    @contextmanager
    def bound():
        bounded[0] = True
        yield
        bounded[0] = False

    monkeypatch.setattr(bot_workers, "_bounded", bound)
    monkeypatch.setattr(book_checks, "_changes", lambda *_: checked.append(bounded[0]) or [])
    ready.get_ready.cache_clear()
    with looked_for_anew():  # that book is not really checked
        propose("phantom:playouts=5000,book=open5", 1, View(Rules(size=5), BLACK))
    assert set(checked) == {False}  # threads of other tests may warm up, too


@pytest.mark.parametrize("spec", LEVELS.values())
def test_a_level_plays_as_in_other_commands(spec):
    referee, colour = Referee(VIEW.rules), BLACK
    for _ in range(2):  # one of each colour: the strongest think for a third of a second
        view = referee.view(colour)
        move, seconds = propose(spec, 1, view)
        assert move == make(spec, Game.of(view), 1).decide(view).move
        assert 0 <= seconds < LONGEST
        referee.attempt(colour, move)
        colour = referee.to_move


def test_a_level_is_the_same_with_every_clock(monkeypatch):
    asked = []
    pool = BotWorkers(1)
    monkeypatch.setattr(pool, "ask", lambda *words, **fair: asked.append((words, fair["who"])))
    for seconds in (None, 60, 86_400):
        game = new_game("flatmc", "human", time=seconds)
        PooledPlayers(game, pool, "somebody").ask(BLACK)
    assert asked[0] == asked[1] == asked[2]


def test_the_bots_of_a_game_that_goes_on_get_ready_before_they_are_asked(monkeypatch):
    bots, asked, compiled = BotWorkers(2), [], set()
    monkeypatch.setattr(bots, "ask", lambda *words, **_fair: asked.append(words))
    monkeypatch.setattr(ready, "get_ready", lambda *asked: compiled.add(asked))
    game = new_game("flatmc", "human")
    PooledPlayers(game, bots, "").begin()
    game.attempt(RESIGN, 0.1)
    PooledPlayers(game, bots, "").begin()
    [(task, *words), _] = asked  # one for each worker
    task(*words)
    assert compiled == {("flatmc", Game(game.rules))}
    bots.close()


def playouts(bot: Bot) -> int:
    """The playouts of a decision on the board of VIEW."""
    bot = without_opening(bot)
    assert isinstance(bot, MonteCarlo)
    return bot.playouts


@pytest.mark.parametrize(
    "spec", ["flatmc:playouts=1000000", "flatmc:time=1000", "phantom:time=1000"]
)
def test_a_bot_that_would_think_for_long_is_held_to_a_number_of_playouts(spec):
    kind = spec.partition(":")[0]
    most = make(spec, GAME, 1).with_budget(PROBES).decide(VIEW).move
    assert propose(spec, 1, VIEW)[0] == most
    assert playouts(make(spec, GAME, 1).with_budget(PROBES)) <= 200 * PROBES
    assert playouts(make(kind, GAME, 1).with_budget(PROBES)) == playouts(make(kind, GAME, 1))


def test_a_turn_is_planned_before_its_first_attempt():
    assert sum(probes(n) for n in range(6)) <= 2 * PROBES
    assert probes(1000) == 1
    refused = [VIEW._replace(refusals=n) for n in range(30)]
    for left in (1.0, 600.0, 86_400.0, None):
        assert len({TurnPlan.of(view, left, 0.5) for view in refused}) == 1
    plan = TurnPlan.of(VIEW, 600, 0.5)
    assert plan == (0.5, 0.5)
    assert [plan.rest(passed) for passed in (0.1, 0.5, 1.3)] == pytest.approx([0.4, 0.5, 0.2])
    assert TurnPlan.of(VIEW, 0.1, 0.5).charge == 0


def test_a_bot_never_loses_on_time():
    left = 60.0
    for turn in range(400):
        left -= TurnPlan.of(View(Rules(size=19), BLACK, turn=turn), left, 0.5).charge
    assert left > 0


def test_a_worker_comes_after_the_server_and_is_replaced_when_it_dies():
    bots = BotWorkers(1)
    first = bots.ask(os.getpriority, os.PRIO_PROCESS, 0)
    assert first.result(60) == min(os.getpriority(os.PRIO_PROCESS, 0) + NICE, 19)
    process = next(iter(bots._pools[0]._processes.values()))
    assert bots.ask(os.getsid, 0).result(60) == process.pid  # its share is not the server's
    process.kill()
    process.join()
    assert bots.ask(pow, 2, 5).result(60) == 32
    with pytest.raises(BrokenProcessPool):
        bots.ask(signal.raise_signal, signal.SIGKILL).result(60)
    bots.close()


@pytest.mark.parametrize("named", [True, False])
def test_only_the_operator_names_modules(named, tmp_path, monkeypatch):
    """A file of tables may come from elsewhere."""
    monkeypatch.chdir(tmp_path)
    name, spec = f"stranger{named}", f"stranger{named}:Bot"
    (tmp_path / f"{name}.py").write_text(
        f"from pathlib import Path\nPath('started').touch()\n{BOT}"
    )
    game = new_game("human", spec)
    game.attempt(3, 0.1)
    bots = Inline()
    bots.named = {spec} if named else {"random"}
    players = PooledPlayers(game, bots, "")
    if named:
        assert players.ask(WHITE).result()[0] == PASS
    else:
        with pytest.raises(BadText, match="is a module's bot, whose code is run only where you"):
            players.ask(WHITE).result()
    assert (tmp_path / "started").exists() is named


BOT = """
from dataclasses import dataclass
import phantomgo as pg

@dataclass(frozen=True)
class Bot(pg.Bot):
    def decide(self, view, seconds=0.0):
        return pg.Decision(pg.PASS)
"""
