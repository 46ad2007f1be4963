"""Processes that work for another one."""

import contextlib
import os
import signal
import subprocess
import sys

import pytest

from phantomgo.errors import Abandoned, Interrupted
from phantomgo.lab.run.workers import Local, Run
from tests.support.engines import processes
from tests.support.places import ROOT
from tests.support.waiting import until

# Two workers, each at work until the other one is there.
MAIN = """
import os, sys, time
from pathlib import Path
from phantomgo.lab.run.workers import Run

def work(folder):
    Path(folder, str(os.getpid())).touch()
    while len(os.listdir(folder)) < 2:
        time.sleep(0.01)

if __name__ == "__main__":
    with Run(2).begin() as crew:
        list(crew.executor.map(work, 2 * sys.argv[1:]))
        print("at work", flush=True)
        time.sleep(1000)
"""


def test_they_do_not_outlive_a_main_process_that_is_killed(tmp_path):
    script, there = tmp_path / "main.py", tmp_path / "there"
    there.mkdir()
    script.write_text(MAIN)
    main = subprocess.Popen(
        [sys.executable, str(script), str(there)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    assert main.stdout.readline() == b"at work\n"
    main.send_signal(signal.SIGKILL)
    main.wait()
    main.stdout.close()
    try:
        until(lambda: main.pid not in [group for group, _ in processes()], "the end of the workers")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(main.pid, signal.SIGKILL)


class Large:
    """A value that counts how often it is pickled in this process, and unpickled."""

    pickled = unpickled = number = 0

    def __getstate__(self):
        Large.pickled += 1
        return {"number": 7}

    def __setstate__(self, state):
        Large.unpickled += 1
        vars(self).update(state)


def times(large, item):
    return large.number * item, os.getpid(), Large.unpickled


def test_what_tasks_share_travels_once():
    Large.pickled = 0
    shared = Large()
    shared.number = 7
    with Run(2).begin() as crew:
        assert isinstance(crew, Local)
        for _ in range(2):
            found = list(crew.map(times, shared, range(20)))
            assert [value for value, _, _ in found] == [7 * item for item in range(20)]
        assert Large.pickled == 2  # once a map
        loads = [(process, count) for _, process, count in found]
        assert len(set(loads)) <= 2 * 2
        assert max(count for _, count in loads) <= 2  # and once a worker


def test_threads_share_what_there_is():
    shared = Large()
    shared.number = 3
    Large.pickled = 0
    with Run(1).begin() as crew:
        assert isinstance(crew, Local)
        assert [value for value, _, _ in crew.map(times, shared, range(3))] == [0, 3, 6]
    assert Large.pickled == 0


def raised_in_crew(error, store):
    with Run(store=store).begin():
        raise error


@pytest.mark.parametrize("store", [None, "games.db"])
def test_ctrl_c_in_a_verb_says_whether_the_same_call_resumes(store):
    with pytest.raises(Interrupted) as caught:
        raised_in_crew(KeyboardInterrupt(), store)
    assert caught.value.saved == (store is not None)


@pytest.mark.parametrize("error", [Abandoned(), Interrupted("report", saved=True)])
def test_what_is_known_of_a_ctrl_c_is_kept(error):
    with pytest.raises(type(error)) as caught:
        raised_in_crew(error, "games.db")
    assert caught.value is error
