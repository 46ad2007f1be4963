"""Processes that work for another one."""

import contextlib
import os
import signal
import time
from concurrent.futures.process import BrokenProcessPool
from subprocess import PIPE

import pytest

from phantomgo.errors import Abandoned, Interrupted
from phantomgo.lab.run.workers import Local, Run
from tests.support.commands import started
from tests.support.engines import processes
from tests.support.waiting import PATIENCE, until

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


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_they_do_not_outlive_a_main_process_that_is_killed(tmp_path, number):
    script, there = tmp_path / "main.py", tmp_path / "there"
    there.mkdir()
    script.write_text(MAIN)
    main = started(script, there, start_new_session=True, stderr=PIPE)
    assert main.stdout.readline() == "at work\n"
    main.send_signal(number)
    assert main.communicate(timeout=PATIENCE) == ("", "")  # nobody warns of what is left to clean
    try:
        until(lambda: main.pid not in [group for group, _ in processes()], "the end of the workers")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(main.pid, signal.SIGKILL)


# Killed between the start of a worker and the message that says what it is to do.
KILLED = """
import os, signal
from multiprocessing import util
from phantomgo.lab.run.workers import Run

start = util.spawnv_passfds

def start_and_die(path, words, files):
    pid = start(path, words, files)
    os.kill(os.getpid(), signal.SIGTERM)
    return pid

if __name__ == "__main__":
    with Run(2).begin() as crew:
        util.spawnv_passfds = start_and_die
        list(crew.map(pow, 2, [1, 2]))
"""


def test_a_worker_whose_main_process_ends_as_it_starts_says_nothing(tmp_path):
    script = tmp_path / "main.py"
    script.write_text(KILLED)
    main = started(script, stderr=PIPE)
    assert main.communicate(timeout=PATIENCE) == ("", "")
    assert main.returncode == -signal.SIGTERM


@pytest.mark.parametrize("number", [1, 2])
def test_a_function_of_what_tasks_share_is_mapped_in_order(number):
    with Run(number).begin() as crew:
        assert isinstance(crew, Local)
        assert list(crew.map(pow, 2, range(20))) == [2**item for item in range(20)]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), Abandoned()])
def test_ctrl_c_does_not_wait_for_work_that_cannot_be_interrupted(tmp_path, error):
    def interrupt():
        with Run(2).begin() as crew:
            assert isinstance(crew, Local)
            tasks.extend(crew.executor.submit(at_work, tmp_path / str(n)) for n in range(2))
            until(lambda: len(list(tmp_path.iterdir())) == 2)
            raise error

    tasks = []
    with pytest.raises(KeyboardInterrupt):
        interrupt()
    assert [type(task.exception()) for task in tasks] == [BrokenProcessPool] * 2


def at_work(file):
    file.touch()
    time.sleep(30)


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
