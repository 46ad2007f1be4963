"""Bots made ready by two processes: one compiles the playouts, the other all else."""

import multiprocessing
import subprocess
import sys

import pytest

from bots import worlds
from bots.kernels import jit
from phantomgo.lab import ready
from tests.support.waiting import PATIENCE


@pytest.fixture
def started(monkeypatch):
    """The commands of processes that would be started, on two cores with nothing compiled."""
    commands = []

    def start(command):
        commands.append(command)
        return subprocess.Popen([sys.executable, "-c", "raise SystemExit(1)"])

    monkeypatch.setattr(ready, "_process", start)
    monkeypatch.setattr(ready, "cores", lambda: 2)
    monkeypatch.setattr(worlds, "not_compiled", lambda kernels, _: list(kernels))
    return commands


def test_another_process_compiles_what_is_not_playouts_and_nothing_depends_on_it(started):
    ready.get_ready("phantom:book=none", 5)
    ((*_, code),) = started
    assert "ready.beside('phantom:book=none', 5)" in code


@pytest.mark.parametrize("why", ["little to compile", "one core", "a worker", "nothing kept"])
def test_no_process_starts(started, monkeypatch, why):
    if why == "one core":
        monkeypatch.setattr(ready, "cores", lambda: 1)
    if why == "nothing kept":
        monkeypatch.setattr(jit, "kept", lambda: False)
    if why == "a worker":
        monkeypatch.setattr(multiprocessing, "parent_process", lambda: "its parent")
    bot = "flatmc:playouts=5" if why == "little to compile" else "phantom:book=none"
    ready.get_ready(bot, 5)
    assert started == []


def test_the_other_process_ends_when_done_or_with_its_parent():
    command = [sys.executable, "-c", ready._CODE.format(sys.path, "phantom:book=none", 5)]
    with ready._process(command) as whole:
        assert whole.wait(PATIENCE) == 0
    code = "import time, bots; bots.make = lambda *_: time.sleep(1e6); "
    with ready._process([*command[:2], code + command[2]]) as orphan:
        orphan.stdin.close()
        assert orphan.wait(PATIENCE) == 1
