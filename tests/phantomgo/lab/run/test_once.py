"""What one process of a machine does before the others."""

import fcntl
import os
import subprocess
import sys

from phantomgo.lab.run.once import first_alone
from tests.support.places import ROOT

SCRIPT = """
import sys, time
from phantomgo.lab.run.once import first_alone
with first_alone("what"):
    began = time.time()
    time.sleep(0.5)
    print(began, time.time())
"""


def blocks(folder, number):
    """When so many processes, begun together, were in the block."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
    begun = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT], cwd=ROOT, env=environment, stdout=subprocess.PIPE
        )
        for _ in range(number)
    ]
    return sorted(tuple(map(float, process.communicate()[0].split())) for process in begun)


def test_the_first_one_is_alone(tmp_path):
    first, *others = blocks(tmp_path, 3)
    assert all(began >= first[1] for began, _ in others)
    assert (tmp_path / "ready" / "what").exists()


def test_a_process_that_gets_the_lock_after_the_work_is_done_does_not_keep_it(
    tmp_path, monkeypatch
):
    """The first process ends between the second one's look at the mark and its lock."""
    lock = fcntl.flock

    def late(file, how):
        (tmp_path / "ready" / "what").touch()
        lock(file, how)

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(fcntl, "flock", late)
    with first_alone("what"), (tmp_path / "ready" / "lock").open("wb") as other:
        lock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_where_nothing_can_be_written_all_go_on(tmp_path):
    (tmp_path / "file").touch()
    assert len(blocks(tmp_path / "file", 2)) == 2
