"""Bots made ready, by one process at a time where kernels have to be compiled."""

import threading
from types import SimpleNamespace

import pytest

from bots.kernels import jit
from phantomgo.game.beginning import Game
from phantomgo.game.rules import Rules
from phantomgo.lab.players import ready
from tests.support.waiting import PATIENCE


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
    monkeypatch.setattr(jit, "announce", announced.append)
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
    assert announced == ["unready for 5x5"] * lasting
