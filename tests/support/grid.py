"""A Dask cluster on loopback, each part a process of its own that can be killed."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from phantomgo.lab.run.contest import Result
from tests.support.commands import COMMAND
from tests.support.places import ROOT
from tests.support.waiting import PATIENCE, free_port

QUIET: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)


class Grid:
    """A scheduler and its workers."""

    def __init__(self, folder, environment=None):
        self.folder, self.workers, self.past = folder, [], []
        self.environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "DASK_CONFIG": str(folder / "dask.yaml"),
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "15s",
            **(environment or {}),
        }
        page = (ROOT / "docs" / "cluster.md").read_text()
        (folder / "dask.yaml").write_text(page.split("```yaml\n")[1].split("```")[0])
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.schedule()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in (self.scheduler, *self.workers, *self.past):
            if process.poll() is None:
                process.kill()
                process.wait()

    def _dask(self, *words, environment=None):
        command = [sys.executable, "-m", "dask", *words]
        return subprocess.Popen(
            command, env=environment or self.environment, cwd=self.folder, **QUIET
        )

    def schedule(self):
        self.scheduler = self._dask(
            "scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard"
        )

    def hire(self, *more, environment=None):
        """One more worker."""
        words = ["worker", self.address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny"]
        words += ["--no-dashboard", "--local-directory", str(self.folder), *more]
        self.workers.append(self._dask(*words, environment=self.environment | (environment or {})))
        return self.workers[-1]

    def settle(self):
        """Wait until all that were hired are there."""
        code = (
            "import sys; from distributed import Client;"
            " address, workers, seconds = sys.argv[1], *map(int, sys.argv[2:]);"
            " Client(address, timeout=seconds).wait_for_workers(workers, seconds)"
        )
        words = [sys.executable, "-c", code, self.address, str(len(self.workers)), str(PATIENCE)]
        subprocess.run(words, env=self.environment, check=True)

    def end(self, worker, signum):
        """End a worker so; one that is only stopped is killed at the end."""
        worker.send_signal(signum)
        self.workers.remove(worker)
        self.past.append(worker)
        if signum == signal.SIGKILL:
            worker.wait()

    def command(self, *words):
        """A command of phantomgo that plays here."""
        told: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        command = [*COMMAND, *words, "--workers", self.address]
        return subprocess.Popen(command, cwd=ROOT, env=self.environment, **told)


class Games:
    """A contest whose games end as `one` says."""

    players: Any = ()
    engines = False
    terms: Any = {"game": "pretended"}  # noqa: RUF012
    one: Any

    def play(self, games):
        return [self.one(*game) for game in games]


@dataclass(frozen=True)
class Pretended(Games):
    """Games that take so long and have a result that follows from their seeds.

    Attributes:
        seconds: of a game.
        deadly: the game that ends its worker.
    """

    seconds: float = 0.0
    deadly: tuple[int, int] | None = None

    def one(self, a, b):
        time.sleep(self.seconds)
        if (a, b) == self.deadly:
            os._exit(1)
        return Result("B+R" if (a * 7 + b * 3) % 5 < 2 else "W+R")


class Raising(Pretended):
    """Games that nobody can play."""

    def play(self, games):
        return [Result(str(first / second)) for first, second in games]
