"""`phantomgo value`: how often a bot wins where its playouts say so much, from recorded games.

Every decision of our bots in the games of matches (`phantomgo match --store`) is made again, and a
curve fitted to what came of it. Written with `--out`, it may take the place of bots/curves.json.
"""

import argparse
import json
from pathlib import Path

import phantomgo
from phantomgo.app.crew import add_dask, crew
from phantomgo.app.numbers import natural
from phantomgo.errors import BadText
from phantomgo.files import write_whole
from phantomgo.lab.records import records
from phantomgo.lab.replays import of_each
from phantomgo.lab.workers import checked_jobs, cores


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "games", nargs="+", metavar="FILE", help="matches: stores, or records, one on a line"
    )
    parser.add_argument("--jobs", type=natural, default=cores(), help="default: all cores")
    add_dask(parser)
    parser.add_argument("--out", metavar="FILE", help="where to write the curves")


def run(arguments: argparse.Namespace) -> int:
    from phantomgo.lab.curves import LEAST, fitted, judged_in  # noqa: PLC0415  (compiled code)
    from phantomgo.lab.positions import origins  # noqa: PLC0415

    jobs = checked_jobs(arguments.jobs)
    texts = [text for path in arguments.games for _, text in records(path)]
    with (
        crew(jobs, arguments.dask) as (workers, shown),
        shown.stage("games judged", len(texts)) as advance,
    ):
        games = of_each(judged_in, texts, workers, advance)
    found = fitted(games)
    if not found:
        raise BadText(f"nothing of ours was judged in {LEAST} of these games")
    for kind, fit in found.items():
        print(
            f"{kind}: {fit.games} games, {fit.positions} turns; log loss {fit.log_loss} of games"
            f" not fitted to, of the share itself {fit.raw_log_loss}"
        )
    if arguments.out:
        made = {
            "learned_from": {
                "games": origins(sides[0].origin for sides in games if sides),
                "phantomgo": phantomgo.__version__,
            },
            "log_loss": {
                kind: {"curve": fit.log_loss, "share": fit.raw_log_loss}
                for kind, fit in found.items()
            },
            "curves": {kind: fit.curve._asdict() for kind, fit in found.items()},
        }
        write_whole(Path(arguments.out), json.dumps(made, indent=1) + "\n")
    return 0
