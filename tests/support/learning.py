"""Commands that learn: their words, and how they are stopped while they play."""

import sqlite3
import subprocess
import time
from contextlib import closing

from phantomgo.portfolio.setup import Setup
from tests.support.commands import COMMAND
from tests.support.places import ROOT

GAME = ["--bot", "random", "--size", "3", "--komi", "1.5"]


def learn(folder, *more, seeds=8, jobs=1, out="nash3.json"):
    """The words of a `learn` command in a folder."""
    where = ["--store", f"{folder}/m.db", "--out", f"{folder}/{out}"]
    numbers = ["--seeds", str(seeds), "--test-seeds", "4", "--workers", str(jobs)]
    return ["learn", *GAME, "--method", "nash", *numbers, *where, *more]


def go_setup(of) -> Setup:
    """The setup of a book, a matrix or a store of Phantom Go."""
    assert isinstance(of.setup, Setup)
    return of.setup


def games(path):
    """How many games a store holds; one that is in use is read past its lock."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?immutable=1", uri=True)) as database:
        try:
            return database.execute("SELECT count(*) FROM results").fetchone()[0]
        except sqlite3.DatabaseError:  # in the middle of a transaction
            return 0


def begin(words):
    return subprocess.Popen(
        [*COMMAND, *words], cwd=ROOT, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def stop_once_it_has_played(process, store, signum):
    """Send a signal when at least one game more is in the store; False if it ended before."""
    before = games(store)
    while process.poll() is None:
        if games(store) > before:
            process.send_signal(signum)
            process.wait()
            return process.returncode != 0
        time.sleep(0.005)
    return False


def stopped_midway(words, folder, signum):
    """A process that was stopped after its first games, and the folder it played in.

    One that has been too quick for this machine is begun again, in a folder of its own.

    Args:
        words: the words of a command that plays in a folder, with its store in `m.db`.
        folder: where there may be others.
        signum: what stops it.
    """
    for attempt in range(10):
        where = folder / f"attempt {attempt}"
        where.mkdir()
        process = begin(words(where))
        if stop_once_it_has_played(process, where / "m.db", signum):
            return process, where
        process.stderr.close()
    raise AssertionError("it has always come to its end")
