"""Settings for every test."""

import gc
import os
import signal
from pathlib import Path

from hypothesis import HealthCheck, settings

# A loaded machine is slow, not wrong.
settings.register_profile("phantomgo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("phantomgo")

# In the background of a shell script Ctrl-C is ignored, and what tests start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# As phantomgo/app/entry.py has it: collecting garbage takes a tenth of importing and compiling.
gc.set_threshold(20_000)


def pytest_collection_finish():
    """Exempt the modules of all tests from garbage collection, or each one takes half a second."""
    gc.freeze()


if "PYTEST_XDIST_WORKER" in os.environ and os.name == "posix":
    import fcntl
    import threading

    from bots.kernels import jit
    from phantomgo.interrupts import uninterrupted

    MINE, NESTED = threading.RLock(), []

    def one_at_a_time(load, *arguments):
        """What one worker of pytest compiles, the others wait for and read."""
        with MINE, Path(jit.code_folder(), "tests").open("w") as lock:
            if not NESTED:  # compiling a kernel loads those that it calls
                fcntl.flock(lock, fcntl.LOCK_EX)
            NESTED.append(load)
            try:
                return uninterrupted(load, *arguments)
            finally:
                NESTED.pop()

    vars(jit)["uninterrupted"] = one_at_a_time
