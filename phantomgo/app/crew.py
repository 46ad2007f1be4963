"""Who plays, on the command line: so many processes of this machine, or a Dask cluster."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from phantomgo.app.progress import Shown
from phantomgo.lab.tasks import Workers
from phantomgo.lab.workers import crew as lab_crew


def add_dask(parser: argparse.ArgumentParser) -> None:
    """The option of all commands whose games a cluster may play."""
    parser.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="play on a Dask cluster, tcp://HOST:8786 or local:N (docs/cluster.md)",
    )


@contextmanager
def crew(jobs: int, dask: str | None) -> Iterator[tuple[Workers, Shown]]:
    """Whoever plays, and where it is shown how far they are."""
    shown = Shown()
    with lab_crew(jobs, dask, shown) as found:
        yield found, shown
