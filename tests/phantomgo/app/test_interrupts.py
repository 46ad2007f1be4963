"""Ctrl-C at any time: the process ends at once with code 130, and can be resumed."""

import os
import re
import signal
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from phantomgo.app.cli import main
from phantomgo.interrupts import presses, uninterrupted
from phantomgo.lab.matches.match_run import MatchStore
from phantomgo.rng import Stream
from tests.support.commands import python, started
from tests.support.waiting import PATIENCE, until

BOT = ["--bot", "flatmc:playouts=200", "--size", "4", "--komi", "1.5"]


def interrupted(words: list[str], seconds: float) -> tuple[int, str]:
    """The exit code and the stderr of a command that a terminal interrupts."""
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    process = started("-m", "phantomgo", *words, start_new_session=True, **pipes)
    store = Path(words[words.index("--store") + 1])
    until(lambda: store.exists() or process.poll() is not None, "the store")  # Python has started
    time.sleep(seconds)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
    _, said = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def test_ctrl_c_ends_long_commands_without_a_traceback(tmp_path):
    """One of them with two workers."""
    stream, book = Stream(32), f"{tmp_path}/book.json"
    learn = ["learn", *BOT, "--test-seeds", "0"]
    assert main([*learn, "--seeds", "2", "--store", f"{tmp_path}/b.db", "--out", book]) == 0
    learning = [*learn, "--seeds", "3000", "--out", f"{tmp_path}/o.json", "--workers", "2"]
    for words in (learning, ["evaluate", "book", book, "--test-seeds", "20000"]):
        words += ["--store", f"{tmp_path}/{words[0]}.db"]
        code, said = interrupted(words, 0.6 * stream.below(1000) / 1000)
        assert code == 130, (words, code, said)
        assert "Traceback" not in said, (words, said)


def test_ctrl_c_while_the_store_is_opened(tmp_path, capsys, monkeypatch):
    """Players are identified then, which may take seconds."""
    begin = MatchStore.__init__

    def press(store, path, plan=None):
        if plan is None:  # a tournament looks who has played
            begin(store, path)
        raise KeyboardInterrupt

    file = tmp_path / "club.toml"
    file.write_text(
        '[tournament]\nsize = 3\n[players.a]\nspec = "random"\n[players.b]\nspec = "flatmc"'
    )
    monkeypatch.setattr(MatchStore, "__init__", press)
    pair = ["--black", "random", "--white", "random", "--size", "3", "--store", f"{tmp_path}/m.db"]
    for words in (["match", *pair], ["match", *pair, "--json"], ["tournament", str(file)]):
        assert main(words) == 130
        found = capsys.readouterr()
        assert found.out == ""
        assert found.err.endswith("phantomgo: interrupted; run the same command to resume\n")


PRESSES = {
    "import": """
class Finder:
    def find_spec(self, name, *_):
        if name == WHERE:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Finder())
""",
    "handler": """
import _signal
install = _signal.signal
_signal.signal = lambda *given: (install(*given), signal.raise_signal(signal.SIGINT))
""",
    "error": "; sys.argv[1:] = [WHERE]; signal.setitimer(signal.ITIMER_REAL, 60)",
    "callback": """
from numba.core.codegen import JITCodeLibrary as Library
hook = getattr(Library, WHERE)
setattr(Library, WHERE, lambda *given: (signal.raise_signal(signal.SIGINT), hook(*given))[1])
""",
}
"""Programs that press Ctrl-C in an import, when it has a handler, before an error ends the process,
and in a callback of the compiler."""


@pytest.mark.parametrize(
    ("where", "press"),
    [
        ("argparse", "import"),
        ("numba", "import"),
        ("", "handler"),
        ("no-such", "error"),
        ("_object_getbuffer_hook", "callback"),
    ],
)
def test_ctrl_c_while_something_is_loaded(where, press, tmp_path):
    """Python drops an exception in a callback, and the run would go on."""
    code = (
        f"import signal, sys; from phantomgo.app.entry import entry; WHERE = {where!r}"
        f"{PRESSES[press]}\nentry()"
    )
    words = ["warm", "flatmc", "--sizes", "3"]
    done = python("-c", code, *words, env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)})
    assert done.returncode == 130, done.stderr
    assert done.stderr.count("interrupted") == 1
    assert not re.search("Traceback|Exception ignored", done.stderr)


def test_a_library_hears_ctrl_c_when_a_kernel_is_loaded():
    def load(signature):
        signal.raise_signal(signal.SIGINT)
        loaded.append(signature)

    loaded = []
    with pytest.raises(KeyboardInterrupt):
        uninterrupted(load, "signature")
    assert loaded == ["signature"]


def test_without_ctrl_c_no_thread_counts_a_press():
    def counted(_):
        with presses() as pressed:
            return pressed()

    with ThreadPoolExecutor(1) as other:
        assert [*map(counted, [0]), *other.map(counted, [0])] == [0, 0]
