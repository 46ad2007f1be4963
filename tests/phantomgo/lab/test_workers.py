"""Processes that work for another one."""

import contextlib
import os
import signal
import subprocess
import sys

from tests.support.engines import processes
from tests.support.places import ROOT
from tests.support.waiting import until

# Two workers, each at work until the other one is there.
MAIN = """
import os, sys, time
from pathlib import Path
from phantomgo.lab.workers import workers

def work(folder):
    Path(folder, str(os.getpid())).touch()
    while len(os.listdir(folder)) < 2:
        time.sleep(0.01)

if __name__ == "__main__":
    with workers(2) as crew:
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
