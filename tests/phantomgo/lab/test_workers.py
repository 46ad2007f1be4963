"""Processes that work for another one."""

import os
import signal
import subprocess
import sys
import time

from tests.support.engines import processes
from tests.support.places import ROOT

# Two workers, both at work, so that both are there.
MAIN = """
import os, time
from phantomgo.lab.workers import workers

def work(_):
    time.sleep(0.5)
    return os.getpid()

if __name__ == "__main__":
    with workers(2) as crew:
        print(*set(crew.executor.map(work, range(2))), flush=True)
        time.sleep(60)
"""


def test_they_do_not_outlive_a_main_process_that_is_killed(tmp_path):
    script = tmp_path / "main.py"
    script.write_text(MAIN)
    main = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        start_new_session=True,
    )
    workers = main.stdout.readline().split()
    assert len(workers) == 2
    main.send_signal(signal.SIGKILL)
    main.wait()
    main.stdout.close()
    for _ in range(200):
        left = [line for group, line in processes() if group == main.pid]
        if not left:
            return
        time.sleep(0.05)
    os.killpg(main.pid, signal.SIGKILL)
    raise AssertionError(f"still there after ten seconds: {left}")
