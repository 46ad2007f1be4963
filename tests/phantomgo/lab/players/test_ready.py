"""Bots made ready by two processes: one compiles the playouts, the other all else."""

import multiprocessing
import subprocess
import sys
import threading
from types import SimpleNamespace

import pytest

from bots.kernels import jit
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.players import ready
from tests.support.waiting import PATIENCE


@pytest.mark.parametrize("alone", ["", "little to compile", "one core", "a worker", "nothing kept"])
def test_another_process_compiles_where_that_pays_and_nothing_depends_on_it(alone, monkeypatch):
    started = []

    def start(command, **_):
        started.append(command[2])
        return popen([sys.executable, "-c", "raise SystemExit(1)"])

    popen, bot = subprocess.Popen, "flatmc" if alone == "little to compile" else "phantom:book=none"
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr(jit, "is_compiled", lambda *_: False)
    monkeypatch.setattr(jit, "kept", lambda: alone != "nothing kept")
    monkeypatch.setattr(ready, "cores", lambda: 1 + (alone != "one core"))
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: alone == "a worker" or None)
    ready.get_ready.__wrapped__(bot, Game(Rules(size=5)))
    assert [code.endswith(f"compile_rest({bot!r}, 5)") for code in started] == [True] * (not alone)


STUCK = "import bots, threading; bots.make = lambda *_: threading.Event().wait(); "


@pytest.mark.parametrize(("first", "code"), [("", 0), (STUCK, 1)])
def test_the_other_process_ends_when_all_is_compiled_or_with_its_parent(first, code):
    words = first + ready._CODE.format(sys.path, ("phantom:book=none", 5))
    with subprocess.Popen([sys.executable, "-c", words], stdin=subprocess.PIPE) as other:
        if code:
            other.stdin.close()
        assert other.wait(PATIENCE) == code


class Unready:
    """A bot with a kernel that another process compiles."""

    name, kernels = "unready", (SimpleNamespace(__name__="search"),)

    def __init__(self):
        self.warm, self.possible_players = threading.Event(), [self]

    def warm_up(self):
        self.warm.set()


@pytest.mark.parametrize("lasting", [False, True])
def test_what_another_process_compiles_is_awaited_but_not_for_ever(lasting, tmp_path, monkeypatch):
    fcntl = pytest.importorskip("fcntl")
    bot, asked, compiled, announced = Unready(), threading.Event(), threading.Event(), []

    def is_compiled(*_):
        found = compiled.is_set()
        asked.set()
        return found

    monkeypatch.setattr(ready, "make", lambda *_: bot)
    monkeypatch.setattr(ready, "PATIENCE", 0 if lasting else PATIENCE)
    monkeypatch.setattr(jit, "code_folder", lambda: tmp_path)
    monkeypatch.setattr(jit, "is_compiled", is_compiled)
    monkeypatch.setattr(jit, "announce", lambda _, seconds: announced.append(seconds))
    with (tmp_path / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        thread = threading.Thread(
            target=ready.get_ready.__wrapped__, args=("unready", Game(Rules(size=5))), daemon=True
        )
        thread.start()
        assert asked.wait(PATIENCE)
        if lasting:
            assert bot.warm.wait(PATIENCE)
        else:
            assert not bot.warm.is_set()
            compiled.set()
    assert bot.warm.wait(PATIENCE)
    thread.join(PATIENCE)
    assert announced == [jit.SECONDS["search"] if lasting else 0]
