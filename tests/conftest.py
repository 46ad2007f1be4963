"""Settings for every test."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

# A loaded machine is slow, not wrong.
settings.register_profile("phantomgo", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("phantomgo")

if "PYTEST_XDIST_WORKER" in os.environ and os.name == "posix":
    import fcntl

    from bots.kernels import jit
    from phantomgo.interrupts import uninterrupted

    def one_at_a_time(load, *arguments):
        """What one worker of pytest compiles, the others wait for and read."""
        with Path(jit.code_folder(), "lock").open("w") as lock:
            fcntl.lockf(lock, fcntl.LOCK_EX)
            return uninterrupted(load, *arguments)

    vars(jit)["uninterrupted"] = one_at_a_time
