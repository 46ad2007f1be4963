"""Systems without the services of POSIX, as Windows is: bots play, learn and serve there."""

import sys

import pytest

from phantomgo.system import signals_delayed
from tests.support.commands import python
from tests.support.places import ROOT

WITHOUT = """
import asyncio, concurrent.futures, logging, multiprocessing.resource_tracker, multiprocessing.spawn
import prompt_toolkit, prompt_toolkit.output.vt100, selectors, socketserver, subprocess, tempfile
import uvicorn

import os, select, signal, socket, sys  # the libraries have what they need; what follows is ours

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

MODULES = ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "_posixsubprocess")
for name in MODULES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Blocked())
NAMES = {
    os: ("killpg", "getuid", "setsid", "nice", "waitid", "register_at_fork", "sched_getaffinity",
         "getpgid", "pidfd_open", "fork", "set_blocking"),
    signal: ("pthread_sigmask", "setitimer", "SIGKILL", "SIGALRM", "SIGHUP", "ITIMER_REAL",
             "ITIMER_PROF"),
    socket: ("AF_UNIX", "SO_PEERCRED"),
    select: ("poll", "epoll"),
}
for module, names in NAMES.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
import _signal
for name in NAMES[signal]:
    if hasattr(_signal, name):
        delattr(_signal, name)
"""
RUN = "sys.argv[1:] = {}; from phantomgo.app.entry import entry; entry()"
GTP = "boardsize 5\nphantom-param bot flatmc:playouts=20\ngenmove b\nshowboard\nquit\n"


def run(folder, *words, stdin=""):
    """A command where these modules and names are missing."""
    code = WITHOUT + RUN.format(list(words))
    return python("-c", code, cwd=folder, input=stdin, env={"PYTHONPATH": str(ROOT)})


@pytest.mark.skipif(sys.platform == "win32", reason="they are missing there anyhow")
@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (("gtp",), GTP, "= pass"),
        (("match", "--black", "random", "--white", "flatmc:playouts=5", "--size", "4",
          "--games", "2", "--store", "m.db"), "", "2 games"),
        (("learn", "--bot", "flatmc:playouts=5", "--size", "3", "--seeds", "4", "--test-seeds", "2",
          "--store", "l.db", "--out", "b.json"), "", "b.json"),
        (("play", "--bot", "random", "--size", "3"), "pass\nquit\nquit\n", "Black"),
        (("replay", "--help"), "", "usage"),
        (("web", "--help"), "", "usage"),
    ],
    ids=["gtp", "match", "learn", "play", "replay", "web"],
)  # fmt: skip
def test_a_command_runs_without_the_services_of_posix(words, stdin, said, tmp_path):
    done = run(tmp_path, *words, stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_an_engine_is_refused_in_a_sentence(tmp_path):
    engine = f"gtp:{sys.executable} -c pass"
    done = run(tmp_path, "match", "--black", engine, "--white", "random", "--games", "2")
    assert "engines need a system such as Linux or macOS" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_web_server_starts_without_the_services_of_posix(tmp_path):
    code = WITHOUT + (
        "from phantomgo.app.web import serving\n"
        "from phantomgo.system import open_files, stand_aside\n"
        "assert open_files(10**6) == 512; stand_aside(1)\n"
        "print('imported', 'fcntl' in sys.modules)"
    )
    done = python("-c", code, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)})
    assert done.stdout == "imported False\n", done.stderr


def test_processes_start_where_another_program_handles_sigterm(monkeypatch):
    """Python, embedded there, knows no handler that it could restore."""
    monkeypatch.setattr("signal.getsignal", lambda _: None)
    monkeypatch.delattr("signal.signal")
    with signals_delayed():
        pass
